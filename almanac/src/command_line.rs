//! The whole command line: settings, host commands, operations.

use clap::{Arg, ArgAction, Command, value_parser};
use operation::Catalog;

use crate::config::ALL;

/// Flags of `serve`, which is also what runs without a subcommand.
const OF_SERVE: [&str; 2] = ["listen", "base_url"];

pub fn command(catalog: &Catalog) -> Command {
    let command = Command::new("almanac")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A record of what you eat and weigh, for you and your assistants")
        .after_help(cli::grouped_help(catalog))
        .max_term_width(110)
        .args(global_flags())
        .args(flags_of_serve())
        .subcommands(host_commands())
        .subcommands(cli::commands(catalog));
    with_credentials_for(command)
}

fn host_commands() -> Vec<Command> {
    let file = |help: &'static str| {
        Arg::new("file").value_name("FILE").required(true).value_parser(value_parser!(std::path::PathBuf)).help(help)
    };
    vec![
        Command::new("serve").about("Serves REST and MCP; also what runs without a command").args(flags_of_serve()),
        Command::new("mcp")
            .about("Speaks MCP on standard input and output")
            .arg(option("as", "EMAIL", "Act as this person of the local database, without a token"))
            .arg(option("tools", "NAMES", "Only these toolsets: everyday, read, or names of domains")),
        create_person(),
        Command::new("operations").about("Lists every operation").arg(cli::output_argument()),
        demo(),
        Command::new("doctor").about("Checks the database and says what to do").arg(cli::output_argument()),
        Command::new("backup").about("Copies the database, also while it is served").arg(file("The new file")),
        Command::new("restore").about("Puts a backup in the place of the database").arg(file("The backup")),
        Command::new("migrate").about("Brings the database to this version").arg(cli::output_argument()),
        Command::new("reference")
            .about("Writes a page of docs/reference")
            .hide(true)
            .arg(Arg::new("page").required(true).value_parser(["settings", "openapi", "tools"])),
    ]
}

fn create_person() -> Command {
    Command::new("create-person")
        .about("Makes a person; the first one owns this Almanac")
        .arg(Arg::new("email").value_name("EMAIL").required(true))
        .arg(option("name", "NAME", "What to call them; default: what stands before the @"))
        .arg(option("timezone", "ZONE", "IANA name such as Europe/Lisbon; default: UTC until they set it"))
        .arg(Arg::new("admin").long("admin").action(ArgAction::SetTrue).help("Also an administrator"))
        .arg(cli::output_argument())
}

fn demo() -> Command {
    Command::new("demo")
        .about("Fills a demo person with 90 days of meals and weights")
        .arg(option("until", "YYYY-MM-DD", "The last day; default: today"))
        .arg(
            Arg::new("into-existing")
                .long("into-existing")
                .action(ArgAction::SetTrue)
                .help("Also into a database that has people"),
        )
        .arg(cli::output_argument())
}

/// `create-access-token` is an operation; on the host it also takes the person, and prints the bare token.
fn with_credentials_for(command: Command) -> Command {
    command.mut_subcommand("create-access-token", |command| {
        command
            .hide(false)
            .mut_arg("as", |arg| arg.visible_alias("person"))
            .mut_arg("scopes", |arg| arg.visible_alias("scope"))
            .mut_arg("output", |arg| {
                arg.value_parser(["json", "table", "text"]).value_name("json|table|text").help("text: the token alone")
            })
    })
}

fn global_flags() -> impl Iterator<Item = Arg> {
    let config = option("config", "FILE", "File of settings; default: almanac.conf in the data folder");
    let flags = flags(|name| !OF_SERVE.contains(&name)).chain([config]);
    flags.map(|flag| flag.global(true).help_heading("Settings"))
}

fn flags_of_serve() -> impl Iterator<Item = Arg> {
    flags(|name| OF_SERVE.contains(&name))
}

fn flags(which: impl Fn(&str) -> bool) -> impl Iterator<Item = Arg> {
    ALL.iter().filter(move |setting| setting.flag && which(setting.name)).map(|setting| {
        let env = setting.env.first().map(|name| format!(" [{name}]")).unwrap_or_default();
        let docs = setting.docs.trim().replace('`', "");
        let help = docs.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned();
        option(setting.name, setting.value_name, &format!("{help}{env}")).long_help(format!("{docs}{env}"))
    })
}

fn option(name: &'static str, value_name: &'static str, help: &str) -> Arg {
    Arg::new(name).long(name.replace('_', "-")).value_name(value_name).help(help.to_owned())
}
