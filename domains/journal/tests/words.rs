//! What a model reads of the journal: short enough, complete, and naming only what exists.

#![allow(clippy::unwrap_used)]

use operation::Catalog;
use serde_json::json;

/// What one tool may cost a model at most.
const MOST_TOKENS: usize = 450;
/// What these together may cost on average: the widest that Almanac has, with a parameter for each nutrient. The mean
/// of 130 is over all tools.
const MEAN_TOKENS: usize = 145;

fn catalog() -> Catalog {
    Catalog::new(&[journal::DOMAIN]).unwrap()
}

#[test]
fn the_domain_stands() {
    let names: Vec<&str> = catalog().iter().map(|entry| entry.name).collect();
    let expected = [
        "delete_meal",
        "delete_weight",
        "get_macros_for_date",
        "get_macros_range",
        "get_macros_today",
        "get_meals",
        "get_weight_trend",
        "log_meal",
        "log_weight",
        "mark_day_complete",
        "mark_day_partial",
        "search_meals",
        "update_meal",
        "update_weight",
    ];
    assert_eq!(names, expected);
}

#[test]
fn every_example_is_a_working_input() {
    for entry in catalog().iter() {
        let checked = entry.input.check(entry.example.clone());
        assert!(checked.is_ok(), "{}: {checked:?}", entry.name);
        assert!(entry.runner.parse(checked.unwrap().into()).is_ok(), "{}", entry.name);
    }
}

#[test]
fn descriptions_are_within_their_limits() {
    for entry in catalog().iter() {
        assert!(entry.docs.chars().count() <= 700, "{}", entry.name);
        assert!(entry.first_sentence().ends_with('.'), "{}", entry.name);
        for field in &entry.input.list {
            assert!(field.docs.chars().count() <= 120, "{}.{}", entry.name, field.name);
        }
    }
}

#[test]
fn a_tool_costs_few_tokens() {
    let tokens = tiktoken_rs::o200k_base().unwrap();
    let mut costs: Vec<(usize, &str)> = catalog()
        .iter()
        .map(|entry| {
            let shown = json!({"name": entry.name, "description": entry.docs, "input_schema": entry.input.schema()});
            (tokens.encode_ordinary(&shown.to_string()).len(), entry.name)
        })
        .collect();
    costs.sort_unstable();
    costs.reverse();
    let mean = costs.iter().map(|(cost, _)| cost).sum::<usize>() / costs.len();
    println!("{costs:?}, mean {mean}");
    assert!(costs.iter().all(|(cost, _)| *cost <= MOST_TOKENS), "{costs:?}");
    assert!(mean <= MEAN_TOKENS, "mean {mean}: {costs:?}");
}

#[test]
fn words_name_only_operations_that_exist() {
    let catalog = catalog();
    let named = catalog.iter().map(|entry| entry.docs.as_str());
    let instructions = &journal::DOMAIN.instructions;
    for text in named.chain([instructions.long, instructions.short]) {
        for name in text.split('`').skip(1).step_by(2).filter(|name| name.contains('_')) {
            assert!(catalog.get(name).is_some(), "{name} in: {text}");
        }
    }
}
