//! The JSON schema shown to clients: the subset of `specs/mcp.md` §8.3, everything inlined.

use serde_json::{Map, Number, Value, json};

use super::{Bounds, Field, Fields, Kind, Shape};

impl Fields {
    /// The input schema as published over MCP and in OpenAPI.
    pub fn schema(&self) -> Value {
        let mut schema = self.object();
        schema["additionalProperties"] = json!(false);
        schema
    }

    fn object(&self) -> Value {
        let properties: Map<String, Value> =
            self.list.iter().map(|field| (field.name.clone(), field.schema())).collect();
        let required: Vec<&str> =
            self.list.iter().filter(|field| field.required).map(|field| field.name.as_str()).collect();
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }
}

impl Field {
    fn schema(&self) -> Value {
        let mut schema = self.shape.schema();
        let docs = self.docs_with_limits();
        if !docs.is_empty() {
            schema["description"] = json!(docs);
        }
        if let Some(default) = &self.default {
            schema["default"] = default.clone();
        }
        schema
    }

    /// What the schema's keywords cannot say goes into the words.
    fn docs_with_limits(&self) -> String {
        let (Shape::Number(bounds) | Shape::Integer(bounds)) = &self.shape else {
            return self.docs.clone();
        };
        let mut docs = self.docs.clone();
        if let Some(above) = bounds.above {
            docs.push_str(&format!(" More than {above}."));
        }
        if let Some(multiple) = bounds.multiple {
            docs.push_str(&format!(" Steps of {multiple}."));
        }
        docs
    }
}

impl Shape {
    pub fn schema(&self) -> Value {
        match self {
            Self::Text { bounds, kind } => text(bounds, kind),
            Self::Integer(bounds) => bounds.onto(json!({"type": "integer"}), "minimum", "maximum"),
            Self::Number(bounds) => bounds.onto(json!({"type": "number"}), "minimum", "maximum"),
            Self::Flag | Self::Confirm => json!({"type": "boolean"}),
            Self::List { item, bounds, .. } => {
                bounds.onto(json!({"type": "array", "items": item.schema()}), "minItems", "maxItems")
            }
            Self::Object(fields) => fields.object(),
            Self::Map => json!({"type": "object"}),
        }
    }

    /// The JSON type's name in messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Text { .. } => "string",
            Self::Integer(_) | Self::Number(_) => "number",
            Self::Flag | Self::Confirm => "boolean",
            Self::List { .. } => "array",
            Self::Object(_) | Self::Map => "object",
        }
    }
}

fn text(bounds: &Bounds, kind: &Kind) -> Value {
    let mut schema = bounds.onto(json!({"type": "string"}), "minLength", "maxLength");
    match kind {
        Kind::Date => schema["format"] = json!("date"),
        Kind::OneOf(names) => schema["enum"] = json!(names),
        Kind::Plain | Kind::EventTime | Kind::Zone => {}
    }
    schema
}

impl Bounds {
    fn onto(&self, mut schema: Value, min: &str, max: &str) -> Value {
        if self.quiet {
            return schema;
        }
        if let Some(bound) = self.min {
            schema[min] = number(bound);
        }
        if let Some(bound) = self.max {
            schema[max] = number(bound);
        }
        schema
    }
}

/// A whole number without `.0`, as schemas are written.
pub(super) fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9.0e15 {
        Value::from(value as i64)
    } else {
        Number::from_f64(value).map_or(Value::Null, Value::Number)
    }
}
