//! One committed file an operation: what a review must see when a word, a parameter or an answer changes.
//!
//! `ALMANAC_UPDATE_SNAPSHOTS=1 cargo test -p almanac --test black_box snapshots` writes them again.

use std::{collections::BTreeSet, fs, path::PathBuf};

use operation::{Catalog, Entry, Needs};
use serde_json::{Value, json};

use crate::{domains, house::Served};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/operations")
}

fn snapshot(entry: &Entry, tools: &[Value]) -> String {
    let needs = match entry.needs {
        Needs::Anonymous => "anonymous".to_owned(),
        Needs::AnyCredential => "any credential".to_owned(),
        Needs::Scope(scope) => scope.to_string(),
    };
    let tool = tools.iter().find(|tool| tool["name"] == entry.name);
    let shown = json!({
        "operation": entry.name,
        "domain": entry.domain,
        "rest": format!("{} /api/v1{}", entry.effect.verb().as_str(), entry.path),
        "needs": needs,
        "everyday": entry.everyday,
        "off_mcp": entry.off_mcp,
        "idempotency_key": entry.keyed,
        "entity": entry.entity,
        "example": entry.example,
        "tool": tool,
        "input": if tool.is_none() { entry.input.schema() } else { Value::Null },
        "output": entry.output,
    });
    let mut text = serde_json::to_string_pretty(&shown).expect("JSON");
    text.push('\n');
    text
}

#[test]
fn every_operation_is_as_its_snapshot_says() {
    let catalog = Catalog::new(domains::DOMAINS).expect("a sound catalog");
    let tools = Served::open().tools();
    let update = std::env::var_os("ALMANAC_UPDATE_SNAPSHOTS").is_some();
    fs::create_dir_all(folder()).expect("a folder");
    let mut expected = BTreeSet::new();
    let mut stale = Vec::new();
    for entry in catalog.iter() {
        let file = folder().join(format!("{}.json", entry.name));
        expected.insert(file.clone());
        let now = snapshot(entry, &tools);
        if update {
            fs::write(&file, &now).expect("a snapshot is written");
        } else if fs::read_to_string(&file).ok().as_deref() != Some(now.as_str()) {
            stale.push(entry.name);
        }
    }
    for file in fs::read_dir(folder()).expect("a folder").flatten().map(|entry| entry.path()) {
        if !expected.contains(&file) {
            if update {
                fs::remove_file(&file).expect("an old snapshot goes");
            } else {
                stale.push("an operation that is gone");
            }
        }
    }
    assert_eq!(stale, Vec::<&str>::new(), "look at them, then run with ALMANAC_UPDATE_SNAPSHOTS=1");
}
