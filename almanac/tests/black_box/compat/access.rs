//! Cases 24 to 26 and 28: credentials, scopes, toolsets.

use serde_json::{Value, json};

use crate::{
    house::{House, Served},
    rpc::{self, ERAS, Era},
    wire::Reply,
};

fn meal() -> Value {
    json!({"kcal": 500, "protein_g": 25, "carb_g": 50, "fat_g": 18})
}

fn challenge(reply: &Reply) -> String {
    reply.header("www-authenticate").expect("a challenge").to_owned()
}

/// The quoted value of a parameter of a challenge.
fn parameter(challenge: &str, name: &str) -> Option<String> {
    let (_, rest) = challenge.split_once(&format!("{name}=\""))?;
    rest.split('"').next().map(str::to_owned)
}

fn names(tools: &Value) -> Vec<String> {
    tools["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name").to_owned())
        .collect()
}

#[test]
fn case_24_a_call_without_a_credential_is_asked_for_one() {
    let house = Served::open();
    for exchange in [
        rpc::legacy("initialize", rpc::initialize("2025-11-25")),
        rpc::modern("server/discover", json!({})),
        rpc::legacy("tools/list", json!({})),
        Era::Legacy.call("log_meal", meal()),
        Era::Legacy.call("foo_bar", json!({})),
    ] {
        let reply = house.send(exchange);
        assert_eq!(reply.status, 401);
        assert!(reply.is_json() && reply.json()["error"].is_string());
        let said = challenge(&reply);
        assert!(said.starts_with("Bearer "), "{said}");
        assert_eq!(parameter(&said, "error"), None, "{said}");
        let metadata = parameter(&said, "resource_metadata");
        assert!(
            metadata.is_none_or(|url| url.starts_with("http")),
            "absolute, or none without an authorization server"
        );
    }
    assert_eq!(house.meals().len(), 0);
}

#[test]
fn case_24_a_bad_credential_is_never_a_visitor() {
    let house = Served::open();
    let revoked = house.house.token("journal");
    let tokens = house.done("list_access_tokens", json!({}));
    let id = tokens["items"].as_array().expect("tokens").iter().find(|token| token["name"] == "journal token");
    house.done("revoke_access_token", json!({"access_token_id": id.expect("it")["id"], "confirm": true}));
    let unknown = format!("alm_{}", "A".repeat(43));
    for header in [
        format!("Bearer {revoked}"),
        format!("Bearer {unknown}"),
        "Bearer ".to_owned(),
        "Basic YW5hOmFuYQ==".to_owned(),
        format!("{unknown} {unknown}"),
    ] {
        let reply = house.send(rpc::legacy("tools/list", json!({})).with("Authorization", &header));
        assert_eq!((reply.status, reply.json()["error"].as_str()), (401, Some("invalid_token")), "{header}");
        assert!(challenge(&reply).starts_with("Bearer "));
        assert!(!reply.text().contains(&revoked) && !challenge(&reply).contains(&revoked));
    }
    let twice =
        rpc::legacy("ping", json!({})).bearer(&house.token).with("Authorization", &format!("Bearer {}", house.token));
    assert_eq!(house.send(twice).status, 400, "two Authorization headers");
    let lower = rpc::legacy("ping", json!({})).with("authorization", &format!("bearer {}", house.token));
    assert_eq!(house.send(lower).status, 200, "the scheme is written in any case");
}

#[test]
fn case_25_a_missing_scope_is_asked_for_with_what_was_granted() {
    let house = Served::open();
    let reader = house.house.token("journal:read");
    for era in ERAS {
        let reply = house.send(era.call("log_meal", meal()).bearer(&reader));
        assert_eq!(reply.status, 403);
        let said = challenge(&reply);
        assert_eq!(parameter(&said, "error").as_deref(), Some("insufficient_scope"), "{said}");
        assert_eq!(parameter(&said, "scope").as_deref(), Some("journal"), "granted and needed together");
        assert_eq!(
            reply.json(),
            json!({"error": "insufficient_scope",
                "error_description": "log_meal needs the journal permission. Reconnect Almanac and allow journal."})
        );
    }
    let profile = house.house.token("profile:read");
    let said = challenge(&house.send(Era::Legacy.call("get_meals", json!({})).bearer(&profile)));
    let mut scopes: Vec<String> = parameter(&said, "scope").expect("scopes").split(' ').map(str::to_owned).collect();
    scopes.sort();
    assert_eq!(scopes, ["journal:read", "profile:read"]);
    assert_eq!(house.meals().len(), 0);
}

#[test]
fn case_26_some_clients_are_told_in_a_result() {
    let house = Served::open();
    let reader = house.house.token("journal:read");
    let call = || Era::Legacy.call("log_meal", meal()).bearer(&reader);
    for agent in ["openai-mcp/1.0", "ChatGPT-User/2.0"] {
        let reply = house.send(call().with("User-Agent", agent));
        assert_eq!(reply.status, 200, "{agent}");
        let result = reply.result();
        assert_eq!(result["isError"], true);
        let said = result["content"][0]["text"].as_str().expect("text");
        assert!(said.contains("log_meal needs the journal permission"), "{said}");
        let challenges = result["_meta"]["mcp/www_authenticate"].as_array().expect("challenges");
        assert_eq!(parameter(challenges[0].as_str().expect("text"), "error").as_deref(), Some("insufficient_scope"));
    }
    let nobody = house.send(Era::Legacy.call("log_meal", meal()).with("User-Agent", "openai-mcp/1.0"));
    assert_eq!(nobody.status, 200);
    assert_eq!(nobody.result()["isError"], true);
    let bad = call().bearer("alm_wrong").with("User-Agent", "openai-mcp/1.0");
    assert_eq!(house.send(bad).status, 401, "a bad token stays one");
    assert_eq!(house.meals().len(), 0);
}

#[test]
fn case_28_toolsets_shorten_the_list() {
    let house = Served::open();
    let listed = |query: &str| names(&house.ask(rpc::legacy("tools/list", json!({})).query(query)).result());
    let all = listed("");
    let everyday = listed("?tools=everyday");
    assert!(everyday.len() < all.len() && everyday.iter().all(|name| all.contains(name)));
    for name in ["log_meal", "get_macros_today", "undo_change", "list_changes", "get_capabilities", "log_weight"] {
        assert!(everyday.iter().any(|listed| listed == name), "{name}");
    }
    let read = listed("?tools=read");
    assert!(read.contains(&"get_meals".to_owned()) && !read.contains(&"log_meal".to_owned()));
    let both = listed("?tools=journal,read");
    assert!(both.iter().all(|name| read.contains(name)) && both.contains(&"get_meals".to_owned()));
    assert!(!both.contains(&"list_access_tokens".to_owned()), "of the account domain");
    let union = listed("?tools=journal,account");
    assert!(union.contains(&"log_meal".to_owned()) && union.contains(&"list_access_tokens".to_owned()));

    let unknown = house.ask(rpc::legacy("tools/list", json!({})).query("?tools=nope"));
    assert_eq!((unknown.status, unknown.code()), (400, Some(-32602)));
    let message = unknown.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(["everyday", "read", "journal", "account"].iter().all(|name| message.contains(name)), "{message}");
}

#[test]
fn case_28_a_reading_toolset_has_no_writing_tools_at_all() {
    let house = Served::open();
    let result = house.ask(Era::Legacy.call("log_meal", meal()).query("?tools=read")).result();
    assert_eq!((&result["isError"], &result["content"][0]["text"]), (&json!(true), &json!("unknown tool: log_meal")));
    let modern = house.ask(Era::Modern.call("log_meal", meal()).query("?tools=read"));
    assert_eq!(modern.json()["error"]["message"], "unknown tool: log_meal");
    let unlisted = house.ask(Era::Legacy.call("log_meal", meal()).query("?tools=account")).result();
    assert_eq!(unlisted["isError"], false, "another toolset shortens the list and nothing else");
    assert_eq!(house.meals().len(), 1);
}

#[test]
fn the_list_follows_the_scopes() {
    let house = Served::open();
    let listed = |scope: &str| {
        let token = house.house.token(scope);
        names(&house.send(rpc::legacy("tools/list", json!({})).bearer(&token)).result())
    };
    let reading = listed("journal:read");
    assert!(reading.contains(&"get_meals".to_owned()) && !reading.contains(&"log_meal".to_owned()));
    assert!(!reading.contains(&"get_user_profile".to_owned()));
    assert!(reading.contains(&"get_my_access".to_owned()), "any credential");
    let profile = listed("profile");
    assert!(profile.contains(&"update_user_profile".to_owned()) && !profile.contains(&"get_meals".to_owned()));
}

#[test]
fn until_it_is_claimed_the_server_says_how() {
    let house = House::unclaimed();
    let server = house.serve();
    let reply = rpc::legacy("tools/list", json!({})).send(server.address);
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("30")));
    assert!(reply.text().contains("create-person") && reply.text().contains("create-access-token"), "{}", reply.text());
    house.person(crate::house::ANA, "Ana");
    let token = house.token(crate::house::ALL);
    let reply = rpc::legacy("tools/list", json!({})).bearer(&token).send(server.address);
    assert_eq!(reply.status, 200, "the running server sees the new owner");
}
