//! Settings of the built binary.

use std::process::Stdio;

use crate::house::{House, said};

#[test]
fn wrong_settings_stop_the_start_and_are_all_named() {
    let house = House::unclaimed();
    let mut command = house.almanac();
    command.args(["serve", "--listen", "nowhere"]).env("ALMANAC_BASE_URL", "http://almanac.example");
    command.env("ALMANAC_ANONYMOUS", "perhaps").stdin(Stdio::null());
    let output = command.output().expect("almanac runs");
    assert_eq!(output.status.code(), Some(2));
    let text = said(&output);
    for part in ["--listen must be", "ALMANAC_BASE_URL must be", "ALMANAC_ANONYMOUS must be"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_file_in_the_data_folder_is_read() {
    let house = House::build();
    std::fs::write(house.folder().join("almanac.conf"), "domains = account\n").expect("written");
    let output = house.almanac().args(["get-meals"]).output().expect("almanac runs");
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    std::fs::write(house.folder().join("almanac.conf"), "colour = blue\n").expect("written");
    let output = house.almanac().args(["get-meals"]).output().expect("almanac runs");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[test]
fn a_starting_server_says_where_it_is_and_never_a_secret() {
    let house = House::unclaimed();
    let server = house.serve_with(&[("ALMANAC_MCP_CLIENT_TOKEN", "alm_secret"), ("ALMANAC_LOG_LEVEL", "debug")]);
    let log = server.log();
    assert!(log.contains(&format!("http://localhost:{}", server.address.port())), "{log}");
    assert!(log.contains(" create-person ") && log.contains(" create-access-token "), "{log}");
    assert!(log.contains("claude mcp add --transport http almanac "), "{log}");
    assert!(!log.contains("alm_secret"), "{log}");
}
