//! Case 32, and the rules of `almanac mcp` on standard input and output.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::{
    house::{ALL, ANA, House, Served},
    pipe::Pipe,
    rpc::{self, ERAS, Era},
};

fn meal() -> Value {
    json!({"kcal": 500, "protein_g": 25, "carb_g": 50, "fat_g": 18})
}

#[test]
fn case_32_a_broken_line_is_skipped_and_both_eras_are_answered() {
    let house = House::build();
    let mut pipe = Pipe::local(&house, &house.token(ALL));
    pipe.write("{\"jsonrpc\":");
    pipe.write("");
    for era in ERAS {
        let answer = pipe.ask(era, "tools/list", json!({}));
        assert!(answer["result"]["tools"].as_array().is_some_and(|tools| tools.len() > 20), "{answer}");
        assert_eq!(answer["result"].get("ttlMs").is_some(), era == Era::Modern);
    }
    let answer = pipe.ask(Era::Legacy, "initialize", rpc::initialize("2025-06-18"));
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "legacy after modern");
    pipe.write(&rpc::notification("notifications/initialized", json!({})).to_string());
    assert!(pipe.finish().success());
}

#[test]
fn stdio_answers_like_http() {
    let house = Served::open();
    let mut pipe = Pipe::local(&house.house, &house.token);
    for era in ERAS {
        for (method, params) in [
            ("tools/list", json!({})),
            ("prompts/list", json!({})),
            ("foo/bar", json!({})),
            ("tools/call", json!({"name": "foo_bar"})),
            ("tools/call", json!({"name": "log_meal", "arguments": {"kcal": "500"}})),
            ("tools/call", json!({"name": "delete_meal", "arguments": {"meal_id": 7, "confirm": true}})),
            ("resources/read", json!({"uri": "almanac://nope"})),
        ] {
            let mut over_http = house.ask(era.request(method, params.clone())).json();
            for tool in over_http["result"]["tools"].as_array_mut().into_iter().flatten() {
                tool.as_object_mut().expect("a tool").remove("securitySchemes"); // the one member that only HTTP adds
            }
            let mut over_stdio = pipe.ask(era, method, params);
            for tool in over_stdio["result"]["tools"].as_array_mut().into_iter().flatten() {
                tool.as_object_mut().expect("a tool").remove("securitySchemes");
            }
            assert_eq!(over_http, over_stdio, "{method} in {era:?}");
        }
    }
}

#[test]
fn stdio_refuses_by_codes_where_http_refuses_by_status() {
    let house = House::build();
    let token = house.token("journal:read profile");
    let mut pipe = Pipe::local(&house, &token);
    for era in ERAS {
        let answer = pipe.ask(era, "tools/call", json!({"name": "log_meal", "arguments": meal()}));
        assert_eq!(answer["error"]["code"], -32003, "{answer}");
        assert!(answer["error"]["data"]["scope"].as_str().is_some_and(|scope| scope.contains("journal")), "{answer}");
    }
    assert_eq!(pipe.done("get_meals", json!({}))["items"], json!([]));
    let listed: Value = serde_json::from_str(&house.run(&["list-access-tokens", "--output", "json"])).expect("JSON");
    let id = listed["items"][0]["id"].to_string();
    house.run(&["revoke-access-token", "--access-token-id", &id, "--confirm"]);
    let answer = pipe.ask(Era::Legacy, "tools/call", json!({"name": "get_meals"}));
    assert_eq!(answer["error"]["code"], -32001, "a token revoked while running: {answer}");
}

#[test]
fn stdio_does_not_start_without_a_good_token() {
    let house = House::build();
    for token in [None, Some("alm_unknown")] {
        let mut command = house.almanac();
        command.arg("mcp").stdin(Stdio::null());
        command.envs(token.map(|token| ("ALMANAC_MCP_CLIENT_TOKEN", token)));
        let output = command.output().expect("almanac runs");
        assert_eq!(output.status.code(), Some(3), "{}", crate::house::said(&output));
        assert!(output.stdout.is_empty(), "no protocol before the refusal");
        assert_eq!(String::from_utf8_lossy(&output.stderr).trim().lines().count(), 1, "one sentence");
    }
}

#[test]
fn the_host_needs_no_token_to_speak_for_a_person() {
    let house = House::build();
    let mut command = house.almanac();
    command.args(["mcp", "--as", ANA]);
    let mut pipe = Pipe::open(command);
    assert!(pipe.done("log_meal", meal())["id"].is_i64());
}

#[test]
fn a_stdio_toolset_shortens_the_list() {
    let house = House::build();
    let mut command = house.almanac();
    command.args(["mcp", "--as", ANA, "--tools", "read"]);
    let mut pipe = Pipe::open(command);
    let tools = pipe.ask(Era::Legacy, "tools/list", json!({}))["result"]["tools"].clone();
    assert!(tools.as_array().is_some_and(|tools| tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true)));
    let answer = pipe.ask(Era::Legacy, "tools/call", json!({"name": "log_meal", "arguments": meal()}));
    assert_eq!(answer["result"]["content"][0]["text"], "unknown tool: log_meal");
}

#[test]
fn the_bridge_needs_no_folder_and_passes_everything_on() {
    let house = Served::open();
    let mut bridge = Pipe::bridge(&house.server().base(), &house.token);
    let logged = bridge.done("log_meal", meal());
    assert_eq!(house.meals().len(), 1);
    let id = logged["id"].clone();
    assert_eq!(bridge.done("get_meals", json!({}))["items"][0]["id"], id);
    let call = |name: &str, input: Value| json!({"name": name, "arguments": input});
    for (name, input) in [
        ("log_meal", json!({"kcal": "500"})),
        ("delete_meal", json!({"meal_id": id, "confirm": false})),
        ("delete_meal", json!({"meal_id": 77, "confirm": true})),
        ("foo_bar", json!({})),
    ] {
        let over_http = house.ask(Era::Legacy.request("tools/call", call(name, input.clone()))).json();
        assert_eq!(bridge.ask(Era::Legacy, "tools/call", call(name, input)), over_http, "{name}");
    }
    let reader = house.house.token("journal:read");
    let mut bridge = Pipe::bridge(&format!("{}/api", house.server().base()), &reader);
    let answer = bridge.ask(Era::Legacy, "tools/call", call("log_meal", meal()));
    assert_eq!(answer["error"]["code"], -32003, "{answer}");
}
