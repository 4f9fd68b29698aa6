//! JSON as it is sent: nothing given twice, nothing lost.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads one value. `Err` is a sentence: broken syntax, a member given twice, a number beyond what a number can be,
/// more than 127 levels.
pub(crate) fn read(bytes: &[u8]) -> Result<Value, String> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Strict.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| format!("The body is not valid JSON: {error}."))
}

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Strict)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if object.contains_key(&name) {
                let shown: String = name.chars().filter(|c| !c.is_control()).take(64).collect();
                return Err(A::Error::custom(format_args!("{shown} is given twice")));
            }
            let value = members.next_value_seed(Strict)?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn plain_json_is_read_as_it_is() {
        let text = br#" {"a": [1, -2, 3.5, "x", null, true], "b": {"c": 18446744073709551615}} "#;
        assert_eq!(read(text).unwrap(), json!({"a": [1, -2, 3.5, "x", null, true], "b": {"c": u64::MAX}}));
    }

    #[test]
    fn what_is_no_json_is_told_in_a_sentence() {
        let too_deep = "[".repeat(200);
        for (text, says) in [
            (r#"{"a": 1, "a": 2}"#, "a is given twice"),
            (r#"{"x": {"a": 1, "a": 1}}"#, "a is given twice"),
            (r#"{"a": NaN}"#, "expected"),
            (r#"{"a": 1e999}"#, "number out of range"),
            (r#"{"a": 1} {"b": 2}"#, "trailing characters"),
            (r#"{"a": "\ud800"}"#, "hex escape"),
            (r#"{"a": 1"#, "EOF"),
            (&too_deep, "recursion limit"),
            ("\u{feff}{}", "expected value"),
        ] {
            let sentence = read(text.as_bytes()).unwrap_err();
            assert!(sentence.contains(says), "{text}: {sentence}");
        }
        assert!(read(b"{\"a\": \"\xff\"}").is_err(), "not UTF-8");
    }
}
