//! `cargo xtask …`: the tasks of the project's developers. `cargo xtask help` lists them.

mod checks;
mod metadata;
mod scaffold;
mod tidy;
mod workspace;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask new-operation DOMAIN NOUN NAME   write domains/DOMAIN/src/NOUN/NAME.rs and list it
cargo xtask new-domain NAME                  write domains/NAME and add it to the workspace and the binary
cargo xtask test [--only STEP,STEP]          everything that CI runs, or those steps
cargo xtask soak [--only STEP,STEP]          kill tests twenty times, fuzzing, speed gates: about an hour
cargo xtask bench mcp|budgets|growth|storage|slow-disk …
                                             measure a release build; further words go to the benchmark
cargo xtask docs                             write docs/reference anew
cargo xtask tidy                             check the house rules
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("xtask: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<(), String> {
    let root = workspace::root();
    match words {
        ["new-operation", domain, noun, name] => scaffold::new_operation(&root, domain, noun, name),
        ["new-domain", name] => scaffold::new_domain(&root, name),
        ["test"] => checks::test(&root, None),
        ["test", "--only", steps] => checks::test(&root, Some(steps)),
        ["soak"] => checks::soak(&root, None),
        ["soak", "--only", steps] => checks::soak(&root, Some(steps)),
        ["bench", kind, options @ ..] => checks::bench(&root, kind, options),
        ["docs"] => checks::write_reference(&root),
        ["tidy"] => tidy::run(&root),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(format!("cannot do `{}`\n\n{HELP}", words.join(" "))),
    }
}
