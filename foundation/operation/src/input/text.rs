//! Text made typed, for the surfaces that only have text: query strings, command-line flags, web forms.

use serde_json::{Map, Value};

use super::{Fields, Shape};

impl Fields {
    /// One JSON object from names and texts. A text that does not fit stays text, so that the check names the field.
    /// A repeated name makes a list.
    pub fn from_text<N, T>(&self, pairs: impl IntoIterator<Item = (N, T)>) -> Map<String, Value>
    where
        N: AsRef<str>,
        T: AsRef<str>,
    {
        let mut members = Map::new();
        for (name, text) in pairs {
            let (name, text) = (name.as_ref(), text.as_ref());
            let Some(field) = self.get(name) else {
                members.insert(name.to_owned(), Value::from(text));
                continue;
            };
            match &field.shape {
                Shape::List { item, .. } if !text.trim_start().starts_with(['[', '{']) => {
                    let list = members.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                    if let Value::Array(items) = list {
                        items.extend(text.split(',').map(|text| item.of_text(text.trim())));
                    }
                }
                shape => {
                    members.insert(name.to_owned(), shape.of_text(text));
                }
            }
        }
        members
    }
}

impl Shape {
    fn of_text(&self, text: &str) -> Value {
        let typed = match self {
            Self::Integer(_) | Self::Number(_) => number_of_text(text),
            Self::Flag | Self::Confirm => match text {
                "true" | "1" | "yes" | "on" => Some(Value::Bool(true)),
                "false" | "0" | "no" | "off" => Some(Value::Bool(false)),
                _ => None,
            },
            _ => None,
        };
        typed.unwrap_or_else(|| Value::from(text))
    }
}

/// A number with a point or a comma as decimal separator. Grouping marks are not guessed at: `1,050.5` and `1.050,5`
/// stay text, and so do a text with two separators and `1,200`, which is one and a fifth to some and 1200 to others.
fn number_of_text(text: &str) -> Option<Value> {
    let text = text.trim();
    if text.matches([',', '.']).count() > 1 || may_be_grouped(text) {
        return None;
    }
    let plain = text.replace(',', ".");
    if let Ok(whole) = plain.parse::<i64>() {
        return Some(Value::from(whole));
    }
    let digits = plain.strip_prefix('-').unwrap_or(&plain);
    let decimal = digits.chars().all(|c| c.is_ascii_digit() || c == '.') && digits.chars().any(|c| c.is_ascii_digit());
    let number = plain.parse::<f64>().ok().filter(|_| decimal)?;
    serde_json::Number::from_f64(number).map(Value::Number)
}

/// A comma with one to three digits before it, the first no zero, and exactly three after it.
fn may_be_grouped(text: &str) -> bool {
    let Some((before, after)) = text.split_once(',') else { return false };
    let before = before.trim_start_matches('-');
    let digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    digits(before) && digits(after) && (1..=3).contains(&before.len()) && after.len() == 3 && !before.starts_with('0')
}
