use serde_json::json;
use storage::testing::TestEngine;

use crate::house::House;

async fn a_new_person_misses_everything_but_a_name(engine: TestEngine) {
    let house = House::on(engine).await;
    let user = house.call("get_user_profile", json!({})).await["user"].clone();
    assert_eq!(
        (&user["name"], &user["email"], &user["is_admin"]),
        (&json!("Ana"), &json!("ana@example.org"), &json!(true))
    );
    assert_eq!(
        (&user["timezone"], &user["timezone_set"], &user["day_start_hour"]),
        (&json!("UTC"), &json!(false), &json!(4))
    );
    assert_eq!((&user["preferred_unit_system"], &user["drink_standard"]), (&json!("metric"), &json!("us")));
    assert_eq!(user["missing"], json!(["timezone", "dob", "height_cm", "sex", "activity_level"]));
    assert_eq!((&user["dob"], &user["age"], &user["about_me"]), (&json!(null), &json!(null), &json!(null)));
}

async fn what_is_told_is_kept_and_the_rest_stays(engine: TestEngine) {
    let house = House::on(engine).await;
    let input = json!({"dob": "1990-05-26", "height_cm": 172.5, "sex": "female", "about_me": " Vegetarian.\u{7} "});
    let answer = house.call("update_user_profile", input).await;
    assert_eq!(answer["changed"], json!(["dob", "height_cm", "sex", "about_me"]));
    assert_eq!(answer["summary"], "Changed dob, height_cm, sex, about_me in the profile.");
    let user = &answer["user"];
    assert_eq!(
        (&user["age"], &user["height_cm"], &user["about_me"]),
        (&json!(35), &json!(172.5), &json!("Vegetarian."))
    );
    assert_eq!((&user["name"], &user["missing"]), (&json!("Ana"), &json!(["timezone", "activity_level"])));
    assert!(answer["change_id"].is_i64() && answer.get("pinned").is_none());
    assert_eq!(answer["next"], "get_macros_today");
    let cleared = house.call("update_user_profile", json!({"clear": ["dob"], "sex": null})).await;
    assert_eq!((&cleared["user"]["dob"], &cleared["user"]["sex"]), (&json!(null), &json!(null)));
    assert_eq!(cleared["user"]["height_cm"], json!(172.5));
}

async fn a_new_zone_holds_for_its_own_answer_and_pins_what_is_there(engine: TestEngine) {
    let house = House::on(engine).await;
    house.note("one").await;
    house.note("two").await;
    let answer = house.call("update_user_profile", json!({"timezone": "Pacific/Kiritimati"})).await;
    assert_eq!(
        answer["_meta"],
        json!({
            "server_now": "2026-05-26T02:00:00+14:00",
            "user_tz": "Pacific/Kiritimati",
            "untrusted_fields": ["user.name", "user.about_me"],
        })
    );
    assert_eq!(answer["pinned"], 2);
    assert!(answer["summary"].as_str().unwrap().ends_with("The 2 entries made so far stay on their days."));
    assert_eq!(answer["warnings"], json!([]));
    let later = house.call("update_user_profile", json!({"day_start_hour": 1})).await;
    assert_eq!(later["pinned"], 2);
    assert_eq!(later["warnings"][0]["code"], "today_moved");
    assert_eq!(later["warnings"][0]["message"], "It is 2026-05-26 (Tue) for the person now, no longer 2026-05-25.");
}

async fn setting_the_zone_to_utc_counts_as_setting_it(engine: TestEngine) {
    let house = House::on(engine).await;
    let answer = house.call("update_user_profile", json!({"timezone": "utc"})).await;
    assert_eq!((&answer["changed"], &answer["user"]["timezone_set"]), (&json!(["timezone"]), &json!(true)));
    let again = house.call("update_user_profile", json!({"timezone": "UTC"})).await;
    assert_eq!((&again["changed"], &again["change_id"], &again["undo"]), (&json!([]), &json!(null), &json!(null)));
    assert_eq!(again["user"]["version"], answer["user"]["version"]);
}

async fn an_update_for_an_older_version_is_refused_with_the_current_row(engine: TestEngine) {
    let house = House::on(engine).await;
    let first =
        house.call("update_user_profile", json!({"name": "Anna", "height_cm": 170, "expected_version": 1})).await;
    assert_eq!(first["user"]["version"], 3);
    let body = house.refused("update_user_profile", json!({"name": "Anne", "expected_version": 1})).await;
    assert_eq!((&body["error"], &body["current"]["name"]), (&json!("version_conflict"), &json!("Anna")));
    let undone = house.call("undo_change", json!({"change_id": first["change_id"]})).await;
    assert_eq!(undone["rows"].as_array().unwrap().len(), 2);
    let user = house.call("get_user_profile", json!({})).await["user"].clone();
    assert_eq!((&user["name"], &user["height_cm"], &user["version"]), (&json!("Ana"), &json!(null), &json!(5)));
}

async fn every_wrong_field_is_named(engine: TestEngine) {
    let house = House::on(engine).await;
    let input = json!({"name": " ", "timezone": "Toronto", "day_start_hour": 7, "dob": "2027-01-01", "height_cm": 49});
    let body = house.refused("update_user_profile", input).await;
    assert_eq!(body["error"], "invalid_input");
    assert_eq!(
        body["message"],
        "timezone: is not an IANA time zone; day_start_hour: must be ≤ 6; height_cm: must be ≥ 50"
    );
    let rules = house.refused("update_user_profile", json!({"name": " ", "dob": "2027-01-01"})).await;
    assert_eq!(rules["message"], "name: must be 1 to 100 characters; dob: is in the future");
    let old = house.refused("update_user_profile", json!({"dob": "1905-01-01"})).await;
    assert_eq!(old["message"], "dob: is more than 120 years ago");
    for nothing in [json!({}), json!({"expected_version": 1})] {
        assert_eq!(house.refused("update_user_profile", nothing).await["message"], "name: nothing to change");
    }
    assert_eq!(house.refused("update_user_profile", json!({"name": null})).await["message"], "name: cannot be cleared");
}

async fn the_next_step_is_one_that_the_caller_may_take(engine: TestEngine) {
    let house = House::on(engine).await;
    let caller = house.through_token("profile").await;
    let answer = house.call_as(&caller, "update_user_profile", json!({"name": "Anna"})).await;
    assert_eq!(answer.get("next"), None);
}

storage::on_both_engines! {
    a_new_person_misses_everything_but_a_name,
    what_is_told_is_kept_and_the_rest_stays,
    a_new_zone_holds_for_its_own_answer_and_pins_what_is_there,
    setting_the_zone_to_utc_counts_as_setting_it,
    an_update_for_an_older_version_is_refused_with_the_current_row,
    every_wrong_field_is_named,
    the_next_step_is_one_that_the_caller_may_take,
}
