use std::fs::{self, File};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use calendar::Date;

use crate::call::{Era, Requests, Tool};
use crate::client::Client;
use crate::error::Error;
use crate::process::ProcessTree;

const LONGEST_START: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Synchronous {
    Full,
    Normal,
}

impl Synchronous {
    /// As SQLite spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "FULL",
            Self::Normal => "NORMAL",
        }
    }
}

/// A server that can be started: everything it needs is in place.
pub struct Prepared {
    pub name: String,
    /// Name and version of what it is made of.
    pub made_of: String,
    pub command: Command,
    pub port: u16,
    pub token: String,
    pub log: PathBuf,
}

/// A server that answers; it ends with this value.
pub struct Running {
    pub name: String,
    pub made_of: String,
    pub port: u16,
    pub token: String,
    /// From the start of the process to its first answer.
    pub start: Duration,
    /// Resident after that answer, in kB.
    pub idle_kb: u64,
    pub process: ProcessTree,
    /// Number of the next meal.
    pub next_meal: Arc<AtomicU64>,
    log: PathBuf,
    child: Child,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself; there is nobody left to tell.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    pub fn requests(&self, tool: Tool, era: Era, today: Date) -> Result<Requests, Error> {
        Requests::new(tool, era, self.port, &self.token, today)
    }

    /// Whether the server wrote `words` to its log.
    pub fn said(&self, words: &str) -> Result<bool, Error> {
        Ok(fs::read_to_string(&self.log)?.contains(words))
    }
}

/// A port of this machine that nobody listens on.
pub fn free_port() -> Result<u16, Error> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// Starts the server and waits until `ping` is answered.
pub async fn start(mut prepared: Prepared, today: Date) -> Result<Running, Error> {
    let log = File::create(&prepared.log)?;
    prepared.command.stdin(std::process::Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let started = Instant::now();
    let child = prepared.command.spawn().map_err(|error| format!("{} does not start: {error}", prepared.name))?;
    let process = ProcessTree(child.id());
    let mut running = Running {
        name: prepared.name,
        made_of: prepared.made_of,
        port: prepared.port,
        token: prepared.token,
        start: Duration::ZERO,
        idle_kb: 0,
        process,
        next_meal: Arc::default(),
        log: prepared.log,
        child,
    };
    let ping = running.requests(Tool::Ping, Era::Legacy, today)?;
    while let Err(error) = first_answer(running.port, &ping).await {
        if started.elapsed() > LONGEST_START || running.child.try_wait()?.is_some() {
            let log = fs::read_to_string(&running.log).unwrap_or_default();
            return Err(format!("{} does not answer: {error}\n{log}", running.name).into());
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    running.start = started.elapsed();
    tokio::time::sleep(Duration::from_millis(500)).await;
    running.idle_kb = process.resident_kb()?;
    Ok(running)
}

async fn first_answer(port: u16, ping: &Requests) -> Result<(), Error> {
    Client::connect(port).await?.call(ping.request(0)?).await?;
    Ok(())
}
