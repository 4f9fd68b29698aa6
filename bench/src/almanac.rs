use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::server::{Prepared, Synchronous, free_port};

const PERSON: &str = "bench@example.org";

/// The one setting that exists for this benchmark only.
const SYNCHRONOUS: &str = "ALMANAC_BENCH_SYNCHRONOUS";

/// What the server logs when it follows that setting; without these words it runs with FULL whatever was asked for.
pub const SAYS_NORMAL: &str = "synchronous=NORMAL";

/// A fresh data folder with one person and their token.
pub fn prepare(binary: &Path, data: &Path, synchronous: Synchronous) -> Result<Prepared, Error> {
    if !binary.exists() {
        let binary = binary.display();
        return Err(format!("{binary} is missing; build it with: cargo build --release --package almanac").into());
    }
    std::fs::create_dir_all(data)?;
    let almanac = |args: &[&str]| {
        let mut command = Command::new(binary);
        command.arg("--data").arg(data).args(args);
        command
    };
    output(almanac(&["create-person", PERSON, "--name", "Bench", "--timezone", "UTC"]))?;
    let scope = "journal profile";
    let token = output(almanac(&[
        "create-access-token",
        "--person",
        PERSON,
        "--name",
        "bench",
        "--scope",
        scope,
        "--output",
        "text",
    ]))?;
    let version = output(almanac(&["--version"]))?;
    let port = free_port()?;
    let mut command = almanac(&["serve", "--listen", &format!("127.0.0.1:{port}")]);
    if synchronous == Synchronous::Normal {
        command.env(SYNCHRONOUS, synchronous.name());
    }
    Ok(Prepared {
        name: "almanac".to_owned(),
        made_of: version,
        command,
        port,
        token,
        log: data.join("bench-server.log"),
    })
}

/// Trimmed standard output of a command that succeeds.
pub fn output(mut command: Command) -> Result<String, Error> {
    let result = command.output().map_err(|error| format!("{command:?} does not start: {error}"))?;
    if !result.status.success() {
        let said = String::from_utf8_lossy(&result.stderr);
        return Err(format!("{command:?} failed ({}): {said}", result.status).into());
    }
    Ok(String::from_utf8(result.stdout)?.trim().to_owned())
}
