//! The generated pages of `docs/reference`.

mod settings;
mod tools;

pub use settings::settings;
pub use tools::tools;
