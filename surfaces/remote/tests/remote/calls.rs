use remote::{Accept, Remote};
use serde_json::{Map, Value, json};

use crate::{
    operations::{get_thing, make_thing, mark_day},
    server::{Server, answer, json},
};

fn input(value: Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

#[tokio::test]
async fn path_parameters_leave_the_input_and_the_rest_is_the_query() {
    let server = Server::saying(vec![json(200, r#"{"ok": true}"#)]).await;
    let remote = Remote::new(&server.base, Some("alm_x")).unwrap();
    let asked = input(json!({"thing_id": "a/b ä", "words": "x & y=z", "names": ["p", "q"], "none": null}));
    let reply = remote.call(&get_thing(), asked, None, Accept::Json).await.unwrap();
    assert_eq!((reply.status, &reply.body["ok"]), (200, &json!(true)));
    let seen = server.seen().remove(0).to_ascii_lowercase();
    let line = "get /api/v1/things/a%2fb%20%c3%a4?words=x%20%26%20y%3dz&names=%5b%22p%22%2c%22q%22%5d http/1.1\r\n";
    assert!(seen.starts_with(line), "{seen}");
    assert!(seen.contains("\r\nauthorization: bearer alm_x\r\n") && seen.contains("\r\naccept: application/json\r\n"));
}

#[tokio::test]
async fn a_write_sends_a_json_body_and_its_key() {
    let server = Server::saying(vec![json(201, r#"{"id": 1}"#)]).await;
    let remote = Remote::new(&format!("{}/api/", server.base), None).unwrap();
    let reply = remote.call(&make_thing(), input(json!({"words": "a"})), Some("k-1"), Accept::Json).await.unwrap();
    assert!(reply.is_success());
    let seen = server.seen().remove(0);
    assert!(
        seen.starts_with("POST /api/v1/things HTTP/1.1\r\n") && seen.ends_with("\r\n\r\n{\"words\":\"a\"}"),
        "{seen}"
    );
    assert!(seen.contains("\r\nidempotency-key: k-1\r\n") && !seen.contains("authorization"), "{seen}");
}

#[tokio::test]
async fn an_optional_date_that_is_left_out_is_today() {
    let server = Server::saying(vec![json(200, "{}"), json(200, "{}")]).await;
    let remote = Remote::new(&server.base, None).unwrap();
    remote.call(&mark_day(), Map::new(), None, Accept::Json).await.unwrap();
    remote.call(&mark_day(), input(json!({"date": "2026-05-25"})), None, Accept::Json).await.unwrap();
    let seen = server.seen();
    assert!(seen[0].starts_with("PATCH /api/v1/days/today/mark ") && seen[0].ends_with("\r\n\r\n{}"), "{seen:?}");
    assert!(seen[1].starts_with("PATCH /api/v1/days/2026-05-25/mark "), "{seen:?}");
}

#[tokio::test]
async fn both_halves_of_an_answer_are_told_apart() {
    let kind = "Content-Type: application/vnd.almanac.answer+json\r\nAlmanac-Version: 9.9.9\r\n";
    let server = Server::saying(vec![answer(200, kind, r#"{"text": "one", "data": {"n": 1}}"#)]).await;
    let remote = Remote::new(&server.base, None).unwrap();
    let asked = input(json!({"thing_id": "1"}));
    let reply = remote.call(&get_thing(), asked, None, Accept::Answer).await.unwrap();
    assert_eq!(
        (reply.text.as_deref(), &reply.body["n"], reply.version.as_deref()),
        (Some("one"), &json!(1), Some("9.9.9"))
    );
}

#[tokio::test]
async fn whom_the_token_stands_for_is_read() {
    let body = r#"{"person": {"id": 7, "name": "Ana", "email": "a@example.org", "state": "active"}, "scopes": ["journal:read"], "could_add": []}"#;
    let server = Server::saying(vec![json(200, body), json(401, r#"{"error": "invalid_token"}"#)]).await;
    let remote = Remote::new(&server.base, Some("alm_x")).unwrap();
    let me = remote.me().await.unwrap().unwrap();
    assert_eq!((me.id, me.scopes.to_string().as_str()), (7, "journal:read"));
    assert_eq!(remote.me().await.unwrap().unwrap_err().code(), Some("invalid_token"));
}
