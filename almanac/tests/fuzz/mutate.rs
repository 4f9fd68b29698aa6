//! Ways to break a text: byte by byte, and value by value where it is JSON.

use serde_json::{Map, Value, json};

use crate::random::Random;

const PIECES: [&str; 24] = [
    "0", "-", "9", ":", "T", "Z", "+", ".", "e", "\"", "{", "}", "[", "]", ",", "null", "true", "\\u0000", "\\ud800",
    " ", "١", "é", "🥣", "\u{202e}",
];

const TEXTS: [&str; 26] = [
    "",
    " ",
    "today",
    "null",
    "2026-02-30",
    "2026-03-29T02:30",
    "9999-12-31",
    "0000-01-01",
    "-9999-01-01",
    "2026-05-25T12:30:00Z",
    "2026-05-25T24:00",
    "2026-05-25T12:30:60",
    "2026-05-25T12:30:00.999999999+23:59",
    "2016-12-31T23:59:60Z",
    "1e999",
    "0x10",
    "１２",
    "1,5",
    "America/Toronto",
    "\u{0}",
    "ﬁ ß İ",
    "a\u{301}\u{301}\u{301}",
    "'; DROP TABLE meal; --",
    "%_\\",
    "kg",
    "yes",
];

/// Breaks bytes: one to four times something is put in, taken away, doubled or changed.
pub fn bytes(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = text.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(out.len() + 1);
        let end = at + random.below((out.len() - at).min(12) + 1);
        match random.below(5) {
            0 => drop(out.splice(at..at, random.one(&PIECES).bytes())),
            1 => drop(out.drain(at..end)),
            2 => drop(out.splice(at..at, out[at..end].to_vec())),
            3 if at < out.len() => out[at] ^= 1 << random.below(8),
            _ => drop(out.splice(at..end, random.one(&TEXTS).bytes())),
        }
    }
    out
}

/// Breaks JSON: somewhere in it a value is replaced, taken away, or put under a name of `names`.
pub fn json(value: &Value, names: &[String], random: &mut Random) -> Value {
    match value {
        Value::Object(members) if !random.once_in(12) => Value::Object(object(members, names, random)),
        Value::Array(items) if !items.is_empty() && !random.once_in(4) => {
            let mut items = items.clone();
            let at = random.below(items.len());
            items[at] = json(&items[at], names, random);
            Value::Array(items)
        }
        other => odd(other, random),
    }
}

fn object(members: &Map<String, Value>, names: &[String], random: &mut Random) -> Map<String, Value> {
    let mut members = members.clone();
    let chosen = members.keys().nth(random.below(members.len())).cloned();
    match (random.below(4), chosen) {
        (0, Some(name)) => drop(members.shift_remove(&name)),
        (1 | 2, Some(name)) => {
            let broken = json(&members[&name], names, random);
            members.insert(name, broken);
        }
        _ => {
            let name = if names.is_empty() || random.once_in(10) { "x" } else { random.one(names) };
            members.insert(name.to_owned(), odd(&Value::Null, random));
        }
    }
    members
}

fn odd(value: &Value, random: &mut Random) -> Value {
    match random.below(14) {
        0 => Value::Null,
        1 => json!(random.once_in(2)),
        2 => json!(i64::MIN),
        3 => json!(u64::MAX),
        4 => json!(9_007_199_254_740_993_i64),
        5 => json!(-0.0),
        6 => json!(f64::MAX),
        7 => json!(random.one(&[0.05, 2.0, -1.0, 1e-320, 79.95, 1e15])),
        8 => json!([value, value]),
        9 => json!({"x": value}),
        10 => json!(random.one(&TEXTS).repeat(random.below(400))),
        11 => json!(random.below(3650)),
        _ => json!(random.one(&TEXTS)),
    }
}
