//! Subcommands from the catalog.

use clap::{Arg, Command};
use operation::{Catalog, Domain, Entry};

use crate::{flags, output::output_argument};

/// Room for a name and its sentence in the list of operations.
const WIDEST: usize = 92;

/// `log_meal` → `log-meal`.
pub fn command_name(operation: &str) -> String {
    operation.replace('_', "-")
}

/// One subcommand per operation. They are left out of clap's own list: [`grouped_help`] shows them by domain.
pub fn commands(catalog: &Catalog) -> impl Iterator<Item = Command> {
    catalog.iter().map(command)
}

/// Every operation by domain, with its first sentence.
pub fn grouped_help(catalog: &Catalog) -> String {
    let groups = catalog.domains.iter().map(|domain| group(domain, catalog)).filter(|group| !group.is_empty());
    groups.collect::<Vec<_>>().join("\n")
}

fn group(domain: &Domain, catalog: &Catalog) -> String {
    let entries: Vec<&Entry> = catalog.iter().filter(|entry| entry.domain == domain.name).collect();
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
    let lines = entries.iter().map(|entry| {
        let sentence = cut(entry.first_sentence().trim_end_matches('.'), WIDEST - width);
        format!("  {:width$}  {sentence}\n", command_name(entry.name))
    });
    let lines: String = lines.collect();
    if lines.is_empty() { lines } else { format!("Operations, {}:\n{lines}", domain.name) }
}

/// At most this many characters, ended at a word.
fn cut(sentence: &str, most: usize) -> String {
    if sentence.chars().count() <= most {
        return sentence.to_owned();
    }
    let mut short = String::new();
    for word in sentence.split_inclusive(' ') {
        if short.chars().count() + word.chars().count() >= most {
            break;
        }
        short.push_str(word);
    }
    format!("{}…", short.trim_end_matches([' ', ',', ':', ';']))
}

fn command(entry: &Entry) -> Command {
    Command::new(command_name(entry.name))
        .about(entry.first_sentence().trim_end_matches('.').to_owned())
        .long_about(entry.docs.clone())
        .hide(true)
        .args(entry.input.list.iter().filter_map(flags::flag))
        .arg(
            Arg::new("json")
                .long("json")
                .value_name("JSON|@FILE")
                .help("The input as one JSON object, from a file with @, from standard input with @-"),
        )
        .arg(
            Arg::new("as")
                .long("as")
                .value_name("EMAIL")
                .help("Act as this person of the local database; default: its owner"),
        )
        .arg(output_argument())
}
