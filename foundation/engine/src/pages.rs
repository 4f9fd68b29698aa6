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
    let Some(Value::Array(items)) = answer.get(ends.list) else { return };
    let sizes: Vec<usize> = items.iter().map(|item| item.to_string().len() + 1).collect();
    let list: usize = sizes.iter().sum();
    let around =
        Value::Object(answer.clone()).to_string().len() - list.min(Value::Array(items.clone()).to_string().len());
    let kept = fitting(&sizes, entry.max_bytes.saturating_sub(around + CUT_NOTE_BYTES));
    let left_out = items.len() - kept;
    if let Some(Value::Array(items)) = answer.get_mut(ends.list) {
        items.truncate(kept);
    }
    let more = ends.more || left_out > 0;
    let next = more.then(|| ends.keys[..kept].last().map(|key| Cursor::encode(key, seal))).flatten();
    answer.insert("next_cursor".into(), json!(next));
    answer.insert("truncated".into(), json!(more));
    if left_out > 0 {
        answer.insert("left_out".into(), json!(left_out));
        let hint = format!("Too long for one answer: send next_cursor as cursor, or narrow with {}.", entry.narrow_by);
        answer.insert("hint".into(), json!(hint));
    }
}

/// Room for cursor, `left_out`, `hint` and `_meta`.
const CUT_NOTE_BYTES: usize = 600;

/// How many items fit; always at least one, so that following the cursor gets on.
fn fitting(sizes: &[usize], room: usize) -> usize {
    let mut used = 0;
    let fit = sizes
        .iter()
        .take_while(|size| {
            used += **size;
            used <= room
        })
        .count();
    fit.max(sizes.len().min(1))
}
