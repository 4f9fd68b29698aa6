use std::path::Path;

use super::{bench::bench, program::Program, steps::Step, tests};

/// What is run before an issue is called resolved, its figures committed.
pub const SOAK: [Step; 4] = [
    Step { name: "kill", what: "kill -9 during 500 writes, twenty times on each database", run: kill },
    Step { name: "fuzz-input", what: "ten minutes of broken JSON input", run: |root| fuzz(root, "input") },
    Step { name: "fuzz-dates", what: "ten minutes of broken dates and times", run: |root| fuzz(root, "dates") },
    Step { name: "gates", what: "speed and memory against their limits", run: gates },
];

fn kill(root: &Path) -> Result<Vec<String>, String> {
    tests::one(root, "kill", "", ("ALMANAC_KILL_ROUNDS", "20"))
}

fn fuzz(root: &Path, which: &str) -> Result<Vec<String>, String> {
    tests::one(root, "fuzz", which, ("ALMANAC_FUZZ_SECONDS", "600"))
}

fn gates(root: &Path) -> Result<Vec<String>, String> {
    Program::new("cargo", root).args(["bench", "--locked", "--package=mcp", "--bench=layers"]).run()?;
    bench(root, "storage", &[])?;
    bench(root, "budgets", &["--gate"])?;
    bench(root, "growth", &["--gate"])?;
    bench(root, "mcp", &["--gate"])?;
    Ok(Vec::new())
}
