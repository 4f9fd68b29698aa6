//! The workspace's own tests, on both databases.

use std::path::{Path, PathBuf};

use super::{
    postgres::Postgres,
    program::{Program, found},
};

/// Unit and integration tests; `Ok` has the lines in which the runner counts them.
pub fn run(root: &Path) -> Result<Vec<String>, String> {
    let postgres = Postgres::start(root)?;
    if found("cargo-nextest").is_none() {
        println!("cargo-nextest is not installed: cargo test runs the same tests, slower");
        let args = ["test", "--locked", "--workspace", "--lib", "--bins", "--tests", "--examples", "--no-fail-fast"];
        return counted(on_both(root, &postgres).args(args), false, "test result:");
    }
    let args = ["nextest", "run", "--locked", "--workspace", "--no-fail-fast", "--show-progress=none"];
    counted(on_both(root, &postgres).args(args).arg("--status-level=slow"), true, "Summary [")
}

/// The tests of one test binary of the crate `almanac` whose names hold `which`, with a setting of their own; their
/// output is shown.
pub fn one(root: &Path, binary: &str, which: &str, setting: (&str, &str)) -> Result<Vec<String>, String> {
    let postgres = Postgres::start(root)?;
    let args =
        ["test", "--locked", "--package=almanac", "--test", binary, "--", "--nocapture", "--test-threads=1", which];
    counted(on_both(root, &postgres).env(setting.0, setting.1).args(args), false, "test result:")
}

/// Cargo, with a PostgreSQL server beside the SQLite that needs none.
fn on_both(root: &Path, postgres: &Postgres) -> Program {
    println!("SQLite, and PostgreSQL at {}", postgres.url());
    Program::new("cargo", root).env("ALMANAC_TEST_POSTGRES", postgres.url()).env("PATH", postgres.path_with_clients())
}

fn counted(command: Program, of_stderr: bool, start: &'static str) -> Result<Vec<String>, String> {
    let (counted, outcome) = command.run_keeping(of_stderr, move |line| line.trim_start().starts_with(start));
    outcome.map(|()| counted)
}

/// Examples in doc comments.
pub fn doctests(root: &Path) -> Result<Vec<String>, String> {
    let command = Program::new("cargo", root).args(["test", "--locked", "--workspace", "--doc", "--quiet"]);
    let (_, outcome) = command.run_keeping(false, |_| false);
    outcome.map(|()| Vec::new())
}

/// Builds every binary and example, and says in which target folder. With examples, dependencies have the features
/// that tests give them: after the tests there is nothing left to build.
pub fn build(root: &Path) -> Result<PathBuf, String> {
    Program::new("cargo", root).args(["build", "--locked", "--workspace", "--bins", "--examples"]).run()?;
    let text = Program::new("cargo", root).args(["metadata", "--format-version=1", "--no-deps"]).output()?;
    let document: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    document["target_directory"].as_str().map(PathBuf::from).ok_or_else(|| "cargo names no target folder".to_owned())
}
