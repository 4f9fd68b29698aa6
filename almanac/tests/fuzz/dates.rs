use calendar::{Date, DayClock, EventTime, Instant, Zone};

use crate::{corpus, mutate, pool::Pool, random::Random};

#[test]
fn no_text_breaks_the_readers_of_dates_and_times() {
    let mut random = Random::from_environment();
    let mut pool = Pool::new(corpus::texts("dates").iter().flat_map(|file| lines(file)).collect());
    for text in pool.texts().to_vec() {
        pool.saw(&text.clone(), read(&text));
    }
    while pool.is_open() {
        let text = mutate::bytes(pool.draw(&mut random), &mut random);
        let answer = read(&text);
        pool.saw(&text, answer);
    }
    pool.report();
}

fn lines(file: &[u8]) -> Vec<Vec<u8>> {
    file.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

/// Reads a text as everything it could be; what is read is written and read again, and resolved in odd zones.
fn read(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let date = Date::parse(&text).inspect(|date| {
        assert_eq!(Date::parse(&date.to_string()), Ok(*date), "{text}");
        assert!(date.plus_days(1) > *date || *date == Date::MAX, "{text}");
    });
    let instant = Instant::parse_rfc3339(&text).inspect(|at| {
        assert_eq!(Instant::parse_rfc3339(&at.utc()).map(|again| again.utc()), Ok(at.utc()), "{text}");
    });
    let zone = Zone::parse(&text);
    let time = EventTime::parse(&text).inspect(resolve);
    let known = [said(&date), said(&instant), said(&zone), said(&time)].join(" ");
    if known.contains("read") { known + " " + &shape(&text) } else { known }
}

/// What a text looks like: `9-9-9T9:9Z`.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    for c in text.chars() {
        let class = if c.is_numeric() { '9' } else { c };
        if class != '9' || !shape.ends_with('9') {
            shape.push(class);
        }
    }
    shape
}

fn resolve(time: &EventTime) {
    let now = Instant::parse_rfc3339("2026-11-01T05:30:00Z").expect("a time");
    for zone in ["America/Toronto", "Pacific/Apia", "Asia/Kathmandu", "Antarctica/Troll"] {
        let day = DayClock { zone: Zone::parse(zone).expect("a zone"), day_start_hour: 4 };
        if let Ok(moment) = day.resolve(Some(time), now) {
            let _ = day.user_date(moment.at);
        }
    }
}

fn said<T, E: std::fmt::Display>(result: &Result<T, E>) -> String {
    result.as_ref().err().map_or_else(|| "read".to_owned(), ToString::to_string)
}
