use std::io::IsTerminal as _;

use clap::{Arg, ArgMatches};
use serde_json::Value;

use crate::table::table;

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Json,
    Table,
    /// The one thing that was asked for, where a command has such a thing.
    Text,
}

/// `--output json|table`.
pub fn output_argument() -> Arg {
    Arg::new("output")
        .long("output")
        .value_name("json|table")
        .value_parser(["json", "table"])
        .hide_possible_values(true)
        .help("How the answer is written; json when standard output is no terminal")
}

/// The form that was asked for, else the one that suits standard output. `bool`: it was asked for.
pub fn form_of(matches: &ArgMatches) -> (Form, bool) {
    match matches.try_get_one::<String>("output").ok().flatten().map(String::as_str) {
        Some("json") => (Form::Json, true),
        Some("text") => (Form::Text, true),
        Some(_) => (Form::Table, true),
        None if std::io::stdout().is_terminal() => (Form::Table, false),
        None => (Form::Json, false),
    }
}

/// The answer as text, with a line end. JSON is one line.
pub fn shown(answer: &Value, form: Form) -> String {
    match form {
        Form::Json | Form::Text => format!("{answer}\n"),
        Form::Table => table(answer),
    }
}
