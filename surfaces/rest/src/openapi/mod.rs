//! OpenAPI 3.1, written from the same entries and schemas that answer the calls.

mod document;
mod errors;
mod item;

pub use document::document;
