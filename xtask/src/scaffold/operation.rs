use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    listing::{formatted, with_entry, with_line},
    names::{Name, capitalized},
};

/// Words of the template that its author replaces; `tidy` refuses them anywhere.
const PLACEHOLDERS: [&str; 2] = ["Says in one sentence what a caller gets", "has no logic yet"];

const LIST: &str = "OPERATIONS: &[Listed] = &[";

/// Writes `domains/DOMAIN/src/NOUN/NAME.rs` and lists it in the noun's `mod.rs`; makes the noun when it is missing.
pub fn new_operation(root: &Path, domain: &str, noun: &str, name: &str) -> Result<(), String> {
    let domain = Name::parse("a domain", domain)?;
    let noun = Name::parse("a noun", noun)?;
    let name = Name::parse("an operation", name)?;
    let source = root.join("domains").join(domain.snake()).join("src");
    if !source.is_dir() {
        return Err(format!("there is no domain {0}; `cargo xtask new-domain {0}` makes one", domain.snake()));
    }
    let file = source.join(noun.snake()).join(format!("{}.rs", name.snake()));
    if file.exists() {
        return Err(format!("{} is there already", shown(root, &file)));
    }
    let contents = source.join(noun.snake()).join("mod.rs");
    let is_new = !contents.exists();
    let listed = listing(&read_or(&contents, &empty_noun(noun))?, name)
        .ok_or_else(|| format!("{} has no list `{LIST}…`", shown(root, &contents)))?;
    fs::create_dir_all(source.join(noun.snake())).map_err(|error| error.to_string())?;
    write(&file, &formatted(&operation(name, noun, &area(&source, domain)), root)?)?;
    write(&contents, &formatted(&listed, root)?)?;
    println!("wrote {} and listed it in {}", shown(root, &file), shown(root, &contents));
    if is_new { add_noun(root, &source, noun) } else { Ok(()) }
}

/// The noun's contents with the two lines of one more operation.
fn listing(contents: &str, name: Name) -> Option<String> {
    let text = with_line(contents, "mod ", &format!("mod {};", name.snake()));
    let listed = with_entry(&text, LIST, &format!("local::<{}::{}>", name.snake(), name.camel()))?;
    Some(if contents.contains("local") { listed } else { listed.replacen("Listed", "Listed, local", 1) })
}

fn add_noun(root: &Path, source: &Path, noun: Name) -> Result<(), String> {
    let library = source.join("lib.rs");
    let named = with_line(&read_or(&library, "")?, "mod ", &format!("mod {};", noun.snake()));
    write(&library, &formatted(&named, root)?)?;
    let file = description(source);
    let text = read_or(&file, "")?;
    let list = format!("crate::{}::OPERATIONS", noun.snake());
    let Some(listed) = with_entry(&text, "operations: &[", &list) else {
        println!("add {list} to the domain's operations by hand");
        return Ok(());
    };
    let entity = format!(
        "operation::Entity {{ name: \"{}\", summary: \"{}.\" }}",
        noun.singular(),
        capitalized(&noun.snake().replace('_', " "))
    );
    let described = with_entry(&listed, "entities: &[", &entity);
    match &described {
        Some(_) => println!("listed the noun {} in {}: write its entity's summary", noun.snake(), shown(root, &file)),
        None => println!("add the entity {} to the domain's entities by hand", noun.singular()),
    }
    write(&file, &formatted(&described.unwrap_or(listed), root)?)
}

/// The file in which the domain describes itself.
fn description(source: &Path) -> PathBuf {
    let own = source.join("domain.rs");
    if own.exists() { own } else { source.join("lib.rs") }
}

fn empty_noun(noun: Name) -> String {
    format!(
        "//! {}.\n\nuse operation::{{Listed, local}};\n\npub const OPERATIONS: &[Listed] = &[];\n",
        capitalized(&noun.snake().replace('_', " "))
    )
}

/// The domain's area, as its own description names it.
fn area(source: &Path, domain: Name) -> String {
    let text = fs::read_to_string(description(source)).unwrap_or_default();
    text.split_once("area: Area::")
        .map(|(_, rest)| rest.chars().take_while(char::is_ascii_alphanumeric).collect())
        .unwrap_or_else(|| domain.camel())
}

fn operation(name: Name, noun: Name, area: &str) -> String {
    let (camel, snake, effect) = (name.camel(), name.snake(), name.effect());
    let needs = if effect == "Reads" { "reading" } else { "writing" };
    format!(
        r#"use operation::{{Area, Call, Effect, Failure, Local, Needs, Operation, Role}};
use schemars::JsonSchema;
use serde::{{Deserialize, Serialize}};
use serde_json::{{Value, json}};
use storage::Tx;

/// {sentence}.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct {camel} {{}}

#[derive(Debug, Serialize, JsonSchema)]
pub struct {camel}Answer {{
    pub summary: String,
}}

impl Operation for {camel} {{
    const NAME: &'static str = "{snake}";
    const PATH: &'static str = "/{path}";
    const EFFECT: Effect = Effect::{effect};
    const NEEDS: Needs = Needs::{needs}(Area::{area});
    const ENTITY: &'static str = "{entity}";
    const ROLE: Role = Role::{role};
    type Output = {camel}Answer;

    fn example() -> Value {{
        json!({{}})
    }}
}}

impl Local for {camel} {{
    async fn run(&self, _tx: &mut Tx, _call: &Call) -> Result<Self::Output, Failure> {{
        Err(Failure::internal("{snake} {unwritten}"))
    }}
}}
"#,
        sentence = PLACEHOLDERS[0],
        unwritten = PLACEHOLDERS[1],
        path = noun.snake().replace('_', "-"),
        entity = noun.singular(),
        role = name.role(),
    )
}

fn shown(root: &Path, file: &Path) -> String {
    file.strip_prefix(root).unwrap_or(file).display().to_string()
}

fn read_or(file: &Path, otherwise: &str) -> Result<String, String> {
    if file.exists() {
        fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
    } else {
        Ok(otherwise.to_owned())
    }
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
