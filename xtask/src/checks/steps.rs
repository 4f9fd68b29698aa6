use std::path::Path;

use super::{advisories, dependencies, program::Program, reference, suites, tests};
use crate::tidy;

/// One thing that must hold.
pub struct Step {
    pub name: &'static str,
    pub what: &'static str,
    /// `Ok` has the lines that count tests.
    pub run: fn(&Path) -> Result<Vec<String>, String>,
}

/// In order: what answers soonest first, what builds least before what builds more.
pub const STEPS: [Step; 11] = [
    Step { name: "fmt", what: "formatted as rustfmt.toml says", run: format },
    Step { name: "tidy", what: "the house rules", run: |root| tidy::run(root).map(nothing) },
    Step { name: "licences", what: "of every dependency", run: |root| dependencies::licences(root).map(nothing) },
    Step {
        name: "duplicates",
        what: "one version of each dependency",
        run: |root| dependencies::duplicates(root).map(nothing),
    },
    Step { name: "advisories", what: "known faults of dependencies", run: |root| advisories::check(root).map(nothing) },
    Step { name: "clippy", what: "no warnings", run: clippy },
    Step { name: "rustdoc", what: "no warnings", run: rustdoc },
    Step { name: "unit", what: "unit and integration tests on SQLite and PostgreSQL", run: tests::run },
    Step { name: "doctest", what: "examples in doc comments", run: tests::doctests },
    Step { name: "reference", what: "generated files unchanged", run: |root| reference::check(root).map(nothing) },
    Step { name: "mcp", what: "conformance, inspector and client libraries", run: suites::mcp },
];

fn nothing(_: ()) -> Vec<String> {
    Vec::new()
}

fn format(root: &Path) -> Result<Vec<String>, String> {
    Program::new("cargo", root).args(["fmt", "--all", "--check"]).run().map(nothing)
}

fn clippy(root: &Path) -> Result<Vec<String>, String> {
    let args = ["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"];
    Program::new("cargo", root).args(args).run().map(nothing)
}

fn rustdoc(root: &Path) -> Result<Vec<String>, String> {
    let command = Program::new("cargo", root).env("RUSTDOCFLAGS", "-D warnings");
    // With examples, dependencies are built with the features that tests give them: nothing is built twice.
    command.args(["doc", "--locked", "--workspace", "--no-deps", "--lib", "--bins", "--examples"]).run().map(nothing)
}
