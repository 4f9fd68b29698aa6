//! Almanac: the server and its command line.

mod command_line;
mod config;
mod demo;
mod domains;
mod host;
mod house;
mod logging;
mod reference;
mod run;
mod serve;
mod stdio;

use std::process::ExitCode;

/// Answers are built of many small pieces; the system's allocator takes a fifth of a call.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    run::run()
}
