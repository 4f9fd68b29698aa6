//! A whole Almanac: the built binary, a fresh database, a person, a served address.

use std::{
    fs::File,
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    postgres::Database,
    rpc::Era,
    wire::{Exchange, Reply},
};

pub const ANA: &str = "ana@example.org";
pub const BRUNO: &str = "bruno@example.org";
pub const ZONE: &str = "America/Toronto";
pub const ALL: &str = "profile journal";

/// Settings of the caller's shell that must not reach a test's Almanac.
const FOREIGN: [&str; 10] = [
    "ALMANAC_DATABASE_URL",
    "DATABASE_URL",
    "ALMANAC_BASE_URL",
    "ALMANAC_API_BASE",
    "ALMANAC_API_TOKEN",
    "ALMANAC_MCP_CLIENT_TOKEN",
    "ALMANAC_ANONYMOUS",
    "ALMANAC_HOSTS",
    "ALMANAC_ORIGINS",
    "ALMANAC_DOMAINS",
];

/// A data folder and what belongs to it; no server yet.
pub struct House {
    data: TempDir,
    /// `None`: SQLite in the data folder.
    pub database: Option<Database>,
}

/// A served house. The server ends with it.
pub struct Served {
    pub house: House,
    server: Server,
    /// Ana's token with every scope.
    pub token: String,
}

/// One `almanac serve` process.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    log: std::path::PathBuf,
}

impl House {
    /// An empty house on SQLite, with Ana as its owner.
    pub fn build() -> Self {
        Self::build_on(None)
    }

    pub fn build_on(database: Option<Database>) -> Self {
        let house = Self::unclaimed_on(database);
        house.person(ANA, "Ana");
        house
    }

    /// A house without a person.
    pub fn unclaimed() -> Self {
        Self::unclaimed_on(None)
    }

    pub fn unclaimed_on(database: Option<Database>) -> Self {
        Self { data: tempfile::tempdir().expect("a folder"), database }
    }

    pub fn folder(&self) -> &Path {
        self.data.path()
    }

    /// Where its database is.
    pub fn url(&self) -> String {
        match &self.database {
            Some(database) => database.url(),
            None => format!("sqlite:{}", self.folder().join("almanac.db").display()),
        }
    }

    /// `almanac …` on this house's database, with nothing of the caller's environment that could lead elsewhere.
    pub fn almanac(&self) -> Command {
        let mut command = bare_almanac();
        command.env("ALMANAC_DATA", self.folder());
        if let Some(database) = &self.database {
            command.env("ALMANAC_DATABASE_URL", database.url());
        }
        command
    }

    /// Runs a command that must succeed; what it printed.
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = self.almanac().args(arguments).stdin(Stdio::null()).output().expect("almanac runs");
        assert!(output.status.success(), "almanac {arguments:?}: {}", said(&output));
        String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
    }

    pub fn person(&self, email: &str, name: &str) {
        self.run(&["create-person", email, "--name", name, "--timezone", ZONE]);
    }

    pub fn token_of(&self, email: &str, scope: &str) -> String {
        let name = format!("{scope} token");
        let arguments =
            ["create-access-token", "--person", email, "--name", &name, "--scope", scope, "--output", "text"];
        let token = self.run(&arguments);
        assert!(token.starts_with("alm_") && !token.contains(char::is_whitespace), "the token alone");
        token
    }

    pub fn token(&self, scope: &str) -> String {
        self.token_of(ANA, scope)
    }

    /// Starts a server of this house on a free loopback port.
    pub fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    pub fn serve_with(&self, settings: &[(&str, &str)]) -> Server {
        let address = free_address();
        let log = self.folder().join(format!("serve-{}.log", address.port()));
        let mut command = self.almanac();
        command.args(["serve", "--listen", &address.to_string()]).envs(settings.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log).expect("a log"));
        let child = command.spawn().expect("almanac starts");
        let mut server = Server { child, address, log };
        server.wait_until_ready();
        server
    }
}

impl Server {
    fn wait_until_ready(&mut self) {
        for _ in 0..3_000 {
            if let Some(status) = self.child.try_wait().expect("a child") {
                panic!("almanac serve ended with {status}: {}", self.log());
            }
            if TcpStream::connect(self.address).is_ok()
                && Exchange::new("GET", "/healthz").send(self.address).status == 200
            {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("almanac serve is not ready: {}", self.log());
    }

    /// Everything it said on standard error so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if thread::panicking() {
            eprintln!("--- almanac serve said:\n{}", self.log());
        }
    }
}

impl Served {
    /// A served house on SQLite with Ana and her token.
    pub fn open() -> Self {
        Self::of(House::build())
    }

    pub fn of(house: House) -> Self {
        let token = house.token(ALL);
        Self::with(house, token)
    }

    /// Serves a house whose token is known.
    pub fn with(house: House, token: String) -> Self {
        let server = house.serve();
        Self { house, server, token }
    }

    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Sends a request as it is.
    pub fn send(&self, exchange: Exchange) -> Reply {
        exchange.send(self.server.address)
    }

    /// Sends a request with Ana's token.
    pub fn ask(&self, exchange: Exchange) -> Reply {
        self.send(exchange.bearer(&self.token))
    }

    /// Calls a tool with Ana's token; the result of the JSON-RPC answer.
    pub fn call(&self, tool: &str, input: Value) -> Value {
        self.ask(Era::Legacy.call(tool, input)).result()
    }

    /// Calls a tool that must succeed; its answer object.
    pub fn done(&self, tool: &str, input: Value) -> Value {
        let result = self.call(tool, input);
        assert_eq!(result["isError"], false, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that must be refused as a tool result; the sentence.
    pub fn refused(&self, tool: &str, input: Value) -> String {
        let result = self.call(tool, input);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        assert!(result.get("structuredContent").is_none(), "a refusal has one half: {result}");
        assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "one text block: {result}");
        result["content"][0]["text"].as_str().expect("text").to_owned()
    }

    /// Ana's meals of the last 3,650 days, newest first.
    pub fn meals(&self) -> Vec<Value> {
        let answer = self.done("get_meals", serde_json::json!({"from_days_ago": 3650, "limit": 200}));
        answer["items"].as_array().expect("items").clone()
    }

    /// The tools of `tools/list`.
    pub fn tools(&self) -> Vec<Value> {
        self.ask(Era::Legacy.request("tools/list", serde_json::json!({}))).result()["tools"]
            .as_array()
            .expect("tools")
            .clone()
    }
}

/// The built binary without a data folder.
pub fn bare_almanac() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_almanac"));
    for name in FOREIGN {
        command.env_remove(name);
    }
    command
}

pub fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}: {}{}", output.status, text(&output.stdout), text(&output.stderr))
}

/// An address of this machine that nobody listens on.
pub fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port")
}
