//! Everything that is refused, with its status, code and headers.

use serde_json::{Value, json};

use super::asking::{at, meal, send};
use crate::{
    house::{BRUNO, House, Served},
    wire::{Exchange, Reply},
};

fn refused(reply: &Reply, status: u16, code: &str) -> Value {
    assert_eq!(reply.status, status, "{}", reply.text());
    assert!(reply.is_json(), "{:?}", reply.header("content-type"));
    let body = reply.json();
    assert_eq!(body["error"], code, "{body}");
    assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
    body
}

#[test]
fn without_a_good_token_it_is_401_with_a_challenge() {
    let house = Served::open();
    for (reply, code) in [
        (house.send(at("GET", "/meals")), "unauthenticated"),
        (house.send(at("POST", "/meals").body("{broken")), "unauthenticated"),
        (house.send(at("GET", "/meals").bearer("alm_unknown")), "invalid_token"),
        (house.send(at("GET", "/meals").with("Authorization", "Basic YTpi")), "invalid_token"),
    ] {
        refused(&reply, 401, code);
        assert_eq!(reply.header("www-authenticate"), Some("Bearer realm=\"almanac\""));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    let twice = at("GET", "/meals").with("Authorization", "Bearer a").with("Authorization", "Bearer b");
    refused(&house.send(twice), 400, "invalid_request");
    assert_eq!(house.send(at("GET", "/health")).status, 200, "ping needs nobody");
}

#[test]
fn a_missing_scope_is_403_and_named() {
    let house = Served::open();
    let reader = house.house.token("journal:read");
    let reply = house.send(send("POST", "/meals", &meal()).bearer(&reader));
    refused(&reply, 403, "insufficient_scope");
    let challenge = reply.header("www-authenticate").expect("a challenge");
    assert!(challenge.starts_with("Bearer error=\"insufficient_scope\", "), "{challenge}");
    assert!(challenge.ends_with("scope=\"journal\""), "{challenge}");
}

#[test]
fn another_persons_row_answers_like_none() {
    let house = Served::open();
    let id = house.ask(send("POST", "/meals", &meal())).json()["id"].as_i64().expect("an id");
    house.house.person(BRUNO, "Bruno");
    let bruno = house.house.token_of(BRUNO, "profile journal");
    let foreign = house.send(at("DELETE", &format!("/meals/{id}?confirm=true")).bearer(&bruno));
    let body = refused(&foreign, 404, "not_found");
    let absent = house.send(at("DELETE", "/meals/4711?confirm=true").bearer(&bruno));
    assert_eq!(absent.text().replace("4711", &id.to_string()), foreign.text());
    assert_eq!((&body["what"], &body["id"]), (&json!("meal"), &json!(id)));
}

#[test]
fn every_wrong_field_is_named_in_schema_order() {
    let house = Served::open();
    let reply = house.ask(send("POST", "/meals", &json!({"kcal": "500", "colour": 1})));
    let body = refused(&reply, 422, "invalid_input");
    let fault = |field: &str, reason: &str| json!({"field": field, "reason": reason});
    let fields = body["fields"].as_array().expect("fields");
    assert_eq!(fields[0], fault("kcal", "Expected number, received string"));
    assert_eq!(fields[1], fault("protein_g", "Required"));
    assert_eq!(fields.last().map(|fault| fault["field"].clone()), Some(json!("colour")));
}

#[test]
fn a_body_that_is_no_json_object_is_400() {
    let house = Served::open();
    let post = |body: &str| house.ask(at("POST", "/meals").with("Content-Type", "application/json").body(body));
    for body in ["{\"kcal\": NaN}", "{\"kcal\": 1, \"kcal\": 2}", "{\"kcal\": 1e999}", "[1]", "\"x\"", "{", "{} {}"] {
        refused(&post(body), 400, "invalid_json");
    }
    refused(&post(&format!("{}1{}", "[".repeat(300), "]".repeat(300))), 400, "invalid_json");
    let huge = post(r#"{"kcal": 99999999999999999999, "protein_g": 1, "carb_g": 1, "fat_g": 1}"#);
    assert_eq!(refused(&huge, 422, "invalid_input")["fields"][0]["field"], "kcal");
    assert_eq!(refused(&post(""), 422, "invalid_input")["fields"][0]["field"], "kcal", "no body is an empty one");
}

#[test]
fn a_parameter_given_twice_is_400() {
    let house = Served::open();
    refused(&house.ask(at("GET", "/meals?limit=1&limit=2")), 400, "ambiguous_parameter");
    refused(&house.ask(at("DELETE", "/meals/1?confirm=true&meal_id=2")), 400, "ambiguous_parameter");
    refused(&house.ask(send("PATCH", "/meals/1", &json!({"meal_id": 2}))), 400, "ambiguous_parameter");
    refused(&house.ask(at("GET", "/meals?cursor=%ff")), 400, "invalid_request");
}

#[test]
fn large_foreign_and_compressed_bodies_are_refused() {
    let house = Served::open();
    let padded = format!("{{\"notes\": \"{}\"}}", "x".repeat(1 << 20));
    refused(&house.ask(at("POST", "/meals").body(padded.clone())), 413, "payload_too_large");
    refused(&house.ask(at("POST", "/meals").body(padded).chunked()), 413, "payload_too_large");
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        let reply = house.ask(at("POST", "/meals").with("Content-Type", kind).body("kcal=1"));
        refused(&reply, 415, "unsupported_media_type");
    }
    refused(
        &house.ask(send("POST", "/meals", &meal()).with("Content-Encoding", "gzip")),
        415,
        "unsupported_media_type",
    );
    let reply = house.ask(send("POST", "/meals", &meal()).set("Content-Type", "Application/JSON; charset=utf-8"));
    assert_eq!(reply.status, 201, "parameters are allowed");
    assert_eq!(house.ask(at("POST", "/meals").body(meal().to_string())).status, 201, "no type counts as JSON");
}

#[test]
fn unknown_paths_and_methods_are_told_in_json() {
    let house = Served::open();
    for path in ["/api/v1/nope", "/api/v2/meals", "/api/v1/meals/", "/nope", "/"] {
        refused(&house.ask(Exchange::new("GET", path)), 404, "unknown_route");
    }
    let reply = house.ask(at("PUT", "/meals"));
    refused(&reply, 405, "method_not_allowed");
    assert_eq!(reply.header("allow"), Some("GET, HEAD, OPTIONS, POST"));
    refused(&house.ask(at("POST", "/openapi.json")), 405, "method_not_allowed");
}

#[test]
fn an_unclaimed_instance_names_the_commands_until_it_has_an_owner() {
    let house = House::unclaimed();
    let server = house.serve();
    for exchange in [at("GET", "/meals"), at("GET", "/health"), at("GET", "/nope"), Exchange::new("POST", "/mcp")] {
        let reply = exchange.send(server.address);
        let body = refused(&reply, 503, "unclaimed");
        assert_eq!(reply.header("retry-after"), Some("30"));
        let commands = body["commands"].to_string();
        assert!(commands.contains("almanac create-person ") && commands.contains("almanac create-access-token "));
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(Exchange::new("GET", path).send(server.address).status, 200, "{path}");
    }
    house.person(crate::house::ANA, "Ana");
    let token = house.token("journal");
    assert_eq!(at("GET", "/meals").bearer(&token).send(server.address).status, 200, "without a restart");
}
