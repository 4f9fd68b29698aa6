//! `cargo xtask test`: everything that must hold before a change is taken.

mod advisories;
mod bench;
mod debian;
mod dependencies;
mod licence;
mod postgres;
mod program;
mod reference;
mod run;
mod soak;
mod steps;
mod suites;
mod tests;

pub use bench::bench;
pub use reference::write as write_reference;
pub use run::{soak, test};
