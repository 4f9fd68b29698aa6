//! Clients and checkers from outside, run against the built binaries.

use std::path::Path;

use super::{program::Program, tests::build};

const COUNTS: &str = " passed, ";

/// MCP conformance, inspector and client libraries (`tests/mcp/run`); `Ok` has the line that counts them.
pub fn mcp(root: &Path) -> Result<Vec<String>, String> {
    let target = build(root)?;
    let (almanac, fixture) = (target.join("debug/almanac"), target.join("debug/examples/conformance"));
    let words = ["tests/mcp/run".into(), almanac, fixture, target.join("mcp-suites")];
    let suite = Program::new("bash", root).args(words);
    let (counted, outcome) = suite.run_keeping(false, |line| line.contains(COUNTS));
    outcome.map(|()| counted.into_iter().next_back().into_iter().collect())
}
