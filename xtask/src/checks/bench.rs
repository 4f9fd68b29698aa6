use std::path::Path;

use super::program::Program;

/// Measures a release build: `mcp` beside its peers, `budgets` against its limits, `growth`
/// on more and more data, `storage` against bare SQLite.
pub fn bench(root: &Path, kind: &str, options: &[&str]) -> Result<(), String> {
    let cargo = || Program::new("cargo", root);
    match kind {
        "storage" => cargo()
            .args(["bench", "--locked", "--package=storage", "--bench=writes_and_reads", "--"])
            .args(options)
            .run(),
        "mcp" | "budgets" | "growth" => {
            cargo().args(["build", "--locked", "--release", "--package=almanac", "--package=bench"]).run()?;
            cargo().args(["run", "--locked", "--release", "--package=bench", "--", kind]).args(options).run()
        }
        _ => Err(format!("cannot measure `{kind}`; mcp, budgets, growth and storage can be measured")),
    }
}
