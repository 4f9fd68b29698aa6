use operation::Failure;
use storage::{Value, testing::TestEngine};

use crate::house::House;

async fn the_first_person_is_the_owner_and_claims_the_instance_for_good(engine: TestEngine) {
    let house = House::on(engine).await;
    assert!(!house.is_claimed().await);
    let ana = house.create("ana@example.org").await.unwrap();
    let ben = house.create("ben@example.org").await.unwrap();
    assert!(house.is_claimed().await);
    let owner = house.on_host(None).await.unwrap().person.unwrap();
    assert_eq!((owner.id, owner.is_admin, owner.name.as_str()), (ana, true, "ana"));
    let other = house.on_host(Some("ben@example.org")).await.unwrap().person.unwrap();
    assert_eq!((other.id, other.is_admin), (ben, false));
    let events = house.rows("SELECT owner, kind, actor_kind FROM account_event ORDER BY id").await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].0, [Value::Integer(ana), "setup_claimed".into(), "cli".into()]);
    house.rows("DELETE FROM person WHERE is_admin = 1 RETURNING id").await;
    assert!(house.is_claimed().await);
}

async fn an_address_belongs_to_one_person_in_every_spelling(engine: TestEngine) {
    let house = House::on(engine).await;
    house.create("ana@bücher.example").await.unwrap();
    let Err(Failure::Refused(refused)) = house.create(" ANA@xn--bcher-kva.example").await else { panic!("made twice") };
    assert_eq!((refused.code, refused.status), ("email_taken", 409));
    assert!(house.on_host(Some("Ana@BÜCHER.example")).await.is_ok());
}

async fn a_failed_creation_leaves_nothing_claimed(engine: TestEngine) {
    let house = House::on(engine).await;
    assert!(matches!(house.create("nobody").await, Err(Failure::Invalid(_))));
    assert!(!house.is_claimed().await);
    assert!(matches!(house.on_host(None).await, Err(Failure::Unavailable { .. })));
}

async fn an_unknown_address_is_not_found_on_the_host(engine: TestEngine) {
    let house = House::on(engine).await;
    house.create("ana@example.org").await.unwrap();
    for unknown in ["ben@example.org", "ben"] {
        let answer = house.on_host(Some(unknown)).await;
        assert!(matches!(answer, Err(Failure::NotFound { what: "person", .. })), "{answer:?}");
    }
}

storage::on_both_engines! {
    the_first_person_is_the_owner_and_claims_the_instance_for_good,
    an_address_belongs_to_one_person_in_every_spelling,
    a_failed_creation_leaves_nothing_claimed,
    an_unknown_address_is_not_found_on_the_host,
}
