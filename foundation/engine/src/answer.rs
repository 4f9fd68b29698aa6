use serde_json::{Map, Value};

/// A successful call's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The answer object without `_meta`.
    pub body: Map<String, Value>,
    pub meta: Meta,
    /// HTTP status: 201 for `Creates`, also when it is a replay.
    pub status: u16,
}

/// Clock and zone of the answer, and where it holds text typed by somebody.
#[derive(Debug, Clone, PartialEq)]
pub struct Meta {
    /// Wall clock of `call.now` to the second, with the offset of `user_tz`.
    pub server_now: String,
    pub user_tz: String,
    pub untrusted_fields: &'static [&'static str],
}

impl Answer {
    /// The object as every surface shows it, `_meta` last.
    pub fn into_value(self) -> Value {
        let mut body = self.body;
        body.insert("_meta".into(), self.meta.to_value());
        Value::Object(body)
    }
}

impl Meta {
    pub fn to_value(&self) -> Value {
        let mut meta = Map::new();
        meta.insert("server_now".into(), self.server_now.clone().into());
        meta.insert("user_tz".into(), self.user_tz.clone().into());
        if !self.untrusted_fields.is_empty() {
            meta.insert("untrusted_fields".into(), self.untrusted_fields.to_vec().into());
        }
        Value::Object(meta)
    }
}
