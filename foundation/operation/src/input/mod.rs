//! Input of an operation: its shape, the schema shown for it, the check before it is parsed, and text made typed.

mod check;
mod emit;
mod forms;
mod path;
mod shape;
mod text;

pub use forms::{Clear, Confirm, Patch};
pub use path::path_parameters;
pub use shape::{Bounds, Field, Fields, Kind, Shape};
