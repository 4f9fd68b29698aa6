use std::{fs, path::Path};

use super::{
    listing::{formatted, with_entry, with_line},
    names::Name,
};

const DOMAINS: &str = "almanac/src/domains.rs";

/// Writes `domains/NAME`, a domain without operations, and adds it to the workspace and to the binary.
pub fn new_domain(root: &Path, name: &str) -> Result<(), String> {
    let name = Name::parse("a domain", name)?;
    let folder = root.join("domains").join(name.snake());
    if folder.exists() {
        return Err(format!("domains/{} is there already", name.snake()));
    }
    let workspace = edited(&root.join("Cargo.toml"), |text| in_workspace(text, name))?;
    let binary = edited(&root.join("almanac/Cargo.toml"), |text| Some(in_binary(text, name)))?;
    let domains =
        edited(&root.join(DOMAINS), |text| with_entry(text, "&[Domain] = &[", &format!("{}::DOMAIN", name.snake())))?;
    fs::create_dir_all(folder.join("src")).map_err(|error| error.to_string())?;
    write(&folder.join("Cargo.toml"), &manifest(name))?;
    let library = format!("//! The {} domain.\n\nmod domain;\n\npub use domain::DOMAIN;\n", name.snake());
    write(&folder.join("src/lib.rs"), &library)?;
    write(&folder.join("src/domain.rs"), &formatted(&description(name, &known_area(root, name)), root)?)?;
    write(&root.join("Cargo.toml"), &workspace)?;
    write(&root.join("almanac/Cargo.toml"), &binary)?;
    write(&root.join(DOMAINS), &formatted(&domains, root)?)?;
    println!("wrote domains/{0} and named it in Cargo.toml, almanac/Cargo.toml and {DOMAINS}", name.snake());
    println!("next: its words in domains/{}/src/domain.rs, then `cargo xtask new-operation`", name.snake());
    Ok(())
}

fn in_workspace(text: &str, name: Name) -> Option<String> {
    let text = with_entry_line(text, "members = [", &format!("    \"domains/{}\",", name.snake()))?;
    let dependency = format!("{0} = {{ path = \"domains/{0}\" }}", name.snake());
    let at = text.find("[workspace.dependencies]\n")? + "[workspace.dependencies]\n".len();
    Some(format!("{}{dependency}\n{}", &text[..at], &text[at..]))
}

fn in_binary(text: &str, name: Name) -> String {
    let line = format!("{}.workspace = true", name.snake());
    text.replacen("[dependencies]\n", &format!("[dependencies]\n{line}\n"), 1)
}

/// A TOML list has an entry per line here, in order.
fn with_entry_line(text: &str, head: &str, line: &str) -> Option<String> {
    let start = text.find(head)? + head.len() + 1;
    let end = start + text[start..].find(']')?;
    Some(format!("{}{}{}", &text[..start], with_line(&text[start..end], "    \"", line), &text[end..]))
}

/// The area of the domain's own name, where `operation` has it; else the person's own.
fn known_area(root: &Path, name: Name) -> String {
    let known = fs::read_to_string(root.join("foundation/operation/src/access.rs")).unwrap_or_default();
    if known.contains(&format!("Area::{},", name.camel())) { name.camel() } else { "Profile".to_owned() }
}

fn manifest(name: Name) -> String {
    format!(
        r#"[package]
name = "{}"
version.workspace = true
edition.workspace = true
rust-version.workspace = true
license.workspace = true
publish.workspace = true

[lints]
workspace = true

[dependencies]
calendar.workspace = true
operation.workspace = true
schemars.workspace = true
serde.workspace = true
serde_json.workspace = true
storage.workspace = true

[dev-dependencies]
testkit.workspace = true
tokio.workspace = true
"#,
        name.snake()
    )
}

fn description(name: Name, area: &str) -> String {
    format!(
        r#"use operation::{{Area, Domain, Instructions}};

/// The domain, as the binary lists it.
pub const DOMAIN: Domain = Domain {{
    name: "{0}",
    area: Area::{area},
    operations: &[],
    tables: &[],
    migrations: &[],
    statements: &[],
    pinned: &[],
    columns: &[],
    entities: &[],
    workflows: &[],
    resources: &[],
    instructions: Instructions {{ long: "", short: "" }},
}};
"#,
        name.snake()
    )
}

fn edited(file: &Path, edit: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    edit(&text).ok_or_else(|| format!("{} has no list of domains to add to", file.display()))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
