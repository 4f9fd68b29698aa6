//! What a model reads of the account: short, complete, naming only what exists.

use operation::Catalog;
use serde_json::json;

/// Mean over the tools that are offered over MCP; the mean of 130 is over those of all domains.
const MEAN_TOKENS: usize = 115;

fn catalog() -> Catalog {
    Catalog::new(&[account::DOMAIN]).unwrap()
}

/// Names in backticks, and words that look like an operation's name.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_lowercase() || c == '_'));
    words.filter(|word| {
        ["get_", "list_", "undo_", "update_", "revoke_", "create_"].iter().any(|verb| word.starts_with(verb))
    })
}

#[test]
fn every_example_is_a_working_input() {
    for entry in catalog().iter() {
        let checked =
            entry.input.check(entry.example.clone()).unwrap_or_else(|faults| panic!("{}: {faults:?}", entry.name));
        assert!(entry.runner.parse(checked.into()).is_ok(), "{}", entry.name);
    }
}

#[test]
fn descriptions_are_short_and_whole() {
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
    let catalog = catalog();
    let offered = catalog.iter().filter(|entry| entry.off_mcp.is_none());
    let costs = offered.map(|entry| {
        let shown = json!({"name": entry.name, "description": entry.docs, "input_schema": entry.input.schema()});
        (tokens.encode_ordinary(&shown.to_string()).len(), entry.name)
    });
    let mut costs: Vec<(usize, &str)> = costs.collect();
    costs.sort_unstable();
    let mean = costs.iter().map(|(cost, _)| cost).sum::<usize>() / costs.len();
    println!("{costs:?}, mean {mean}");
    assert!(costs.iter().all(|(cost, _)| *cost <= 450), "{costs:?}");
    assert!(mean <= MEAN_TOKENS, "mean {mean}: {costs:?}");
}

#[test]
fn descriptions_name_only_operations_that_exist() {
    let catalog = catalog();
    for entry in catalog.iter() {
        let texts = entry.input.list.iter().map(|field| field.docs.as_str()).chain([entry.docs.as_str()]);
        for name in texts.flat_map(names_in) {
            assert!(catalog.get(name).is_some(), "{name} in {}", entry.name);
        }
    }
}
