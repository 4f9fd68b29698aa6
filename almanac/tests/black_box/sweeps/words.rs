//! Names, texts and files of every operation.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use operation::Effect;
use serde_json::Value;

use super::catalog::catalog;
use crate::walker;

/// Parameters whose names a domain's own description of Almanac gives as exact.
const EXACT_NAMES: [&str; 0] = [];
/// Tools whose names are so long that some hosts shorten them.
const LONG_NAMES: [&str; 0] = [];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../domains")
}

fn files_below(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.insert(path.file_stem().expect("a name").to_string_lossy().into_owned());
        }
    }
}

#[test]
fn an_operation_stands_in_the_file_of_its_name() {
    let mut files = BTreeSet::new();
    files_below(&sources(), &mut files);
    let missing: Vec<&str> = catalog().iter().map(|entry| entry.name).filter(|name| !files.contains(*name)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn no_two_operations_answer_at_one_verb_and_path() {
    let mut seen = BTreeSet::new();
    for entry in catalog().iter() {
        for verb in [Some(entry.effect.verb()), entry.also].into_iter().flatten() {
            assert!(seen.insert((verb.as_str(), entry.path)), "{} {}", verb.as_str(), entry.path);
        }
    }
}

#[test]
fn a_description_says_what_it_does_in_its_first_sentence() {
    for entry in catalog().iter() {
        let length = entry.docs.chars().count();
        assert!((20..=700).contains(&length), "{}: {length} characters", entry.name);
        assert!(
            entry.docs.starts_with(|c: char| c.is_ascii_uppercase()) && entry.docs.ends_with('.'),
            "{}",
            entry.docs
        );
    }
}

#[test]
fn new_names_are_short() {
    let long: Vec<&str> = catalog().iter().map(|entry| entry.name).filter(|name| name.len() > 21).collect();
    assert_eq!(long, LONG_NAMES);
}

#[test]
fn ranges_and_rows_are_named_alike_everywhere() {
    let mistaken = ["id", "start", "end", "start_date", "end_date", "since", "until", "date_from", "date_to", "days"];
    for entry in catalog().iter() {
        for field in &entry.input.list {
            let exact = EXACT_NAMES.contains(&field.name.as_str());
            assert!(exact || !mistaken.contains(&field.name.as_str()), "{}: {}", entry.name, field.name);
        }
    }
}

#[test]
fn every_example_is_an_input() {
    for entry in catalog().iter() {
        let faults = entry.input.check(entry.example.clone()).err();
        assert!(faults.is_none(), "{}: {faults:?}", entry.name);
    }
}

#[test]
fn removing_asks_for_a_yes() {
    for entry in catalog().iter().filter(|entry| entry.effect == Effect::Removes) {
        let schema = entry.input.schema();
        let required = schema["required"].as_array().is_some_and(|fields| fields.contains(&Value::from("confirm")));
        assert!(required, "{}", entry.name);
    }
}

#[test]
fn every_input_is_portable() {
    for entry in catalog().iter() {
        assert_eq!(walker::input_faults(&entry.input.schema()), Vec::<String>::new(), "{}", entry.name);
    }
}

#[test]
fn the_scope_of_a_called_operation_is_covered() {
    let catalog = catalog();
    for entry in catalog.iter() {
        for called in entry.calls {
            let inner =
                catalog.get(called).unwrap_or_else(|| panic!("{} calls {called}, which is not there", entry.name));
            assert_eq!(inner.needs, entry.needs, "{} calls {called}", entry.name);
        }
    }
}

#[test]
fn what_is_kept_off_mcp_is_a_short_list() {
    let off: Vec<&str> = catalog().iter().filter(|entry| entry.off_mcp.is_some()).map(|entry| entry.name).collect();
    assert_eq!(off, ["create_access_token"]);
}
