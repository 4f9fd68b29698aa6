//! What the tools cost a model: tokens and bytes of the list.

use serde_json::{Value, json};
use tiktoken_rs::o200k_base;

use crate::house::Served;

/// Over all tools.
const MEAN_TOKENS: usize = 130;
const ONE_TOOL_TOKENS: usize = 450;
const EVERYDAY_JOURNAL_TOKENS: usize = 6_000;
const MEAN_BYTES: usize = 1_200;

/// Tools that may cost more than [`ONE_TOOL_TOKENS`], each up to 1,200.
const DEAR: [&str; 0] = [];

fn tokens(tools: &[Value]) -> Vec<(usize, String)> {
    let encoder = o200k_base().expect("the vocabulary is in the crate");
    let mut costs: Vec<(usize, String)> = tools
        .iter()
        .map(|tool| {
            let seen =
                json!({"name": tool["name"], "description": tool["description"], "input_schema": tool["inputSchema"]});
            (encoder.encode_ordinary(&seen.to_string()).len(), tool["name"].as_str().unwrap_or_default().to_owned())
        })
        .collect();
    costs.sort_by(|one, other| other.cmp(one));
    costs
}

fn list(house: &Served, query: &str) -> Vec<Value> {
    let request = crate::rpc::legacy("tools/list", json!({})).query(query);
    house.ask(request).result()["tools"].as_array().expect("tools").clone()
}

#[test]
fn the_tools_keep_to_their_token_budgets() {
    let house = Served::open();
    let costs = tokens(&list(&house, ""));
    println!("the ten dearest: {:?}", &costs[..10]);
    let total: usize = costs.iter().map(|(cost, _)| cost).sum();
    assert!(total <= MEAN_TOKENS * costs.len(), "{} tokens a tool on average: {costs:?}", total / costs.len());
    for (cost, name) in &costs {
        let limit = if DEAR.contains(&name.as_str()) { 1_200 } else { ONE_TOOL_TOKENS };
        assert!(*cost <= limit, "{name} costs {cost} tokens");
    }
    let everyday: usize = tokens(&list(&house, "?tools=everyday")).iter().map(|(cost, _)| cost).sum();
    assert!(everyday <= EVERYDAY_JOURNAL_TOKENS, "everyday costs {everyday} tokens");
}

#[test]
fn the_list_keeps_to_its_byte_budget() {
    let house = Served::open();
    let tools = list(&house, "");
    let bytes = Value::from(tools.clone()).to_string().len();
    assert!(bytes <= MEAN_BYTES * tools.len(), "{} bytes a tool on average", bytes / tools.len());
}

#[test]
fn the_map_of_everything_fits_an_answer() {
    let house = Served::open();
    let result = house.call("get_capabilities", json!({}));
    let text = result["content"][0]["text"].as_str().expect("text");
    assert!(text.len() <= 24_000, "{} bytes", text.len());
}
