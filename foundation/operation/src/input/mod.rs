//! Input of an operation: its shape, the schema shown for it, the check before it is parsed, and text made typed.

mod check;
mod emit;
mod path;
mod forms;
mod shape;
mod text;

pub use path::path_parameters;
pub use forms::{Clear, Confirm, Patch};
pub use shape::{Bounds, Field, Fields, Kind, Shape};
