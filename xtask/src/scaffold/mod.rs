//! New operations and domains from a template, and the lines that list them.

mod domain;
mod listing;
mod names;
mod operation;

pub use domain::new_domain;
pub use operation::new_operation;
