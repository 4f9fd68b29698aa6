use remote::{Accept, Fault, Remote, Reply};
use serde_json::{Map, json};

use crate::{
    operations::{get_thing, make_thing},
    server::{Server, answer, json},
};

async fn get(server: &Server) -> Result<Reply, Fault> {
    let input = Map::from_iter([("thing_id".to_owned(), json!("1"))]);
    Remote::new(&server.base, None).expect("a loopback address").call(&get_thing(), input, None, Accept::Json).await
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_once_more_where_that_is_safe() {
    let cut = "HTTP/1.1 200 X\r\nContent-Length: 50\r\n\r\n{\"half\":".to_owned();
    for lost in [String::new(), cut] {
        let server = Server::saying(vec![lost.clone(), json(200, r#"{"n": 2}"#)]).await;
        assert_eq!(get(&server).await.unwrap().body["n"], 2);
        assert_eq!(server.seen().len(), 2);
        let server = Server::saying(vec![lost.clone(), lost.clone(), json(200, "{}")]).await;
        assert!(matches!(get(&server).await, Err(Fault::Unreachable { .. })));
        assert_eq!(server.seen().len(), 2, "once");
        let server = Server::saying(vec![lost, json(200, "{}")]).await;
        let remote = Remote::new(&server.base, None).unwrap();
        let made = remote.call(&make_thing(), Map::new(), None, Accept::Json).await;
        assert!(matches!(made, Err(Fault::Unreachable { .. })), "{made:?}");
        assert_eq!(server.seen().len(), 1, "a call that may not be repeated is not");
    }
}

#[tokio::test]
async fn a_refusal_is_an_answer_and_comes_as_it_is() {
    let body = r#"{"error":"key_reused","message":"m","n":1}"#;
    let headers = "Content-Type: application/json\r\nRetry-After: 7\r\n";
    let server = Server::saying(vec![answer(409, headers, body)]).await;
    let reply = get(&server).await.unwrap();
    assert_eq!((reply.status, reply.code(), reply.retry_after_s), (409, Some("key_reused"), Some(7)));
    assert_eq!(serde_json::to_string(&reply.body).unwrap(), body);
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_a_page_is_no_answer() {
    let moved = answer(302, "Location: http://127.0.0.1:1/\r\n", "");
    let page = answer(200, "Content-Type: text/html\r\n", "<html>");
    for (said, status) in [(moved, 302), (page, 200), (json(200, "[1]"), 200), (json(307, "{}"), 307)] {
        let server = Server::saying(vec![said]).await;
        let fault = get(&server).await.unwrap_err();
        assert_eq!(fault, Fault::Foreign { status });
        assert!(fault.to_string().contains("API URL"), "{fault}");
    }
}

#[tokio::test]
async fn a_proxy_without_its_server_is_told_by_its_status() {
    let server = Server::saying(vec![answer(502, "Content-Type: text/html\r\n", "<html>bad gateway")]).await;
    let reply = get(&server).await.unwrap();
    assert_eq!((reply.status, reply.body.len(), reply.code()), (502, 0, None));
}

#[tokio::test]
async fn nobody_at_the_address_is_unreachable() {
    let remote = Remote::new("http://127.0.0.1:1", None).unwrap();
    let fault = remote.call(&make_thing(), Map::new(), None, Accept::Json).await.unwrap_err();
    let sentence = fault.to_string();
    assert!(sentence.starts_with("The Almanac server at http://127.0.0.1:1 cannot be reached ("), "{sentence}");
    let missing = remote.call(&get_thing(), Map::new(), None, Accept::Json).await;
    assert_eq!(missing, Err(Fault::Incomplete { parameter: "thing_id" }));
}

#[test]
fn what_cannot_be_sent_is_refused_at_once() {
    assert!(Remote::new("https://almanac.example", Some("alm_\nx")).is_err());
    assert!(Remote::new("http://almanac.example", Some("alm_x")).is_err());
}
