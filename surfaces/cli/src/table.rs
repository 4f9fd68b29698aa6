//! An answer for people: plain members as lines, lists of objects as tables.

use serde_json::{Map, Value};

/// Wider tables become a block of lines per row.
const WIDEST: usize = 160;
/// Longer cells are cut.
const LONGEST_CELL: usize = 60;

/// An answer object as text; `_meta` is left out.
pub fn table(answer: &Value) -> String {
    let Value::Object(members) = answer else { return format!("{answer}\n") };
    let mut plain = Vec::new();
    let mut lists = Vec::new();
    for (name, value) in members.iter().filter(|(name, _)| *name != "_meta") {
        sort_out(name, value, &mut plain, &mut lists);
    }
    let mut text = lines(&plain);
    for (name, rows) in lists {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("{name} ({})\n{}", rows.len(), grid(&rows)));
    }
    text
}

type Plain = Vec<(String, String)>;

fn sort_out<'a>(
    name: &str,
    value: &'a Value,
    plain: &mut Plain,
    lists: &mut Vec<(String, Vec<&'a Map<String, Value>>)>,
) {
    match value {
        Value::Object(members) => {
            for (inner, value) in members {
                sort_out(&format!("{name}.{inner}"), value, plain, lists);
            }
        }
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_object) => {
            lists.push((name.to_owned(), items.iter().filter_map(Value::as_object).collect()));
        }
        value => plain.push((name.to_owned(), cell(value))),
    }
}

fn lines(plain: &Plain) -> String {
    let width = plain.iter().map(|(name, _)| length(name)).max().unwrap_or_default();
    plain.iter().map(|(name, value)| format!("{}  {value}", padded(name, width)).trim_end().to_owned() + "\n").collect()
}

/// Rows under a head; nested objects become columns of their own.
fn grid(rows: &[&Map<String, Value>]) -> String {
    let rows: Vec<Plain> = rows.iter().map(|row| flat(row)).collect();
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flatten() {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    columns.retain(|column| rows.iter().flatten().any(|(name, value)| name == column && !value.is_empty()));
    let value = |row: &Plain, column: &str| {
        let found = row.iter().find(|(name, _)| name == column);
        found.map(|(_, value)| cut(value)).unwrap_or_default()
    };
    let width = |column: &&str| {
        rows.iter().map(|row| length(&value(row, column))).max().unwrap_or_default().max(length(column))
    };
    let widths: Vec<usize> = columns.iter().map(width).collect();
    if widths.iter().sum::<usize>() + 2 * widths.len() > WIDEST {
        return rows.iter().map(|row| lines(&named(row))).collect::<Vec<_>>().join("\n");
    }
    let line = |cells: Vec<String>| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| padded(cell, *width));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    let head = line(columns.iter().map(|column| (*column).to_owned()).collect());
    let body = rows.iter().map(|row| line(columns.iter().map(|column| value(row, column)).collect()));
    head + &body.collect::<String>()
}

fn named(row: &Plain) -> Plain {
    row.iter().filter(|(_, value)| !value.is_empty()).cloned().collect()
}

fn flat(row: &Map<String, Value>) -> Plain {
    let mut plain = Vec::new();
    for (name, value) in row {
        let mut lists = Vec::new();
        sort_out(name, value, &mut plain, &mut lists);
        plain.extend(lists.into_iter().map(|(name, rows)| (name, format!("{} items", rows.len()))));
    }
    plain
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.replace(['\n', '\r', '\t'], " "),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn cut(text: &str) -> String {
    if length(text) <= LONGEST_CELL {
        return text.to_owned();
    }
    text.chars().take(LONGEST_CELL - 1).chain(['…']).collect()
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(length(text))))
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn plain_members_are_lines_and_lists_are_tables() {
        let answer = json!({
            "total": 2, "next_cursor": null, "day": {"kcal": 1200},
            "items": [{"id": 1, "name": "Oats", "macros": {"fat_g": 7.5}}, {"id": 12, "name": null, "macros": {"fat_g": 3}}],
            "_meta": {"user_tz": "UTC"},
        });
        let expected = "total        2\nnext_cursor\nday.kcal     1200\n\nitems (2)\n\
                        id  name  macros.fat_g\n1   Oats  7.5\n12        3\n";
        assert_eq!(table(&answer), expected);
    }

    #[test]
    fn a_table_too_wide_for_a_screen_becomes_blocks() {
        let row = |id: i64| json!({"id": id, "a": "x".repeat(60), "b": "y".repeat(60), "c": "z".repeat(60)});
        let text = table(&json!({"items": [row(1), row(2)]}));
        assert!(text.starts_with("items (2)\nid  1\na   xxx"), "{text}");
        assert!(text.contains("\n\nid  2\n"), "{text}");
    }

    #[test]
    fn a_line_of_a_table_holds_no_line_ends_and_no_endless_cell() {
        let text = table(&json!({"items": [{"id": 1, "notes": format!("a\nb{}", "c".repeat(100))}]}));
        assert_eq!(text.lines().count(), 3);
        assert!(text.ends_with("…\n"));
    }
}
