//! House rules that a program can check. Each rule is a function from what it looks at to findings.

mod contents;
mod imports;
mod length;
mod literals;
mod lock_files;
mod names;
mod operations;
mod run;
mod sql;
mod tree;
mod unfinished;

pub use run::run;
