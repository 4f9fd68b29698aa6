use std::{
    net::SocketAddr,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::{day::Day, house::House, moment::Moment, postgres::Database, running::Running, writer::Write};

const WRITES: usize = 500;
/// Clients that write at the same time, each its share of the writes.
const CLIENTS: usize = 50;

#[test]
fn what_sqlite_acknowledged_survives_a_kill() {
    kill_often(House::build);
}

#[test]
fn what_postgres_acknowledged_survives_a_kill() {
    kill_often(|| House::build_on(Some(Database::create())));
}

fn kill_often(build: impl Fn() -> House) {
    let rounds = std::env::var("ALMANAC_KILL_ROUNDS").map_or(3, |rounds| rounds.parse().expect("a number of rounds"));
    for round in 0..rounds {
        kill_once(Running::of(build()), round);
    }
}

fn kill_once(running: Running, round: usize) {
    let date = "2025-03-09";
    let writes: Vec<Write> = (0..WRITES).map(|number| Write { number, round }).collect();
    let moment = Moment::random(WRITES);
    let (answers, running) = write_until_killed(running, &writes, date, moment);
    let acknowledged = answers.iter().flatten().count();
    println!("round {round}: killed at {moment:?}, {acknowledged} acknowledged");

    let day = Day::read(&running, date);
    day.assert_whole(&writes);
    assert_eq!(running.changes(), day.meals.len(), "a change for every meal");
    for (write, answer) in writes.iter().zip(&answers) {
        let Some(answer) = answer else { continue };
        let meal = day.meals.get(&write.name()).unwrap_or_else(|| panic!("acknowledged and lost: {answer}"));
        assert_eq!(meal["id"], answer["id"], "{meal}");
    }
    every_key_still_answers(&running, &writes, &day);
}

/// Sends all writes, kills the server at the moment and starts it again. What each write was answered.
fn write_until_killed(running: Running, writes: &[Write], date: &str, moment: Moment) -> (Vec<Option<Value>>, Running) {
    let Running { house, server, token } = running;
    let address = server.address;
    let answered = AtomicUsize::new(0);
    let answers = thread::scope(|scope| {
        let sending = scope.spawn(|| send_all(writes, address, &token, date, &answered));
        while answered.load(Ordering::Relaxed) < moment.answers && !sending.is_finished() {
            thread::yield_now();
        }
        thread::sleep(moment.later);
        drop(server); // SIGKILL
        sending.join().expect("the clients")
    });
    thread::sleep(Duration::from_millis(200)); // what the killed server had sent to PostgreSQL is done by then
    (answers, Running::with(house, token))
}

/// What each write was answered, in order; `answered` counts along.
fn send_all(writes: &[Write], to: SocketAddr, token: &str, date: &str, answered: &AtomicUsize) -> Vec<Option<Value>> {
    let send = |write: &Write| {
        let answer = write.send(to, token, date);
        answered.fetch_add(usize::from(answer.is_some()), Ordering::Relaxed);
        answer
    };
    let share = writes.len().div_ceil(CLIENTS);
    thread::scope(|scope| {
        let clients: Vec<_> =
            writes.chunks(share).map(|share| scope.spawn(move || share.iter().map(send).collect::<Vec<_>>())).collect();
        clients.into_iter().flat_map(|client| client.join().expect("a client")).collect()
    })
}

/// Repeats every write under its key: what was there is replayed, the rest is written now, and all is there once.
fn every_key_still_answers(running: &Running, writes: &[Write], before: &Day) {
    let answers = send_all(writes, running.server.address, &running.token, &before.date, &AtomicUsize::new(0));
    for (write, answer) in writes.iter().zip(answers) {
        let answer = answer.expect("an answer");
        match before.meals.get(&write.name()) {
            Some(meal) => {
                assert_eq!(answer["id"], meal["id"], "{answer}");
                assert_eq!(answer["replayed"], true, "{answer}");
            }
            None => assert_ne!(answer["replayed"], true, "{answer}"),
        }
    }
    let after = Day::read(running, &before.date);
    after.assert_whole(writes);
    assert_eq!(after.meals.len(), writes.len());
}
