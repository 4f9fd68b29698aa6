//! The check every surface runs, in the words of the MCP specification.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use calendar::{Date, EventTime};
use operation::{Confirm, Effect, FieldFault, Fields, Patch};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// Logs a lunch.
/// Second line of the same paragraph.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is looked at")]
struct Lunch {
    /// Energy in kcal, e.g. 500.
    #[schemars(range(min = 0, max = 10000))]
    kcal: i64,
    /// Protein in g.
    #[schemars(range(min = 0, max = 1000))]
    protein_g: f64,
    /// Hours slept before.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0, "multipleOf" = 0.5))]
    hours: Option<f64>,
    /// When.
    #[serde(default)]
    eaten_at: Option<EventTime>,
    /// Which day.
    #[serde(default)]
    date: Option<Date>,
    /// Which meal.
    #[serde(default)]
    slot: Option<Slot>,
    /// Its name.
    #[serde(default)]
    #[schemars(length(min = 1, max = 5))]
    name: Option<String>,
    /// What was in it.
    #[serde(default)]
    #[schemars(length(max = 2))]
    items: Option<Vec<Item>>,
    /// Also when empty.
    #[serde(default)]
    zero_ok: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Slot {
    /// In the morning.
    Breakfast,
    /// At noon.
    Lunch,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is looked at")]
struct Item {
    /// Weight in g.
    #[schemars(range(min = 1))]
    grams: i64,
}

/// Changes a lunch.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ChangeLunch {
    /// Which one.
    lunch_id: i64,
    /// Its name.
    #[serde(default)]
    name: Patch<String>,
    /// Energy in kcal.
    #[serde(default)]
    kcal: Option<i64>,
}

/// Deletes a lunch.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is looked at")]
struct DeleteLunch {
    /// Which one.
    lunch_id: i64,
    /// Must be true.
    confirm: Confirm,
}

fn lunch() -> Fields {
    Fields::of::<Lunch>(Effect::Creates).unwrap()
}

/// The faults as the sentence a model reads.
fn faults(fields: &Fields, input: Value) -> String {
    let faults: Vec<FieldFault> = fields.check(input).unwrap_err();
    operation::failure::sentence(&faults)
}

#[test]
fn all_wrong_fields_are_named_at_once_in_schema_order() {
    assert_eq!(faults(&lunch(), json!({"kcal": "500"})), "kcal: Expected number, received string; protein_g: Required");
}

#[test]
fn an_unknown_parameter_is_refused_with_the_allowed_names_and_a_near_one() {
    let said = faults(&lunch(), json!({"kcal": 1, "protein_g": 1, "kcla": 2}));
    let allowed = "kcal, protein_g, hours, eaten_at, date, slot, name, items, zero_ok";
    assert_eq!(said, format!("kcla: Unknown parameter; did you mean kcal? Allowed: {allowed}"));
    let said = faults(&lunch(), json!({"kcal": 1, "protein_g": 1, "beverages": 2}));
    assert_eq!(said, format!("beverages: Unknown parameter. Allowed: {allowed}"));
}

#[test]
fn an_unknown_name_is_cut_and_stripped_of_control_characters() {
    let name = format!("a\u{7}{}", "b".repeat(100));
    let faults = lunch().check(json!({"kcal": 1, "protein_g": 1, name: 2})).unwrap_err();
    assert_eq!(faults[0].field, format!("a{}", "b".repeat(63)));
}

#[test]
fn many_unknown_names_make_a_short_refusal() {
    let mut input = json!({"kcal": 1, "protein_g": 1});
    for number in 0..2000 {
        input[format!("unknown_{number:04}")] = json!(1);
    }
    let said = faults(&lunch(), input);
    assert!(said.len() < 2500, "{}", said.len());
    assert!(said.contains("unknown_0009: Unknown parameter") && !said.contains("unknown_0010"), "{said}");
    assert!(said.ends_with("; input: 1990 more unknown parameters"), "{said}");
    let items: Vec<Value> = (0..2000).map(|_| json!({"gram": 1})).collect();
    let said = faults(&lunch(), json!({"kcal": 1, "protein_g": 1, "items": items}));
    assert!(said.len() < 6000 && said.ends_with("more faults"), "{said}");
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its shape is read")]
struct Large {
    #[schemars(range(min = 1, max = 9_007_199_254_740_991_i64))]
    id: i64,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Nothing {}

#[test]
fn the_largest_whole_number_is_written_whole() {
    let fields = Fields::of::<Large>(Effect::Reads).unwrap();
    assert_eq!(faults(&fields, json!({"id": i64::MAX})), "id: must be ≤ 9007199254740991");
    assert_eq!(fields.schema()["properties"]["id"]["maximum"].to_string(), "9007199254740991");
}

#[test]
fn a_tool_without_inputs_says_so() {
    let said = faults(&Fields::of::<Nothing>(Effect::Reads).unwrap(), json!({"x": 1}));
    assert_eq!(said, "x: Unknown parameter; this tool takes none");
}

#[test]
fn bounds_say_their_limit() {
    let fields = lunch();
    let base = |name: &str, value: Value| {
        let mut input = json!({"kcal": 1, "protein_g": 1});
        input[name] = value;
        input
    };
    assert_eq!(faults(&fields, base("kcal", json!(-1))), "kcal: must be ≥ 0");
    assert_eq!(faults(&fields, base("kcal", json!(10001))), "kcal: must be ≤ 10000");
    assert_eq!(faults(&fields, base("kcal", json!(500.5))), "kcal: Expected integer, received float");
    assert_eq!(faults(&fields, base("hours", json!(0))), "hours: must be > 0");
    assert_eq!(faults(&fields, base("hours", json!(0.7))), "hours: must be a multiple of 0.5");
    assert_eq!(faults(&fields, base("slot", json!("tea"))), "slot: must be one of breakfast, lunch");
    assert_eq!(faults(&fields, base("name", json!(""))), "name: must be 1 to 5 characters");
    assert_eq!(faults(&fields, base("date", json!("2026-02-30"))), "date: is not a real date");
    assert_eq!(faults(&fields, base("date", json!("yesterday"))), "date: is not a date (YYYY-MM-DD)");
    let three = json!([{"grams": 1}, {"grams": 1}, {"grams": 1}]);
    assert_eq!(faults(&fields, base("items", three)), "items: must be 0 to 2 items");
}

#[test]
fn a_nested_fault_has_its_path() {
    let input = json!({"kcal": 1, "protein_g": 1, "items": [{"grams": 5}, {"grams": 0, "gram": 1}]});
    assert_eq!(
        faults(&lunch(), input),
        "items[1].grams: must be ≥ 1; items[1].gram: Unknown parameter; did you mean grams? Allowed: grams"
    );
}

#[test]
fn integral_floats_are_integers_and_json_texts_become_lists() {
    let checked =
        lunch().check(json!({"kcal": 5.0, "protein_g": 2, "items": "[{\"grams\":3.0}]", "name": "[1]"})).unwrap();
    assert_eq!(checked["kcal"].to_string(), "5");
    assert_eq!(checked["items"], json!([{"grams": 3}]));
    assert_eq!(checked["name"], "[1]", "a text is never parsed");
}

#[test]
fn null_is_absent_when_creating_and_missing_when_required() {
    assert!(!lunch().check(json!({"kcal": 1, "protein_g": 1, "name": null})).unwrap().contains_key("name"));
    assert_eq!(faults(&lunch(), json!({"kcal": null, "protein_g": 1})), "kcal: Required");
}

#[test]
fn null_or_clear_empties_a_field_of_an_update() {
    let fields = Fields::of::<ChangeLunch>(Effect::Changes).unwrap();
    for input in [json!({"lunch_id": 1, "name": null}), json!({"lunch_id": 1, "clear": ["name"]})] {
        let checked = fields.check(input).unwrap();
        let parsed: ChangeLunch = serde_json::from_value(Value::Object(checked)).unwrap();
        assert_eq!(parsed.name, Patch::Clear);
        assert_eq!((parsed.lunch_id, parsed.kcal), (1, None));
    }
    assert_eq!(faults(&fields, json!({"lunch_id": 1, "kcal": null})), "kcal: cannot be cleared");
    assert_eq!(faults(&fields, json!({"lunch_id": 1, "clear": ["kcal"]})), "clear[0]: must be one of name");
    let both = json!({"lunch_id": 1, "name": "x", "clear": ["name"]});
    assert_eq!(faults(&fields, both), "name: give exactly one of name, clear");
    let kept: ChangeLunch = serde_json::from_value(json!({"lunch_id": 1})).unwrap();
    assert!(kept.name.is_keep());
}

#[test]
fn confirm_must_be_the_literal_true() {
    let fields = Fields::of::<DeleteLunch>(Effect::Removes).unwrap();
    for confirm in [json!(null), json!("true"), json!(false), json!(1)] {
        let said = faults(&fields, json!({"lunch_id": 1, "confirm": confirm}));
        assert_eq!(said, "confirm: Invalid literal value, expected true");
    }
    assert_eq!(faults(&fields, json!({"lunch_id": 1})), "confirm: Invalid literal value, expected true");
    assert!(fields.check(json!({"lunch_id": 1, "confirm": true})).is_ok());
}

#[test]
fn the_schema_uses_the_portable_dialect_only() {
    let schema = lunch().schema();
    assert_eq!(schema["additionalProperties"], json!(false));
    assert_eq!(schema["required"], json!(["kcal", "protein_g"]));
    assert_eq!(
        schema["properties"]["kcal"],
        json!({"type": "integer", "minimum": 0, "maximum": 10000, "description": "Energy in kcal, e.g. 500."})
    );
    assert_eq!(
        schema["properties"]["slot"],
        json!({"type": "string", "enum": ["breakfast", "lunch"], "description": "Which meal."})
    );
    assert_eq!(schema["properties"]["eaten_at"], json!({"type": "string", "description": "When."}));
    assert_eq!(schema["properties"]["date"], json!({"type": "string", "format": "date", "description": "Which day."}));
    assert_eq!(schema["properties"]["hours"]["description"], "Hours slept before. More than 0. Steps of 0.5.");
    assert_eq!(schema["properties"]["items"]["items"]["type"], "object");
    assert_eq!(schema["properties"]["zero_ok"].get("default"), None);
    assert_eq!(lunch().docs, "Logs a lunch. Second line of the same paragraph.");
    let update = Fields::of::<ChangeLunch>(Effect::Changes).unwrap().schema();
    assert_eq!(update["properties"]["clear"]["items"], json!({"type": "string"}));
    assert_eq!(update["required"], json!(["lunch_id"]));
}

#[test]
fn the_whole_schema_holds_every_limit_that_is_checked() {
    let schema = lunch().whole_schema();
    let hours =
        json!({"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5, "description": "Hours slept before."});
    assert_eq!(schema["properties"]["hours"], hours);
    assert_eq!(schema["properties"]["zero_ok"]["default"], json!(false));
    let update = Fields::of::<ChangeLunch>(Effect::Changes).unwrap();
    assert_eq!(update.whole_schema()["properties"]["clear"]["items"]["enum"], json!(["name"]));
    assert!(faults(&update, json!({"lunch_id": 1, "clear": ["kcal"]})).starts_with("clear"));
}

#[test]
fn a_union_cannot_be_shown() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its shape is looked at")]
    struct Mixed {
        /// One or the other.
        either: Either,
    }
    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only its shape is looked at")]
    enum Either {
        Number(i64),
        Text(String),
    }
    let fault = Fields::of::<Mixed>(Effect::Reads).unwrap_err();
    assert!(fault.starts_with("either:"), "{fault}");
}

#[test]
fn no_text_keeps_a_null_character() {
    let checked = lunch().check(json!({"kcal": 1, "protein_g": 1, "name": "a\u{0}b"})).unwrap();
    assert_eq!(checked["name"], "ab");
    assert_eq!(
        faults(&lunch(), json!({"kcal": 1, "protein_g": 1, "name": "\u{0}"})),
        "name: must be 1 to 5 characters"
    );
}

#[test]
fn text_becomes_typed_and_separators_are_never_dropped() {
    let fields = lunch();
    let typed = |name: &str, text: &str| fields.from_text([(name, text)])[name].clone();
    assert_eq!(typed("kcal", "500"), json!(500));
    assert_eq!(typed("protein_g", "25,5"), json!(25.5));
    assert_eq!(typed("protein_g", "25.5"), json!(25.5));
    assert_eq!(typed("protein_g", "1,050.5"), json!("1,050.5"));
    for grouped in ["1,200", "12,500", "-1,200"] {
        assert_eq!(typed("protein_g", grouped), json!(grouped), "1200 or 1.2 cannot be told");
    }
    assert_eq!(typed("protein_g", "0,125"), json!(0.125));
    assert_eq!(typed("protein_g", "1,25"), json!(1.25));
    assert_eq!(typed("protein_g", "1.200"), json!(1.2));
    assert_eq!(typed("protein_g", "NaN"), json!("NaN"));
    assert_eq!(typed("zero_ok", "true"), json!(true));
    assert_eq!(typed("name", "12"), json!("12"));
    assert_eq!(typed("items", "[{\"grams\":1}]"), json!("[{\"grams\":1}]"));
}
