//! `cargo xtask test`: everything that must hold before a change is taken.

mod advisories;
mod debian;
mod dependencies;
mod licence;
mod postgres;
mod program;
mod reference;
mod run;
mod steps;
mod suites;
mod tests;

pub use reference::write as write_reference;
pub use run::run;
