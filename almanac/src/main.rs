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

fn main() -> ExitCode {
    run::run()
}
