//! Clients and checkers from outside, run against the built binaries.

use std::path::Path;

use super::{program::Program, tests::target_folder};

const COUNTS: &str = " passed, ";

/// MCP conformance, inspector and client libraries (`tests/mcp/run`); `Ok` has the line that counts them.
pub fn mcp(root: &Path) -> Result<Vec<String>, String> {
    Program::new("cargo", root).args(["build", "--locked", "--workspace", "--bins", "--examples"]).run()?;
    let built = target_folder(root)?.join("debug");
    let suite = Program::new("bash", root)
        .args([
            "tests/mcp/run".as_ref(),
            built.join("almanac").as_os_str(),
            built.join("examples/conformance").as_os_str(),
        ])
        .args([target_folder(root)?.join("mcp-suites")]);
    let (counted, outcome) = suite.run_keeping(false, |line| line.contains(COUNTS));
    outcome.map(|()| counted.into_iter().next_back().into_iter().collect())
}
