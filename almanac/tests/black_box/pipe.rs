//! `almanac mcp` as a child process: messages in, messages out, one a line.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    house::House,
    rpc::{self, Era},
};

const PATIENCE: Duration = Duration::from_secs(30);

/// A running stdio server.
pub struct Pipe {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Pipe {
    /// `almanac mcp` on the house's own database.
    pub fn local(house: &House, token: &str) -> Self {
        let mut command = house.almanac();
        command.arg("mcp").env("ALMANAC_MCP_CLIENT_TOKEN", token);
        Self::open(command)
    }

    /// `almanac mcp --api-url …`, with nothing but the address and the token.
    pub fn bridge(base: &str, token: &str) -> Self {
        let mut command = crate::house::bare_almanac();
        command.args(["mcp", "--api-url", base]).env("ALMANAC_API_TOKEN", token);
        command.env("ALMANAC_DATA", "/proc/nowhere"); // nothing can be written there
        Self::open(command)
    }

    pub fn open(mut command: Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("almanac mcp starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let input = child.stdin.take();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, input, lines }
    }

    /// Sends a line as it is.
    pub fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{line}").and_then(|()| input.flush()).expect("almanac mcp reads");
    }

    /// The next message; every line of standard output must be one.
    pub fn read(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer in time");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "only JSON-RPC on standard output: {line}");
        message
    }

    /// Sends a request and reads its answer.
    pub fn ask(&mut self, era: Era, method: &str, params: Value) -> Value {
        let params = if era == Era::Modern { rpc::with_meta(params, rpc::meta()) } else { params };
        self.write(&rpc::message(method, params).to_string());
        self.read()
    }

    /// Calls a tool that must succeed; its answer object.
    pub fn done(&mut self, tool: &str, input: Value) -> Value {
        let answer = self.ask(Era::Legacy, "tools/call", json!({"name": tool, "arguments": input}));
        assert_eq!(answer["result"]["isError"], false, "{tool}: {answer}");
        answer["result"]["structuredContent"].clone()
    }

    /// Nothing more was said, and nothing will be: closes the input and reads to the end.
    pub fn finish(mut self) -> std::process::ExitStatus {
        self.input = None;
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => panic!("an unasked line: {line}"),
            Err(RecvTimeoutError::Timeout) => panic!("almanac mcp does not end with its input"),
            Err(RecvTimeoutError::Disconnected) => self.child.wait().expect("a child"),
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
