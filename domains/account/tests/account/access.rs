use serde_json::json;
use storage::testing::TestEngine;

use crate::house::{House, refusal};

async fn access_says_who_through_what_and_how_far(engine: TestEngine) {
    let house = House::on(engine).await;
    let made = json!({"name": "reader", "scopes": "journal:read", "expires_in_days": 1});
    let (token, id) = house.token(&house.person("ana").await, made).await;
    let access = house.call_as(&house.holder(&token).await, "get_my_access", json!({})).await;
    assert_eq!(access["person"], json!({"id": 1, "name": "Ana", "email": "ana@example.org", "state": "active"}));
    assert_eq!(access["actor"], json!({"kind": "access_token", "id": id, "name": "reader"}));
    assert_eq!((&access["scopes"], &access["could_add"]), (&json!(["journal:read"]), &json!(["profile", "journal"])));
    assert_eq!(access["expires_at"], "2026-05-26T12:00:00+00:00");
    assert_eq!(access["base_url"], "http://localhost:8787");
}

async fn a_pending_person_is_told_to_wait(engine: TestEngine) {
    let house = House::on(engine).await;
    let mut caller = (*house.person("ben").await).clone();
    caller.person.as_mut().unwrap().state = "pending".into();
    let body = refusal(house.try_as(&caller.into(), "get_my_access", json!({})).await);
    assert_eq!(body["error"], "account_not_ready");
}

async fn ping_answers_anybody(engine: TestEngine) {
    let house = House::on(engine).await;
    let visitor = operation::Caller::visitor("api").into();
    let pong = house.call_as(&visitor, "ping", json!({})).await;
    assert_eq!((&pong["ok"], &pong["version"]), (&json!(true), &json!(env!("CARGO_PKG_VERSION"))));
    assert_eq!(pong["migrations_applied"], 4, "of storage, engine, identity and notes");
}

storage::on_both_engines! {
    access_says_who_through_what_and_how_far,
    a_pending_person_is_told_to_wait,
    ping_answers_anybody,
}
