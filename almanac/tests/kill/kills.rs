use std::{
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
    kill_often(House::build());
}

#[test]
fn what_postgres_acknowledged_survives_a_kill() {
    match Database::create() {
        Some(database) => kill_often(House::build_on(Some(database))),
        None => println!("no PostgreSQL server in ALMANAC_TEST_POSTGRES; `cargo xtask test` gives one"),
    }
}

fn kill_often(house: House) {
    let rounds = std::env::var("ALMANAC_KILL_ROUNDS").map_or(3, |rounds| rounds.parse().expect("a number of rounds"));
    let mut running = Running::of(house);
    for round in 0..rounds {
        running = kill_once(running, round);
    }
}

fn kill_once(running: Running, round: usize) -> Running {
    let date = format!("2025-03-{:02}", round % 28 + 1);
    let writes: Vec<Write> = (0..WRITES).map(|number| Write { number, round }).collect();
    let logged = running.changes();
    let moment = Moment::random(WRITES);
    let (answers, running) = write_until_killed(running, &writes, &date, moment);
    let acknowledged = answers.iter().flatten().count();
    println!("round {round}: killed at {moment:?}, {acknowledged} acknowledged");

    let day = Day::read(&running, &date);
    day.assert_whole(&writes);
    assert_eq!(running.changes() - logged, day.meals.len(), "a change for every meal");
    for (write, answer) in writes.iter().zip(&answers) {
        let Some(answer) = answer else { continue };
        let meal = day.meals.get(&write.name()).unwrap_or_else(|| panic!("acknowledged and lost: {answer}"));
        assert_eq!(meal["id"], answer["id"], "{meal}");
    }
    every_key_still_answers(&running, &writes, &day);
    running
}

/// Sends all writes, kills the server at the moment and starts it again. What each write was answered.
fn write_until_killed(running: Running, writes: &[Write], date: &str, moment: Moment) -> (Vec<Option<Value>>, Running) {
    let Running { house, server, token } = running;
    let address = server.address;
    let answered = AtomicUsize::new(0);
    let answers = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (answered, token) = (&answered, &token);
                let share = writes.iter().skip(client).step_by(CLIENTS);
                scope.spawn(move || {
                    let sent = share.map(|write| {
                        let answer = write.send(address, token, date);
                        answered.fetch_add(usize::from(answer.is_some()), Ordering::Relaxed);
                        (write.number, answer)
                    });
                    sent.collect::<Vec<_>>()
                })
            })
            .collect();
        while answered.load(Ordering::Relaxed) < moment.answers && !clients.iter().all(|client| client.is_finished()) {
            thread::yield_now();
        }
        thread::sleep(moment.later);
        drop(server); // SIGKILL
        let mut answers = vec![None; WRITES];
        for client in clients {
            for (number, answer) in client.join().expect("a client") {
                answers[number] = answer;
            }
        }
        answers
    });
    thread::sleep(Duration::from_millis(200)); // what the killed server had sent to PostgreSQL is done by then
    (answers, Running::with(house, token))
}

/// Repeats every write under its key: what was there is replayed, the rest is written now, and all is there once.
fn every_key_still_answers(running: &Running, writes: &[Write], before: &Day) {
    let address = running.server.address;
    for write in writes {
        let answer = write.send(address, &running.token, &before.date).expect("an answer");
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
