//! The JSON schema shown to clients: the subset of `specs/mcp.md` §8.3, everything inlined.

use serde_json::{Map, Number, Value, json};

use super::{Bounds, Field, Fields, Kind, Shape};

/// How much of a shape is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// What a model needs, in the keywords that every client passes on.
    Portable,
    /// All that is checked.
    Whole,
}

impl Fields {
    /// The input schema as published over MCP: without quiet limits and without `false` as a default.
    pub fn schema(&self) -> Value {
        self.closed(Extent::Portable)
    }

    /// The input schema with every limit that is checked, as published in OpenAPI.
    pub fn whole_schema(&self) -> Value {
        self.closed(Extent::Whole)
    }

    fn closed(&self, extent: Extent) -> Value {
        let mut schema = self.object(extent);
        schema["additionalProperties"] = json!(false);
        schema
    }

    fn object(&self, extent: Extent) -> Value {
        let properties: Map<String, Value> =
            self.list.iter().map(|field| (field.name.clone(), field.schema(extent))).collect();
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
    fn schema(&self, extent: Extent) -> Value {
        let mut schema = self.shape.schema(extent);
        let docs = if extent == Extent::Whole { self.docs.clone() } else { self.docs_with_limits() };
        if !docs.is_empty() {
            schema["description"] = json!(docs);
        }
        let told = |default: &&Value| extent == Extent::Whole || **default != Value::Bool(false);
        if let Some(default) = self.default.as_ref().filter(told) {
            schema["default"] = default.clone();
        }
        schema
    }

    /// What the portable keywords cannot say goes into the words.
    fn docs_with_limits(&self) -> String {
        let mut docs = self.docs.clone();
        let (Shape::Number(bounds) | Shape::Integer(bounds)) = &self.shape else { return docs };
        if bounds.quiet {
            return docs;
        }
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
    fn schema(&self, extent: Extent) -> Value {
        match self {
            Self::Text { bounds, kind } => text(bounds, kind, extent),
            Self::Integer(bounds) => bounds.onto(json!({"type": "integer"}), "minimum", "maximum", extent),
            Self::Number(bounds) => bounds.onto(json!({"type": "number"}), "minimum", "maximum", extent),
            Self::Flag | Self::Confirm => json!({"type": "boolean"}),
            Self::List { item, bounds, .. } => {
                let list = json!({"type": "array", "items": item.schema(extent)});
                bounds.onto(list, "minItems", "maxItems", extent)
            }
            Self::Object(fields) => fields.object(extent),
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

fn text(bounds: &Bounds, kind: &Kind, extent: Extent) -> Value {
    let mut schema = bounds.onto(json!({"type": "string"}), "minLength", "maxLength", extent);
    match kind {
        Kind::Date => schema["format"] = json!("date"),
        Kind::OneOf(names) if bounds.told(extent) => schema["enum"] = json!(names),
        Kind::OneOf(_) | Kind::Plain | Kind::EventTime | Kind::Zone => {}
    }
    schema
}

impl Bounds {
    fn told(&self, extent: Extent) -> bool {
        extent == Extent::Whole || !self.quiet
    }

    fn onto(&self, mut schema: Value, min: &str, max: &str, extent: Extent) -> Value {
        if !self.told(extent) {
            return schema;
        }
        let mut limits = vec![(min, self.min), (max, self.max)];
        if extent == Extent::Whole {
            limits.extend([("exclusiveMinimum", self.above), ("multipleOf", self.multiple)]);
        }
        for (keyword, limit) in limits {
            if let Some(limit) = limit {
                schema[keyword] = number(limit);
            }
        }
        schema
    }
}

/// A whole number without `.0`, as schemas are written.
pub(super) fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
        Value::from(value as i64)
    } else {
        Number::from_f64(value).map_or(Value::Null, Value::Number)
    }
}
