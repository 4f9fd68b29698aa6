use std::path::Path;

use super::program::Program;

/// Measures a release build: `mcp` beside its peers, `budgets` against its limits, `growth`
/// on more and more data, `storage` against bare SQLite, `slow-disk` the
/// same where every fsync takes 2 ms longer.
pub fn bench(root: &Path, kind: &str, options: &[&str]) -> Result<(), String> {
    let cargo = || Program::new("cargo", root);
    match kind {
        "storage" => cargo()
            .args(["bench", "--locked", "--package=storage", "--bench=writes_and_reads", "--"])
            .args(options)
            .run(),
        "slow-disk" => slow_disk(root),
        "mcp" | "budgets" | "growth" => {
            cargo().args(["build", "--locked", "--release", "--package=almanac", "--package=bench"]).run()?;
            cargo().args(["run", "--locked", "--release", "--package=bench", "--", kind]).args(options).run()
        }
        _ => Err(format!("cannot measure `{kind}`; mcp, budgets, growth, storage and slow-disk can be measured")),
    }
}

/// The storage benchmark with a library preloaded that slows every fsync.
fn slow_disk(root: &Path) -> Result<(), String> {
    let library = root.join("target/slow_sync.so");
    let (source, made) = (root.join("bench/slow-disk/slow_sync.c"), library.display().to_string());
    let source = source.display().to_string();
    Program::new("cc", root).args(["-shared", "-fPIC", "-O2", "-o", &made, &source, "-ldl"]).run()?;
    let build = ["bench", "--locked", "--package=storage", "--bench=writes_and_reads", "--no-run"];
    Program::new("cargo", root).args(build).run()?;
    let run = ["bench", "--locked", "--package=storage", "--bench=writes_and_reads"];
    Program::new("cargo", root).args(run).env("LD_PRELOAD", &made).run()
}
