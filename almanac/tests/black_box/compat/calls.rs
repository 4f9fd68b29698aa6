//! Cases 16 to 20 and 27: calls, their input, their refusals.

use serde_json::{Value, json};

use crate::{
    house::Served,
    rpc::{self, ERAS, Era},
};

const MEAL: &str = r#"{"kcal":500,"protein_g":25,"carb_g":50,"fat_g":18}"#;

fn meal() -> Value {
    serde_json::from_str(MEAL).expect("JSON")
}

#[test]
fn case_16_an_unknown_tool_is_named_in_the_form_of_the_era() {
    let house = Served::open();
    assert_eq!(house.refused("foo_bar", json!({})), "unknown tool: foo_bar");
    let modern = house.ask(Era::Modern.call("foo_bar", json!({})));
    assert_eq!((modern.status, modern.code()), (200, Some(-32602)));
    assert_eq!(modern.json()["error"]["message"], "unknown tool: foo_bar");
    let long = "x".repeat(500);
    assert_eq!(house.refused(&long, json!({})), format!("unknown tool: {}", "x".repeat(128)));
    assert_eq!(house.refused("a\u{7}b\nc", json!({})), "unknown tool: abc");
}

#[test]
fn case_16_an_operation_kept_off_mcp_is_an_unknown_tool() {
    let house = Served::open();
    let input = json!({"name": "stolen", "scopes": "journal"});
    assert_eq!(house.refused("create_access_token", input), "unknown tool: create_access_token");
}

#[test]
fn case_17_unusable_params_are_a_protocol_error() {
    let house = Served::open();
    for params in [
        json!({"name": "get_meals", "arguments": "{}"}),
        json!({"name": "get_meals", "arguments": []}),
        json!({"arguments": {}}),
        json!({"name": 7}),
        json!([]),
    ] {
        let legacy = house.ask(rpc::legacy("tools/call", params.clone()));
        assert_eq!((legacy.status, legacy.code()), (200, Some(-32602)), "{params}: {}", legacy.text());
        let message = legacy.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert!(message.starts_with("tools/call: "), "{message}");
    }
    let modern = house.ask(Era::Modern.call("get_meals", json!("{}")));
    assert_eq!((modern.status, modern.code()), (200, Some(-32602)));
}

#[test]
fn case_17_absent_and_null_arguments_are_none() {
    let house = Served::open();
    for params in [json!({"name": "get_macros_today"}), json!({"name": "get_macros_today", "arguments": null})] {
        assert_eq!(house.ask(rpc::legacy("tools/call", params)).result()["isError"], false);
    }
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#,
    ] {
        assert!(house.ask(rpc::post(body)).result()["tools"].is_array());
    }
}

#[test]
fn case_18_a_list_written_as_text_is_that_list() {
    let house = Served::open();
    let mut named = meal();
    named["name"] = json!("Lentils");
    let [first, second] = [600, 700].map(|kcal| {
        named["kcal"] = json!(kcal);
        house.done("log_meal", named.clone())["id"].clone()
    });
    house.done("update_meal", json!({"meal_id": first, "clear": ["name"]}));
    house.done("update_meal", json!({"meal_id": second, "clear": "[\"name\"]"}));
    for item in house.meals() {
        assert_eq!(item["name"], Value::Null, "{item}");
    }
}

#[test]
fn case_19_every_wrong_field_is_named_at_once_and_nothing_is_stored() {
    let house = Served::open();
    assert_eq!(
        house.refused("log_meal", json!({"kcal": "500"})),
        "tool log_meal input validation failed — kcal: Expected number, received string; protein_g: Required; \
         carb_g: Required; fat_g: Required"
    );
    let mut extra = meal();
    extra["calories"] = json!(500);
    let said = house.refused("log_meal", extra);
    assert!(said.starts_with("tool log_meal input validation failed — calories: Unknown parameter"), "{said}");
    let allowed = said.split_once("Allowed: ").expect("the allowed names").1;
    assert!(["kcal", "protein_g", "carb_g", "fat_g"].iter().all(|name| allowed.split(", ").any(|one| one == *name)));
    assert!(!said.contains("500"), "values sent are never echoed");
    assert_eq!(house.meals(), Vec::<Value>::new());
}

#[test]
fn case_20_a_delete_wants_a_yes() {
    let house = Served::open();
    let id = house.done("log_meal", meal())["id"].clone();
    for confirm in [None, Some(json!("true")), Some(json!(false)), Some(json!(1)), Some(Value::Null)] {
        let mut input = json!({"meal_id": id});
        if let Some(confirm) = confirm {
            input["confirm"] = confirm;
        }
        let said = house.refused("delete_meal", input);
        assert_eq!(said, "tool delete_meal input validation failed — confirm: Invalid literal value, expected true");
    }
    assert_eq!(house.meals().len(), 1);
    assert_eq!(house.done("delete_meal", json!({"meal_id": id, "confirm": true}))["deleted"], true);
    assert_eq!(house.meals().len(), 0);
}

#[test]
fn case_27_a_new_zone_shows_in_its_own_answer_and_in_the_next() {
    let house = Served::open();
    assert_eq!(house.done("get_macros_today", json!({}))["_meta"]["user_tz"], "America/Toronto");
    let changed = house.done("update_user_profile", json!({"timezone": "Asia/Tokyo"}));
    let next = house.done("get_macros_today", json!({}));
    for answer in [changed, next] {
        assert_eq!(answer["_meta"]["user_tz"], "Asia/Tokyo");
        assert!(answer["_meta"]["server_now"].as_str().is_some_and(|now| now.ends_with("+09:00")), "{answer}");
    }
}

#[test]
fn both_halves_carry_the_same_facts_and_meta_comes_last() {
    let house = Served::open();
    for era in ERAS {
        let result = house.ask(era.call("log_meal", meal())).result();
        assert_eq!(result["isError"], false);
        let text = result["content"][0]["text"].as_str().expect("text");
        let told: Value = serde_json::from_str(text).expect("the text is JSON");
        assert_eq!(told, result["structuredContent"]);
        assert_eq!(told.as_object().and_then(|answer| answer.keys().next_back()).map(String::as_str), Some("_meta"));
    }
}

#[test]
fn input_is_lenient_where_clients_err_and_nowhere_else() {
    let house = Served::open();
    let with = |name: &str, value: Value| {
        let mut input = meal();
        input[name] = value;
        input
    };
    for input in [with("kcal", json!(500.0)), with("name", Value::Null), with("idempotency_key", Value::Null)] {
        house.done("log_meal", input);
    }
    house.done("log_meal", with("name", json!("[1, 2]"))); // text that looks like JSON stays text
    assert!(house.meals().iter().any(|meal| meal["name"] == "[1, 2]"));
    for (name, value, reason) in [
        ("kcal", json!(500.5), "Expected integer, received float"),
        ("kcal", json!(-1), "must be ≥ 0"),
        ("kcal", Value::Null, "Required"),
        ("protein_g", json!([25]), "Expected number, received array"),
        ("zero_ok", json!("true"), "Expected boolean, received string"),
        ("name", json!(7), "Expected string, received number"),
        ("slot", json!("brunch"), "must be one of breakfast, lunch, dinner, snack"),
    ] {
        let said = house.refused("log_meal", with(name, value.clone()));
        assert_eq!(said, format!("tool log_meal input validation failed — {name}: {reason}"), "{value}");
    }
}
