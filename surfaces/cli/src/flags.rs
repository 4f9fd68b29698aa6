//! A flag per parameter that can be written as a word.

use clap::{Arg, ArgAction};
use operation::{
    Kind, Shape,
    input::{Bounds, Field},
};

/// `meal_id` → `--meal-id N`. Objects and lists of objects are given by `--json` only.
pub(crate) fn flag(field: &Field) -> Option<Arg> {
    let flag = Arg::new(field.name.clone())
        .long(field.name.replace('_', "-"))
        .value_name(value_name(&field.shape))
        .help(help(field))
        .hide_possible_values(true);
    match &field.shape {
        Shape::Object(_) | Shape::Map => None,
        Shape::List { item, .. } if matches!(**item, Shape::Object(_) | Shape::Map | Shape::List { .. }) => None,
        Shape::List { .. } => Some(flag.action(ArgAction::Append)),
        Shape::Flag | Shape::Confirm => Some(flag.num_args(0..=1).default_missing_value("true")),
        Shape::Integer(_) | Shape::Number(_) => Some(flag.allow_negative_numbers(true)),
        Shape::Text { .. } => Some(flag),
    }
}

fn value_name(shape: &Shape) -> String {
    match shape {
        Shape::Text { kind, .. } => match kind {
            Kind::Plain => "TEXT".into(),
            Kind::Date => "YYYY-MM-DD".into(),
            Kind::EventTime => "TIME".into(),
            Kind::Zone => "ZONE".into(),
            Kind::OneOf(names) => names.join("|"),
        },
        Shape::Integer(_) | Shape::Number(_) => "N".into(),
        Shape::Flag | Shape::Confirm => "true|false".into(),
        Shape::List { item, .. } => format!("{},…", value_name(item)),
        Shape::Object(_) | Shape::Map => "JSON".into(),
    }
}

fn help(field: &Field) -> String {
    let docs = field.docs.trim_end_matches('.');
    let limits = match &field.shape {
        Shape::Integer(bounds) | Shape::Number(bounds) => limits(bounds),
        _ => String::new(),
    };
    let default = field.default.as_ref().filter(|default| **default != false);
    let default = default.map(|default| format!(" [default: {}]", default.to_string().trim_matches('"')));
    let required = if field.required { " [required]" } else { "" };
    format!("{docs}{limits}{}{required}", default.unwrap_or_default())
}

fn limits(bounds: &Bounds) -> String {
    match (bounds.above.map(|above| format!("over {above}")).or(bounds.min.map(|min| min.to_string())), bounds.max) {
        (Some(from), Some(to)) => format!(" ({from} to {to})"),
        (Some(from), None) => format!(" (from {from})"),
        (None, Some(to)) => format!(" (up to {to})"),
        (None, None) => String::new(),
    }
}
