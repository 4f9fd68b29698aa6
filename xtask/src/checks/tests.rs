//! The workspace's own tests, on both databases.

use std::path::{Path, PathBuf};

use super::{
    postgres::Postgres,
    program::{Program, found},
};

/// Unit and integration tests; `Ok` has the lines in which the runner counts them.
pub fn run(root: &Path) -> Result<Vec<String>, String> {
    let postgres = Postgres::start(root)?;
    println!("SQLite, and PostgreSQL at {}", postgres.url());
    let command = Program::new("cargo", root).env("ALMANAC_TEST_POSTGRES", postgres.url());
    let (counted, outcome) = if found("cargo-nextest").is_some() {
        let args = ["nextest", "run", "--locked", "--workspace", "--no-fail-fast", "--show-progress=none"];
        command
            .args(args)
            .args(["--status-level=slow"])
            .run_keeping(true, |line| line.trim_start().starts_with("Summary ["))
    } else {
        println!("cargo-nextest is not installed: cargo test runs the same tests, slower");
        let args = ["test", "--locked", "--workspace", "--all-targets", "--no-fail-fast"];
        command.args(args).run_keeping(false, |line| line.starts_with("test result:"))
    };
    outcome.map(|()| counted)
}

/// Examples in doc comments.
pub fn doctests(root: &Path) -> Result<Vec<String>, String> {
    let command = Program::new("cargo", root).args(["test", "--locked", "--workspace", "--doc", "--quiet"]);
    let (_, outcome) = command.run_keeping(false, |_| false);
    outcome.map(|()| Vec::new())
}

/// Where cargo builds for this workspace.
pub fn target_folder(root: &Path) -> Result<PathBuf, String> {
    let text = Program::new("cargo", root).args(["metadata", "--format-version=1", "--no-deps"]).output()?;
    let document: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    document["target_directory"].as_str().map(PathBuf::from).ok_or_else(|| "cargo names no target folder".to_owned())
}
