use identity::{access_token, command_line};
use operation::{Actor, ActorKind, Failure};
use storage::{Value, testing::TestEngine};

use crate::house::{House, NOON};

fn through(id: i64) -> Actor {
    Actor { kind: ActorKind::AccessToken, id, name: "test".into() }
}

async fn a_token_dies_with_the_one_it_was_made_through_at_any_remove(engine: TestEngine) {
    let house = House::on(engine).await;
    let ana = house.create("ana@example.org").await.unwrap();
    let ben = house.create("ben@example.org").await.unwrap();
    let (first, a) = house.token(ana, "journal", None, command_line()).await;
    let (second, b) = house.token(ana, "journal", None, through(a)).await;
    let (third, c) = house.token(ana, "journal", None, through(b)).await;
    let (beside, _) = house.token(ana, "journal", None, command_line()).await;
    let (other, _) = house.token(ben, "journal", None, through(a)).await;
    let mut died =
        house.write(move |tx| Box::pin(async move { access_token::revoke(tx, ana, a, NOON).await })).await.unwrap();
    died.sort_unstable();
    assert_eq!(died, [a, b, c]);
    for token in [first, second, third] {
        assert!(matches!(house.caller(&token, NOON).await, Err(Failure::InvalidCredential(_))));
    }
    assert!(house.caller(&beside, NOON).await.is_ok());
    assert!(house.caller(&other, NOON).await.is_ok());
}

async fn nobody_revokes_or_sees_another_persons_token(engine: TestEngine) {
    let house = House::on(engine).await;
    let ana = house.create("ana@example.org").await.unwrap();
    let ben = house.create("ben@example.org").await.unwrap();
    let (token, id) = house.token(ana, "journal", None, command_line()).await;
    let (seen, died) = house
        .write(move |tx| {
            Box::pin(async move {
                let seen = access_token::get(tx, ben, id).await?;
                Ok((seen, access_token::revoke(tx, ben, id, NOON).await?))
            })
        })
        .await
        .unwrap();
    assert_eq!((seen, died), (None, vec![]));
    assert!(house.caller(&token, NOON).await.is_ok());
}

async fn the_last_use_is_stamped_every_ten_minutes_at_most(engine: TestEngine) {
    let house = House::on(engine).await;
    let ana = house.create("ana@example.org").await.unwrap();
    let (_, id) = house.token(ana, "journal", None, command_line()).await;
    let stamp = async |at, network: Option<&'static str>| {
        house
            .write(move |tx| Box::pin(async move { identity::stamp_last_used(tx, ana, id, network, at).await }))
            .await
            .unwrap();
        let rows = house.rows("SELECT last_used_at, last_network FROM access_token").await;
        rows[0].0.clone()
    };
    let (soon, later) = (NOON.plus_seconds(599), NOON.plus_seconds(600));
    assert_eq!(stamp(NOON, Some("203.0.113.0/24")).await, [NOON.into(), "203.0.113.0/24".into()]);
    assert_eq!(stamp(soon, Some("198.51.100.0/24")).await, [NOON.into(), "203.0.113.0/24".into()]);
    assert_eq!(stamp(later, None).await, [later.into(), "203.0.113.0/24".into()]);
    assert_eq!(house.rows("SELECT last_seen_at FROM person").await[0].0, [Value::from(later)]);
}

async fn only_live_tokens_are_listed_newest_first(engine: TestEngine) {
    let house = House::on(engine).await;
    let ana = house.create("ana@example.org").await.unwrap();
    let (_, a) = house.token(ana, "journal", None, command_line()).await;
    let (_, gone) = house.token(ana, "journal", None, command_line()).await;
    let (_, c) = house.token(ana, "journal", Some(NOON.plus_seconds(60)), command_line()).await;
    let live = async |now| {
        let live =
            house.write(move |tx| Box::pin(async move { access_token::live(tx, ana, now).await })).await.unwrap();
        live.into_iter().map(|token| token.id).collect::<Vec<_>>()
    };
    house.write(move |tx| Box::pin(async move { access_token::revoke(tx, ana, gone, NOON).await })).await.unwrap();
    assert_eq!(live(NOON).await, [c, a]);
    assert_eq!(live(NOON.plus_seconds(60)).await, [a]);
}

storage::on_both_engines! {
    a_token_dies_with_the_one_it_was_made_through_at_any_remove,
    nobody_revokes_or_sees_another_persons_token,
    the_last_use_is_stamped_every_ten_minutes_at_most,
    only_live_tokens_are_listed_newest_first,
}
