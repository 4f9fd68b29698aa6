//! One operation, one answer: REST, MCP over HTTP, stdio, the bridge and the command line say the same.

use operation::{Effect, Entry};
use serde_json::{Value, json};

use super::{
    catalog::{catalog, command, on_mcp, rest},
    story,
};
use crate::{
    house::{ANA, House, Served},
    pipe::Pipe,
    rpc::Era,
    walker,
};

/// Members that tell the moment or the way of a call, not what it did.
const OF_THE_CALL: [&str; 9] =
    ["server_now", "token", "created_at", "updated_at", "expires_at", "last_used_at", "revoked_at", "at", "base_url"];

/// Operations whose answer is about the connection itself: the local command line is another one.
const ABOUT_THE_CONNECTION: [&str; 3] = ["get_my_access", "get_capabilities", "list_access_tokens"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Surface {
    Rest,
    Http(Era),
    Stdio,
    Bridge,
    RemoteCommand,
    LocalCommand,
}

const SURFACES: [Surface; 7] = [
    Surface::Rest,
    Surface::Http(Era::Legacy),
    Surface::Http(Era::Modern),
    Surface::Stdio,
    Surface::Bridge,
    Surface::RemoteCommand,
    Surface::LocalCommand,
];

impl Surface {
    fn shows(self, entry: &Entry) -> bool {
        match self {
            Self::Rest | Self::RemoteCommand => true,
            Self::LocalCommand => !ABOUT_THE_CONNECTION.contains(&entry.name),
            Self::Http(_) | Self::Stdio | Self::Bridge => on_mcp(entry),
        }
    }

    fn ask(self, entry: &Entry, served: &Served) -> Value {
        let (house, base, token) = (&served.house, served.server().base(), &served.token);
        match self {
            Self::Rest => {
                let reply = served.ask(rest(entry, &entry.example));
                assert_eq!(reply.status, entry.effect.status(), "{}: {}", entry.name, reply.text());
                reply.json()
            }
            Self::Http(era) => {
                let result = served.ask(era.call(entry.name, entry.example.clone())).result();
                assert_eq!(result["isError"], false, "{}: {result}", entry.name);
                let text = result["content"][0]["text"].as_str().unwrap_or_default();
                let told: Value = serde_json::from_str(text).expect("JSON");
                assert_eq!(told, result["structuredContent"], "{}: both halves", entry.name);
                told
            }
            Self::Stdio => Pipe::local(house, token).done(entry.name, entry.example.clone()),
            Self::Bridge => Pipe::bridge(&base, token).done(entry.name, entry.example.clone()),
            Self::RemoteCommand => {
                let mut remote = crate::house::bare_almanac();
                remote.env("ALMANAC_API_TOKEN", token).args([command(entry).as_str(), "--api-url", &base]);
                said_by(remote, entry)
            }
            Self::LocalCommand => {
                let mut local = house.almanac();
                local.args([command(entry).as_str(), "--as", ANA]);
                said_by(local, entry)
            }
        }
    }
}

fn said_by(mut almanac: std::process::Command, entry: &Entry) -> Value {
    almanac.args(["--json", &entry.example.to_string(), "--output", "json"]);
    let output = almanac.output().expect("almanac runs");
    assert!(output.status.success(), "{}: {}", entry.name, crate::house::said(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The answer without what differs from call to call.
fn steady(mut answer: Value) -> Value {
    strip(&mut answer);
    answer
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !OF_THE_CALL.contains(&name.as_str()));
            members.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

#[test]
fn what_is_read_is_the_same_at_every_surface() {
    let served = story::open();
    for entry in catalog().iter().filter(|entry| entry.effect == Effect::Reads) {
        agree(entry, |surface| surface.ask(entry, &served));
    }
}

#[test]
fn what_is_written_is_the_same_at_every_surface() {
    for entry in catalog().iter().filter(|entry| entry.effect.writes()) {
        agree(entry, |surface| surface.ask(entry, &story::open()));
    }
}

fn agree(entry: &Entry, ask: impl Fn(Surface) -> Value) {
    let first = steady(ask(Surface::Rest));
    for surface in SURFACES.into_iter().skip(1).filter(|surface| surface.shows(entry)) {
        assert_eq!(steady(ask(surface)), first, "{} at {surface:?}", entry.name);
    }
}

#[test]
fn case_23_every_example_answers_as_its_output_schema_says() {
    let tools = story::open().tools();
    for entry in catalog().iter().filter(|entry| on_mcp(entry)) {
        let tool = tools.iter().find(|tool| tool["name"] == entry.name).unwrap_or_else(|| panic!("no {}", entry.name));
        let answer = story::open().done(entry.name, entry.example.clone());
        assert_eq!(
            walker::mismatches(&tool["outputSchema"], &answer),
            Vec::<String>::new(),
            "{}: {answer}",
            entry.name
        );
    }
}

#[test]
fn a_wrong_input_is_refused_alike_at_every_surface() {
    let served = story::open();
    let house: &House = &served.house;
    for entry in catalog().iter() {
        let mut wrong = entry.example.clone();
        wrong["no_such_parameter"] = json!(1);
        let over_rest = served.ask(rest(entry, &wrong));
        assert_eq!((over_rest.status, &over_rest.json()["error"]), (422, &json!("invalid_input")), "{}", entry.name);
        let fields = over_rest.json()["fields"].clone();
        assert_eq!(fields[0]["field"], "no_such_parameter", "{}: {fields}", entry.name);
        if on_mcp(entry) {
            let said = served.refused(entry.name, wrong.clone());
            let reason = fields[0]["reason"].as_str().unwrap_or_default();
            assert_eq!(said, format!("tool {} input validation failed — no_such_parameter: {reason}", entry.name));
        }
        let arguments = [command(entry), "--json".into(), wrong.to_string()];
        let output = house.almanac().args(arguments).output().expect("almanac runs");
        assert_eq!(output.status.code(), Some(2), "{}: {}", entry.name, crate::house::said(&output));
    }
}
