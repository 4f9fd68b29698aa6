//! What was typed, as an input.

use std::io::Read as _;

use clap::ArgMatches;
use operation::{Entry, Failure};
use serde_json::{Map, Value};

/// The input of `--json` and the flags together. `Invalid` when it is no JSON object or gives a parameter twice.
pub fn input(entry: &Entry, matches: &ArgMatches) -> Result<Map<String, Value>, Failure> {
    let mut input = match matches.get_one::<String>("json") {
        Some(text) => object(text)?,
        None => Map::new(),
    };
    for (name, value) in entry.input.from_text(typed(entry, matches)) {
        if input.insert(name.clone(), value).is_some() {
            return Err(Failure::invalid(
                name.clone(),
                format!("give exactly one of --{}, --json", name.replace('_', "-")),
            ));
        }
    }
    Ok(input)
}

fn typed<'a>(entry: &'a Entry, matches: &'a ArgMatches) -> impl Iterator<Item = (&'a str, &'a str)> {
    entry.input.names().flat_map(|name| {
        let values = matches.try_get_many::<String>(name).ok().flatten();
        values.into_iter().flatten().map(move |value| (name, value.as_str()))
    })
}

fn object(text: &str) -> Result<Map<String, Value>, Failure> {
    let wrong = |reason: String| Failure::invalid("--json", reason);
    let text = match text.strip_prefix('@') {
        Some("-") => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(|error| wrong(format!("standard input: {error}")))?;
            text
        }
        Some(file) => std::fs::read_to_string(file).map_err(|error| wrong(format!("{file}: {error}")))?,
        None => text.to_owned(),
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(wrong("must be one JSON object".into())),
        Err(error) => Err(wrong(format!("is not valid JSON: {error}"))),
    }
}
