//! Case 31 and refusals that are no input fault.

use serde_json::{Value, json};

use crate::{
    house::{BRUNO, Served},
    rpc::{self, Era},
};

#[test]
fn case_31_an_unknown_resource_is_refused_in_the_form_of_the_era() {
    let house = Served::open();
    let uri = "almanac://nope";
    for (era, code) in [(Era::Legacy, -32002), (Era::Modern, -32602)] {
        let reply = house.ask(era.request("resources/read", json!({"uri": uri})));
        assert_eq!((reply.status, reply.code()), (200, Some(code)), "{}", reply.text());
        assert_eq!(reply.json()["error"]["data"]["uri"], uri);
    }
    let listed = house.ask(rpc::legacy("resources/list", json!({}))).result();
    for resource in listed["resources"].as_array().expect("resources") {
        let read = house.ask(rpc::legacy("resources/read", json!({"uri": resource["uri"]}))).result();
        assert_eq!(read["contents"][0]["uri"], resource["uri"]);
    }
}

#[test]
fn another_persons_row_answers_byte_for_byte_like_none() {
    let house = Served::open();
    let meal = json!({"kcal": 500, "protein_g": 25, "carb_g": 50, "fat_g": 18});
    let id = house.done("log_meal", meal)["id"].as_i64().expect("an id");
    house.house.person(BRUNO, "Bruno");
    let bruno = house.house.token_of(BRUNO, crate::house::ALL);
    for (tool, input) in [("delete_meal", json!({"confirm": true})), ("update_meal", json!({"kcal": 1}))] {
        let [his, none] = [id, 999_999].map(|id| {
            let mut input = input.clone();
            input["meal_id"] = json!(id);
            house
                .send(Era::Legacy.call(tool, input).bearer(&bruno))
                .text()
                .replace(&format!(r#"\"id\":{id}}}"#), r#"\"id\":ID}"#)
        });
        assert_eq!(his, none, "{tool}");
        assert!(his.contains(r#"\"error\":\"not_found\""#), "{his}");
    }
    assert_eq!(house.meals().len(), 1);
}

#[test]
fn a_refusal_is_the_same_json_as_over_rest() {
    let house = Served::open();
    let said: Value =
        serde_json::from_str(&house.refused("delete_meal", json!({"meal_id": 77, "confirm": true}))).expect("JSON");
    let rest = house.ask(crate::wire::Exchange::new("DELETE", "/api/v1/meals/77?confirm=true"));
    assert_eq!((rest.status, rest.json()), (404, said.clone()));
    assert_eq!(said["error"], "not_found");
    assert!(said.get("_meta").is_none());
}
