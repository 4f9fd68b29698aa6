use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value};

use crate::Effect;

use super::Clear;

/// The parameters of an operation (or of an object inside one), in the order of the struct.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields {
    pub docs: String,
    pub list: Vec<Field>,
    /// In an update, `null` empties a field instead of leaving it out.
    pub(super) clears: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: String,
    pub docs: String,
    pub required: bool,
    pub shape: Shape,
    pub default: Option<Value>,
    /// An update may empty it.
    pub clearable: bool,
}

/// What a value must look like: the vocabulary of `specs/mcp.md` §8.3 and the bounds that only the checker knows.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Text {
        bounds: Bounds,
        kind: Kind,
    },
    Integer(Bounds),
    Number(Bounds),
    Flag,
    /// A flag that must be `true`.
    Confirm,
    List {
        item: Box<Shape>,
        bounds: Bounds,
        single: bool,
    },
    Object(Fields),
    /// Any object; the domain checks it.
    Map,
}

/// What a text means.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Plain,
    Date,
    /// An instant, a local time, or a date (`specs/journal.md` §4.2).
    EventTime,
    Zone,
    OneOf(Vec<String>),
}

/// Limits of a number, or of a length.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounds {
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub above: Option<f64>,
    pub multiple: Option<f64>,
    /// Checked and in the whole schema, but left out of the portable one, where it would only cost a model's attention:
    /// ids, grams, the names that `clear` takes.
    pub quiet: bool,
}

impl Fields {
    /// The fields of `T`. `Err` names what in `T` cannot be shown in the portable dialect.
    pub fn of<T: JsonSchema>(effect: Effect) -> Result<Self, String> {
        let schema = SchemaSettings::draft2020_12()
            .with(|settings| settings.inline_subschemas = true)
            .into_generator()
            .into_root_schema_for::<T>();
        let Value::Object(root) = schema.to_value() else {
            return Err("the input is no object".into());
        };
        let mut fields = fields_of(&root, "")?;
        fields.clears = effect == Effect::Changes;
        if let Some(clear) = clear_field(&fields) {
            fields.list.push(clear);
        }
        Ok(fields)
    }

    pub fn get(&self, name: &str) -> Option<&Field> {
        self.list.iter().find(|field| field.name == name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|field| field.name.as_str())
    }
}

fn clear_field(fields: &Fields) -> Option<Field> {
    let names: Vec<String> =
        fields.list.iter().filter(|field| field.clearable).map(|field| field.name.clone()).collect();
    (!names.is_empty()).then(|| Field {
        name: Clear::NAME.into(),
        docs: Clear::DOCS.into(),
        required: false,
        shape: Shape::List {
            item: Box::new(Shape::Text {
                bounds: Bounds { quiet: true, ..Bounds::default() },
                kind: Kind::OneOf(names),
            }),
            bounds: Bounds::default(),
            single: false,
        },
        default: None,
        clearable: false,
    })
}

fn fields_of(schema: &Map<String, Value>, path: &str) -> Result<Fields, String> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let list = properties
        .iter()
        .map(|(name, value)| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let object = value.as_object().ok_or_else(|| format!("{path}: a boolean schema"))?;
            let object = &without_null(object);
            Ok(Field {
                name: name.clone(),
                docs: paragraphs(text_of(object, "description")),
                required: required.contains(&name.as_str()) && !object.contains_key("x-clearable"),
                shape: shape_of(object, &path)?,
                default: object.get("default").filter(|value| !value.is_null()).cloned(),
                clearable: object.contains_key("x-clearable"),
            })
        })
        .collect::<Result<Vec<_>, String>>()?;
    Ok(Fields { docs: paragraphs(text_of(schema, "description")), list, clears: false })
}

fn shape_of(schema: &Map<String, Value>, path: &str) -> Result<Shape, String> {
    if let Some(names) = names_of(schema) {
        return Ok(Shape::Text { bounds: Bounds::default(), kind: Kind::OneOf(names) });
    }
    match text_of(schema, "type") {
        "string" => Ok(Shape::Text { bounds: lengths(schema, "minLength", "maxLength"), kind: text_kind(schema) }),
        "integer" => Ok(Shape::Integer(numbers(schema))),
        "number" => Ok(Shape::Number(numbers(schema))),
        "boolean" if text_of(schema, "x-kind") == "confirm" => Ok(Shape::Confirm),
        "boolean" => Ok(Shape::Flag),
        "array" => {
            let item = schema
                .get("items")
                .and_then(Value::as_object)
                .ok_or_else(|| format!("{path}: a list without one kind of item"))?;
            Ok(Shape::List {
                item: Box::new(shape_of(&without_null(item), &format!("{path}[]"))?),
                bounds: lengths(schema, "minItems", "maxItems"),
                single: schema.get("x-single") == Some(&Value::Bool(true)),
            })
        }
        "object" if schema.contains_key("properties") => Ok(Shape::Object(fields_of(schema, path)?)),
        "object" => Ok(Shape::Map),
        other => Err(format!("{path}: {other:?} cannot be shown; give two parameters instead of a union")),
    }
}

/// The names of a closed set, written by serde as `enum`, `const` or a `oneOf` of constants.
fn names_of(schema: &Map<String, Value>) -> Option<Vec<String>> {
    let texts = |values: &[Value]| -> Option<Vec<String>> {
        let texts: Option<Vec<_>> =
            values.iter().filter(|value| !value.is_null()).map(|value| value.as_str().map(str::to_owned)).collect();
        texts
    };
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return texts(values);
    }
    if let Some(value) = schema.get("const") {
        return texts(std::slice::from_ref(value));
    }
    let branches = schema.get("oneOf")?.as_array()?;
    let lists: Option<Vec<Vec<String>>> =
        branches.iter().filter(|branch| branch["type"] != "null").map(|branch| names_of(branch.as_object()?)).collect();
    lists.map(|lists| lists.concat())
}

/// An optional field without its `null` branch.
fn without_null(schema: &Map<String, Value>) -> Map<String, Value> {
    let mut plain = schema.clone();
    if let Some(Value::Array(types)) = schema.get("type") {
        let kept: Vec<&Value> = types.iter().filter(|name| *name != "null").collect();
        if let [only] = kept[..] {
            plain.insert("type".into(), only.clone());
        }
    }
    if let Some(Value::Array(branches)) = schema.get("anyOf") {
        let kept: Vec<&Value> = branches.iter().filter(|branch| branch["type"] != "null").collect();
        if let [Value::Object(only)] = kept[..] {
            plain.remove("anyOf");
            for (key, value) in only {
                plain.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
    }
    plain
}

fn text_kind(schema: &Map<String, Value>) -> Kind {
    match (text_of(schema, "x-kind"), text_of(schema, "format")) {
        ("event_time", _) => Kind::EventTime,
        ("zone", _) => Kind::Zone,
        (_, "date") => Kind::Date,
        _ => Kind::Plain,
    }
}

fn numbers(schema: &Map<String, Value>) -> Bounds {
    let number = |key: &str| schema.get(key).and_then(Value::as_f64);
    Bounds {
        min: number("minimum"),
        max: number("maximum"),
        above: number("exclusiveMinimum"),
        multiple: number("multipleOf"),
        quiet: schema.get("x-quiet") == Some(&Value::Bool(true)),
    }
}

fn lengths(schema: &Map<String, Value>, min: &str, max: &str) -> Bounds {
    let number = |key: &str| schema.get(key).and_then(Value::as_f64);
    Bounds {
        min: number(min),
        max: number(max),
        quiet: schema.get("x-quiet") == Some(&Value::Bool(true)),
        ..Bounds::default()
    }
}

fn text_of<'a>(schema: &'a Map<String, Value>, key: &str) -> &'a str {
    schema.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A doc comment as text: lines of a paragraph joined, paragraphs apart.
pub(crate) fn paragraphs(docs: &str) -> String {
    docs.split("\n\n")
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("\n\n")
}
