use operation::Failure;
use serde_json::json;
use storage::{Row, params, testing::TestEngine};

use crate::house::{House, refusal};

async fn a_token_is_shown_once_and_works_until_revoked(engine: TestEngine) {
    let house = House::on(engine).await;
    let made =
        house.call("create_access_token", json!({"name": " display\u{7} ", "scopes": "openid journal lab"})).await;
    assert_eq!(
        (&made["scopes"], &made["name"], &made["expires_at"]),
        (&json!(["journal"]), &json!("display"), &json!(null))
    );
    assert_eq!((&made["change_id"], &made["undo"]), (&json!(null), &json!(null)));
    let token = made["token"].as_str().unwrap();
    assert!(token.starts_with("alm_") && token.len() == 47);
    house.holder(token).await;
    let listed = house.call("list_access_tokens", json!({})).await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
    assert!(!listed.to_string().contains(&token[4..]));
    let input = json!({"access_token_id": made["id"], "confirm": true});
    let revoked = house.call("revoke_access_token", input.clone()).await;
    assert_eq!(revoked["revoked_at"], "2026-05-25T12:00:00+00:00");
    let gone = house.engine.caller_of_credential(token, "api").await;
    assert!(matches!(gone, Err(Failure::InvalidCredential(_))));
    house.pass(60);
    let again = house.call("revoke_access_token", input).await;
    assert_eq!((&again["already_revoked"], &again["revoked_at"]), (&json!(true), &revoked["revoked_at"]));
    assert_eq!(house.call("list_access_tokens", json!({})).await["items"], json!([]));
}

async fn a_token_makes_only_weaker_ones_that_die_with_it(engine: TestEngine) {
    let house = House::on(engine).await;
    let first = json!({"name": "a", "scopes": "profile journal:read", "expires_in_days": 10});
    let (token, id) = house.token(&house.person("ana").await, first).await;
    let holder = house.holder(&token).await;
    for (stronger, field) in [
        (json!({"name": "b", "scopes": "journal"}), "journal"),
        (json!({"name": "b", "scopes": "profile kitchen:read"}), "kitchen:read"),
        (json!({"name": "b", "scopes": "profile", "expires_in_days": 11}), "expires"),
    ] {
        let body = refusal(house.try_as(&holder, "create_access_token", stronger).await);
        assert_eq!(body["error"], "only_weaker");
        assert!(body["message"].as_str().unwrap().contains(field), "{body}");
    }
    let made = house.call_as(&holder, "create_access_token", json!({"name": "b", "scopes": "journal:read"})).await;
    assert_eq!(made["expires_at"], "2026-06-04T12:00:00+00:00");
    let revoked = house.call("revoke_access_token", json!({"access_token_id": id, "confirm": true})).await;
    assert_eq!(revoked["also_revoked"], json!([made["id"]]));
    let child = made["token"].as_str().unwrap();
    assert!(house.engine.caller_of_credential(child, "api").await.is_err());
}

async fn scopes_of_areas_that_the_server_has_not_are_kept_with_a_word(engine: TestEngine) {
    let house = House::on(engine).await;
    let made = house.call("create_access_token", json!({"name": "a", "scopes": "journal kitchen:read"})).await;
    assert_eq!(made["scopes"], json!(["journal", "kitchen:read"]));
    let warning = made["warning"].as_str().unwrap();
    assert!(warning.starts_with("kitchen:read opens nothing here"), "{warning}");
    let plain = house.call("create_access_token", json!({"name": "b", "scopes": "journal profile:read"})).await;
    assert_eq!(plain.get("warning"), None);
}

async fn scopes_are_explicit_and_known(engine: TestEngine) {
    let house = House::on(engine).await;
    for (scopes, reason) in
        [("openid", "scopes: Required"), (" ", "scopes: Required"), ("jurnal", "scopes: must be names out of ")]
    {
        let body = house.refused("create_access_token", json!({"name": "x", "scopes": scopes})).await;
        assert!(body["message"].as_str().unwrap().starts_with(reason), "{body}");
    }
    let body = house.refused("create_access_token", json!({"name": " ", "scopes": "x", "expires_in_days": 366})).await;
    assert_eq!(body["message"], "expires_in_days: must be ≤ 365");
    let role = house.refused("create_access_token", json!({"name": "x", "scopes": "lab"})).await;
    assert_eq!(role["error"], "role_needed");
}

async fn no_more_than_fifty_are_live(engine: TestEngine) {
    let house = House::on(engine).await;
    let ana = house.person("ana").await;
    for number in 0..50 {
        house.token(&ana, json!({"name": format!("token {number}"), "scopes": "journal"})).await;
    }
    let body = house.refused("create_access_token", json!({"name": "x", "scopes": "journal"})).await;
    assert_eq!(body["error"], "too_many_tokens");
    let listed = house.call("list_access_tokens", json!({})).await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 50);
    assert!(listed.to_string().len() < 24_000);
}

async fn another_persons_token_is_not_there(engine: TestEngine) {
    let house = House::on(engine).await;
    let (_, id) = house.token(&house.person("ana").await, json!({"name": "x", "scopes": "journal"})).await;
    let ben = house.person("ben").await;
    let input = |id: i64| json!({"access_token_id": id, "confirm": true});
    let foreign = refusal(house.try_as(&ben, "revoke_access_token", input(id)).await);
    let mut unknown = refusal(house.try_as(&ben, "revoke_access_token", input(999)).await);
    unknown["id"] = json!(id);
    assert_eq!(foreign, unknown);
    let unsure = house.refused("revoke_access_token", json!({"access_token_id": id})).await;
    assert_eq!(unsure["message"], "confirm: Invalid literal value, expected true");
}

async fn making_and_revoking_is_kept_in_the_audit_without_the_secret(engine: TestEngine) {
    let house = House::on(engine).await;
    let (token, id) = house.token(&house.person("ana").await, json!({"name": "x", "scopes": "profile"})).await;
    let holder = house.holder(&token).await;
    let (_, child) = house.token(&holder, json!({"name": "y", "scopes": "profile"})).await;
    house.call_as(&holder, "revoke_access_token", json!({"access_token_id": id, "confirm": true})).await;
    let mut events = house
        .rows("SELECT kind, subject_id, actor_kind, actor_id FROM account_event WHERE subject_id > 0 ORDER BY id")
        .await;
    events[2..].sort_by_key(|event| event.get::<i64>(1).unwrap());
    let event = |kind: &str, subject: i64, actor: &str, by: i64| Row(params![kind, subject, actor, by].to_vec());
    assert_eq!(
        events,
        [
            event("access_token_created", id, "cli", 0),
            event("access_token_created", child, "access_token", id),
            event("access_token_revoked", id, "access_token", id),
            event("access_token_revoked", child, "access_token", id),
        ]
    );
    let kept = house.rows("SELECT * FROM account_event").await;
    assert!(!format!("{kept:?}").contains(&token[4..]));
}

storage::on_both_engines! {
    a_token_is_shown_once_and_works_until_revoked,
    a_token_makes_only_weaker_ones_that_die_with_it,
    scopes_of_areas_that_the_server_has_not_are_kept_with_a_word,
    scopes_are_explicit_and_known,
    no_more_than_fifty_are_live,
    another_persons_token_is_not_there,
    making_and_revoking_is_kept_in_the_audit_without_the_secret,
}
