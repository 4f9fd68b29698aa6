use identity::command_line;
use operation::{ActorKind, Failure};
use storage::testing::TestEngine;

use crate::house::{House, NOON, scopes};

async fn a_credential_opens_what_was_granted_as_far_as_the_server_has_it(engine: TestEngine) {
    let house = House::on(engine).await;
    let ana = house.create("ana@example.org").await.unwrap();
    let (token, id) = house.token(ana, "journal:read kitchen lab", None, command_line()).await;
    let caller = house.caller(&token, NOON).await.unwrap();
    assert_eq!(caller.scopes, scopes("journal:read"));
    assert_eq!(caller.could_add, scopes("profile journal"));
    assert_eq!((caller.actor.kind, caller.actor.id), (ActorKind::AccessToken, id));
    assert_eq!(caller.person.unwrap().id, ana);
    assert_eq!((caller.day.zone.name(), caller.day.day_start_hour), ("America/Toronto", 4));
}

async fn an_unknown_or_foreign_credential_is_refused_with_the_same_text(engine: TestEngine) {
    let house = House::on(engine).await;
    house.create("ana@example.org").await.unwrap();
    let unknown = identity::Credential::new_access_token().unwrap();
    let foreign = identity::Credential::received("almat_x");
    for credential in [unknown, foreign] {
        let body = house.caller(&credential, NOON).await.unwrap_err().body(0);
        assert_eq!(body["error"], "invalid_token");
        assert_eq!(body["message"], "This token is not valid here: it is unknown, expired or revoked.");
    }
}

async fn a_token_ends_when_it_expires(engine: TestEngine) {
    let house = House::on(engine).await;
    let ana = house.create("ana@example.org").await.unwrap();
    let end = NOON.plus_seconds(3600);
    let (token, _) = house.token(ana, "journal", Some(end), command_line()).await;
    assert_eq!(house.caller(&token, end.plus_seconds(-1)).await.unwrap().expires_at, Some(end));
    assert!(matches!(house.caller(&token, end).await, Err(Failure::InvalidCredential(_))));
}

async fn the_state_and_zone_of_a_person_hold_from_the_next_call_on(engine: TestEngine) {
    let house = House::on(engine).await;
    let ana = house.create("ana@example.org").await.unwrap();
    let (token, _) = house.token(ana, "journal", None, command_line()).await;
    house.rows("UPDATE profile SET timezone = 'Asia/Tokyo', version = version + 1 RETURNING id").await;
    assert_eq!(house.caller(&token, NOON).await.unwrap().day.zone.name(), "Asia/Tokyo");
    house.rows("UPDATE person SET state = 'pending' RETURNING id").await;
    assert_eq!(house.caller(&token, NOON).await.unwrap().person.unwrap().state, "pending");
    house.rows("UPDATE person SET state = 'suspended' RETURNING id").await;
    assert!(matches!(house.caller(&token, NOON).await, Err(Failure::InvalidCredential(_))));
}

async fn the_command_line_may_do_all_that_its_person_may(engine: TestEngine) {
    let house = House::on(engine).await;
    house.create("ana@example.org").await.unwrap();
    let caller = house.on_host(None).await.unwrap();
    assert_eq!(caller.scopes, scopes("profile journal"));
    assert!(caller.could_add.is_empty());
    assert_eq!(caller.actor, command_line());
}

storage::on_both_engines! {
    a_credential_opens_what_was_granted_as_far_as_the_server_has_it,
    an_unknown_or_foreign_credential_is_refused_with_the_same_text,
    a_token_ends_when_it_expires,
    the_state_and_zone_of_a_person_hold_from_the_next_call_on,
    the_command_line_may_do_all_that_its_person_may,
}
