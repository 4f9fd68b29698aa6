//! Names, pages and headers.

use super::asking::{at, meal, send};
use crate::{house::Served, wire::Exchange};

#[test]
fn a_preflight_is_answered_before_anything_else() {
    let house = Served::open();
    for path in ["/api/v1/meals", "/api/v1/nope"] {
        let reply = house.send(Exchange::new("OPTIONS", path).with("Origin", "https://page.example"));
        assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, Some("*")));
        let headers = reply.header("access-control-allow-headers").expect("headers").to_ascii_lowercase();
        assert!(headers.contains("authorization") && headers.contains("idempotency-key"), "{headers}");
        assert_eq!(reply.header("access-control-allow-credentials"), None);
    }
}

#[test]
fn foreign_hosts_and_pages_are_refused_on_loopback() {
    let house = Served::open();
    for (name, value) in [("Host", "evil.example"), ("Origin", "https://evil.example"), ("Origin", "null")] {
        let reply = house.ask(at("GET", "/meals").set(name, value));
        assert_eq!((reply.status, reply.json()["error"].clone()), (403, "forbidden".into()), "{name}: {value}");
    }
    assert_eq!(house.ask(at("GET", "/meals").with("Origin", "http://localhost:3000")).status, 200);
    for path in ["/healthz", "/readyz"] {
        assert_eq!(house.send(Exchange::new("GET", path).set("Host", "evil.example")).status, 200, "{path}");
    }
}

#[test]
fn an_answer_is_the_callers_alone() {
    let house = Served::open();
    let reply = house.ask(at("GET", "/meals"));
    assert_eq!(reply.header("cache-control"), Some("private, no-cache"));
    let vary = reply.header("vary").expect("vary");
    assert!(vary.contains("Authorization") && vary.contains("Cookie"), "{vary}");
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    assert!(reply.header("access-control-expose-headers").is_some_and(|names| names.contains("WWW-Authenticate")));
    assert_eq!(reply.header("almanac-version"), Some(env!("CARGO_PKG_VERSION")));
}

#[test]
fn head_is_get_without_a_body() {
    let house = Served::open();
    let (get, head) = (house.ask(at("GET", "/profile")), house.ask(at("HEAD", "/profile")));
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), get.header("content-length"));
}

#[test]
fn a_server_that_is_told_to_stop_finishes_what_it_accepted() {
    let house = crate::house::House::build();
    let token = house.token("journal");
    let mut command = house.almanac();
    let address = crate::house::free_address();
    command.args(["serve", "--listen", &address.to_string()]).stderr(std::process::Stdio::null());
    let mut child = command.spawn().expect("almanac starts");
    for _ in 0..500 {
        if std::net::TcpStream::connect(address).is_ok() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // Half a request that is known to have been accepted, then the signal, then the other half.
    let body = meal().to_string();
    let head = format!(
        "POST /api/v1/meals HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = std::net::TcpStream::connect(address).expect("the server listens");
    use std::io::{Read as _, Write as _};
    stream.write_all(head.as_bytes()).expect("sent");
    let mut answer = [0; 25];
    stream.read_exact(&mut answer).expect("an interim answer");
    assert_eq!(&answer, b"HTTP/1.1 100 Continue\r\n\r\n");
    let kill = std::process::Command::new("sh").args(["-c", &format!("kill -TERM {}", child.id())]).status();
    assert!(kill.is_ok_and(|status| status.success()));
    std::thread::sleep(std::time::Duration::from_millis(300));
    stream.write_all(body.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert!(child.wait().expect("a child").success());
    let listed = house.run(&["get-meals", "--from-date", "2025-05-25", "--to-date", "2025-05-25"]);
    assert!(listed.contains("\"total\":1"), "{listed}");
}

#[test]
fn a_public_base_answers_its_own_name_only() {
    let house = crate::house::House::build();
    let token = house.token("journal");
    let server = house.serve_with(&[("ALMANAC_BASE_URL", "https://almanac.example"), ("ALMANAC_HOSTS", "inner")]);
    let ask = |host: &str| at("GET", "/users/me").bearer(&token).set("Host", host).send(server.address);
    assert_eq!(ask("almanac.example").json()["base_url"], "https://almanac.example");
    assert_eq!(ask("inner").status, 200);
    assert_eq!(ask("evil.example").status, 403);
    let page = send("POST", "/meals", &meal()).bearer(&token).set("Host", "almanac.example");
    assert_eq!(page.with("Origin", "https://claude.ai").send(server.address).status, 201);
}
