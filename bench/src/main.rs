//! Measures Almanac on this machine: `bench mcp` from outside beside two peers, `bench budgets` from outside against its
//! own limits, `bench growth` in process on more and more data. Everything is bounded in seconds and calls and goes over loopback.

#![allow(clippy::disallowed_methods)] // a stopwatch needs the real clock

mod almanac;
mod budgets;
mod call;
mod client;
mod comparison;
mod data_folder;
mod error;
mod growth;
mod load;
mod machine;
mod markdown;
mod meal;
mod options;
mod peers;
mod process;
mod rounds;
mod server;
mod targets;

use std::process::ExitCode;

use options::{Command, Options};

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, error::Error> {
    let options = Options::read(std::env::args().skip(1))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match options.command {
        Command::Mcp => runtime.block_on(comparison::run(&options)),
        Command::Budgets => runtime.block_on(budgets::run(&options)),
        Command::Growth => runtime.block_on(growth::run(&options)),
    }
}
