//! Operations that ask another server, which behaves and misbehaves.

use std::{
    io::{Read, Write},
    net::TcpListener,
    thread,
    time::Duration,
};

use serde_json::json;

use crate::{notes::intents, on_both};

/// A server that answers by path: `/good` well, the others as servers do on bad days.
fn server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            thread::spawn(move || {
                let mut request = [0_u8; 1024];
                let read = socket.read(&mut request).unwrap_or(0);
                let request = String::from_utf8_lossy(&request[..read]).into_owned();
                let answer = match request.split(' ').nth(1) {
                    Some("/good") => "HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\ngood",
                    Some("/short") => "HTTP/1.0 200 OK\r\nContent-Length: 400\r\n\r\nhalf an ans",
                    Some("/error") => "HTTP/1.0 500 No\r\nContent-Length: 2\r\n\r\nno",
                    Some("/silent") => return thread::sleep(Duration::from_secs(5)),
                    _ => "",
                };
                let _ = socket.write_all(answer.as_bytes()); // the other side may have left
            });
        }
    });
    port
}

on_both! {
    async fn a_good_answer_is_settled_and_can_be_taken_back(almanac: TestAlmanac) {
        let note = almanac.call("fetch_note", json!({"port": server(), "path": "/good"})).await;
        assert_eq!(note["summary"], "Wrote good after 0");
        assert!(note["change_id"].is_i64());
        assert_eq!(intents(&almanac.engine, 1).await, 1);
    }

    async fn a_server_that_fails_leaves_the_intent_and_no_row(almanac: TestAlmanac) {
        let port = server();
        for (number, (path, said)) in [
            ("/short", "the other server broke off"),
            ("/error", "the other server refused"),
            ("/close", "the other server broke off"),
            ("/silent", "the other server does not answer"),
        ]
        .into_iter()
        .enumerate()
        {
            let body = almanac.refused("fetch_note", json!({"port": port, "path": path})).await;
            assert_eq!((body["error"].as_str(), body["message"].as_str()), (Some("unavailable"), Some(said)), "{path}");
            assert_eq!(intents(&almanac.engine, 1).await, i64::try_from(number).unwrap() + 1);
        }
        assert_eq!(almanac.call("list_notes", json!({})).await["total"], 0);
    }

    async fn writers_go_on_while_the_other_server_is_silent(almanac: TestAlmanac) {
        let port = server();
        let (slow, quick) = tokio::join!(almanac.try_call("fetch_note", json!({"port": port, "path": "/silent"})), async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            almanac.call("write_note", json!({"text": "meanwhile"})).await
        });
        assert!(slow.is_err());
        assert_eq!(quick["notes"], 1);
    }
}
