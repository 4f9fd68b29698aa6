//! From what was typed to what it does, and to the exit code.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use clap::ArgMatches;
use cli::{Complaint, Form, Place, form_of};
use operation::Catalog;
use serde_json::Value;

use crate::{
    command_line,
    config::{Given, Settings},
    demo, domains, host,
    house::{self, misconfigured},
    logging, reference, serve, stdio,
};

pub fn run() -> ExitCode {
    let catalog =
        Catalog::new(domains::DOMAINS).unwrap_or_else(|faults| panic!("broken catalog: {}", faults.join("; ")));
    let matches = command_line::command(&catalog).get_matches();
    let deepest = matches.subcommand().map_or(&matches, |(_, inner)| inner);
    let (form, asked_for) = form_of(deepest);
    let done = settings(&matches).and_then(|settings| {
        logging::begin(&settings);
        let runtime = tokio::runtime::Runtime::new();
        let runtime = runtime.map_err(|error| Complaint::of("internal", &error.to_string(), 1))?;
        let done = runtime.block_on(dispatch(&matches, &settings, &catalog));
        // A reader of standard input may still wait for a line.
        runtime.shutdown_background();
        done
    });
    match done {
        Ok(said) => print(said, form),
        Err(complaint) => {
            let as_json = asked_for && form == Form::Json;
            let text = if as_json {
                Value::Object(complaint.body.clone()).to_string()
            } else {
                format!("almanac: {complaint}")
            };
            eprintln!("{text}");
            ExitCode::from(complaint.exit_code)
        }
    }
}

/// What a command has to say on standard output.
enum Said {
    Nothing,
    Text(String),
    Answer(Value),
    /// An answer that is bad news.
    Unwell(Value),
}

/// Commands that no remote server takes: pointed at one, they must not quietly act here.
const ON_THE_HOST: [&str; 6] = ["create-person", "demo", "doctor", "backup", "restore", "migrate"];

async fn dispatch(matches: &ArgMatches, settings: &Settings, catalog: &Catalog) -> Result<Said, Complaint> {
    let Some((name, inner)) = matches.subcommand() else {
        return serve::run(settings).await.map(|()| Said::Nothing);
    };
    if ON_THE_HOST.contains(&name) && settings.api_url.is_some() {
        let message = format!("{name} works on this machine's own database; leave --api-url and ALMANAC_API_BASE out.");
        return Err(Complaint::of("misused", &message, 2));
    }
    match name {
        "serve" => serve::run(settings).await.map(|()| Said::Nothing),
        "mcp" => stdio::run(settings, inner).await.map(|()| Said::Nothing),
        "create-person" => host::create_person(settings, inner).await.map(Said::Answer),
        "operations" => Ok(Said::Answer(cli::listing(&house::catalog(settings)?))),
        "demo" => demo::run(settings, inner).await.map(Said::Answer),
        "doctor" => {
            let (report, well) = host::doctor(settings).await?;
            Ok(if well { Said::Answer(report) } else { Said::Unwell(report) })
        }
        "backup" => host::backup(settings, file(inner)).await.map(Said::Answer),
        "restore" => host::restore(settings, file(inner)).await.map(Said::Answer),
        "migrate" => host::migrate(settings).await.map(Said::Answer),
        "reference" => Ok(Said::Text(page(inner, catalog))),
        name => operation(name, inner, settings, catalog).await,
    }
}

async fn operation(
    name: &str,
    matches: &ArgMatches,
    settings: &Settings,
    catalog: &Catalog,
) -> Result<Said, Complaint> {
    let entry = catalog.iter().find(|entry| cli::command_name(entry.name) == name);
    let entry = entry.ok_or_else(|| Complaint::of("unknown_operation", &format!("There is no command {name}."), 5))?;
    let input = cli::input(entry, matches)?;
    let person = matches.get_one::<String>("as").map(String::as_str);
    let place = place(settings, person).await?;
    let answer = place.call(entry, input).await;
    if let Place::Here { engine, .. } = place {
        house::close(engine).await;
    }
    let answer = answer?;
    match (form_of(matches).0, answer["token"].as_str()) {
        (Form::Text, Some(token)) => Ok(Said::Text(format!("{token}\n"))),
        _ => Ok(Said::Answer(answer)),
    }
}

/// A server where one is named, else the database of this machine.
async fn place(settings: &Settings, person: Option<&str>) -> Result<Place, Complaint> {
    let Some(api) = &settings.api_url else {
        let engine = house::open(settings, &house::base_url(settings)).await?;
        return Place::here(engine, person).await;
    };
    if person.is_some() {
        return Err(Complaint::of(
            "misused",
            "A person can be named on the local database only; a server goes by the token.",
            2,
        ));
    }
    house::remote(settings, api).map(|remote| Place::There(Box::new(remote)))
}

fn settings(matches: &ArgMatches) -> Result<Settings, Complaint> {
    let inner = matches.subcommand().map(|(_, inner)| inner);
    let flag = |name: &str| {
        let of = |matches: &ArgMatches| matches.try_get_one::<String>(name).ok().flatten().cloned();
        inner.and_then(of).or_else(|| of(matches))
    };
    let env = |name: &str| std::env::var(name).ok();
    let config = flag("config").or_else(|| env("ALMANAC_CONFIG").filter(|path| !path.is_empty())).map(PathBuf::from);
    let settings = Given::collect(flag, env, config).and_then(|given| Settings::read(&given));
    let settings = settings.map_err(|faults| misconfigured(&faults.to_string()))?;
    let unknown = settings.domain_names().iter().find(|name| !domains::names().any(|known| known == *name));
    match unknown {
        Some(unknown) => Err(misconfigured(&format!(
            "ALMANAC_DOMAINS: {unknown} is no domain; there are {}",
            domains::names().collect::<Vec<_>>().join(", ")
        ))),
        None => Ok(settings),
    }
}

fn page(matches: &ArgMatches, catalog: &Catalog) -> String {
    match matches.get_one::<String>("page").map(String::as_str) {
        Some("openapi") => format!("{:#}\n", rest::openapi::document(catalog)),
        Some("tools") => reference::tools(catalog),
        _ => reference::settings(),
    }
}

fn file(matches: &ArgMatches) -> &std::path::Path {
    matches.get_one::<PathBuf>("file").expect("clap demands the file")
}

fn print(said: Said, form: Form) -> ExitCode {
    let (text, code) = match said {
        Said::Nothing => return ExitCode::SUCCESS,
        Said::Text(text) => (text, ExitCode::SUCCESS),
        Said::Answer(answer) => (cli::shown(&answer, form), ExitCode::SUCCESS),
        Said::Unwell(report) => (cli::shown(&report, form), ExitCode::FAILURE),
    };
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => code,
        // Whoever read has had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => code,
        Err(error) => {
            eprintln!("almanac: standard output: {error}");
            ExitCode::FAILURE
        }
    }
}
