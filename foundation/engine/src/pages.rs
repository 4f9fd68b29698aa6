//! Lists cut to size, and the cursor that fetches the rest.

use operation::{Call, Cursor, Entry, Failure, PageEnds, canonical_json, hex_sha256};
use serde_json::{Map, Value, json};

/// Ties a cursor to operation, person and filters.
pub fn seal(entry: &Entry, call: &Call, input: &Map<String, Value>) -> String {
    if !input.contains_key("cursor") && entry.input.get("cursor").is_none() {
        return String::new();
    }
    let filters: Map<String, Value> = input
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "cursor" | "limit"))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let person = call.caller.person.as_ref().map_or(0, |person| person.id);
    let mut seal = hex_sha256(canonical_json(&json!([entry.name, person, filters])).as_bytes());
    seal.truncate(16);
    seal
}

/// Replaces the sealed text by the plain key, which the operation reads with `Cursor::key`.
pub fn open_cursor(input: &mut Map<String, Value>, seal: &str) -> Result<(), Failure> {
    if let Some(Value::String(text)) = input.get("cursor") {
        let key = Cursor::decode(text, seal)?;
        input.insert("cursor".into(), Value::Array(key).to_string().into());
    }
    Ok(())
}

/// Drops whole items from the end until the answer fits, and says so.
pub fn cut(answer: &mut Map<String, Value>, ends: &PageEnds, entry: &Entry, seal: &str) {
    let around: usize =
        answer.iter().filter(|(name, _)| *name != ends.list).map(|(name, value)| name.len() + 4 + bytes(value)).sum();
    let Some(Value::Array(items)) = answer.get_mut(ends.list) else { return };
    let room = entry.max_bytes.saturating_sub(around + CUT_NOTE_BYTES);
    let kept = fitting(items.iter().map(|item| bytes(item) + 1), room);
    let left_out = items.len() - kept + ends.beyond;
    items.truncate(kept);
    let more = ends.more || left_out > 0;
    let continued = entry.input.get("cursor").is_some();
    if continued {
        let last = ends.keys.get(..kept).and_then(<[_]>::last).filter(|_| more);
        answer.insert("next_cursor".into(), json!(last.map(|key| Cursor::encode(key, seal))));
    }
    answer.insert("truncated".into(), json!(more));
    if left_out > 0 {
        answer.insert("left_out".into(), json!(left_out));
        let hint = if continued {
            format!("Too long for one answer: send next_cursor as cursor, or narrow with {}.", entry.narrow_by)
        } else {
            format!("Not all is shown: use {}.", entry.narrow_by)
        };
        answer.insert("hint".into(), json!(hint));
    }
}

/// Room for cursor, `left_out`, `hint` and `_meta`.
const CUT_NOTE_BYTES: usize = 600;

/// How many items fit; always at least one, so that following the cursor gets on.
fn fitting(sizes: impl ExactSizeIterator<Item = usize>, room: usize) -> usize {
    let least = sizes.len().min(1);
    let mut used = 0;
    let fit = sizes
        .take_while(|size| {
            used += size;
            used <= room
        })
        .count();
    fit.max(least)
}

/// Length of the compact JSON, without writing it.
fn bytes(value: &Value) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Neither a value nor a counter can fail to be written.
    serde_json::to_writer(&mut count, value).map_or(0, |()| count.0)
}
