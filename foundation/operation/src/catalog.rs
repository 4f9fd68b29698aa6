//! Everything a server offers: domains, their operations, and the words around them.

use std::collections::{BTreeMap, BTreeSet};

use storage::{Migration, Sql, Table};

use crate::{Area, Caller, Effect, Entry, Needs};

/// How a noun lists its operations: `pub const OPERATIONS: &[Listed] = &[local::<GetMeals>, repeatable::<LogMeal>]`.
pub type Listed = fn() -> Result<Entry, String>;

/// One domain, as it presents itself to the rest of the house.
#[derive(Clone, Copy)]
pub struct Domain {
    pub name: &'static str,
    pub area: Area,
    /// One list per noun.
    pub operations: &'static [&'static [Listed]],
    pub tables: &'static [Table],
    pub migrations: &'static [Migration],
    /// Every SQL text, one list per record file.
    pub statements: &'static [&'static [Sql]],
    /// Statements that each count the rows of owner `$1` that are pinned to a user-day: a change of zone or day start
    /// says how many stay where they are.
    pub pinned: &'static [Sql],
    /// How columns of its captured tables are told to people.
    pub columns: &'static [Column],
    pub entities: &'static [Entity],
    pub workflows: &'static [Workflow],
    pub resources: &'static [Resource],
    /// The domain's part of the MCP instructions: whole, and in one sentence when another domain comes first.
    pub instructions: Instructions,
}

#[derive(Debug, Clone, Copy)]
pub struct Instructions {
    pub long: &'static str,
    pub short: &'static str,
}

/// A column whose stored form is not what people should read where a change shows it. Others are shown as stored;
/// instants (`…_at`) are shown as times, and the columns that every captured table has are left out by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// `meal.kcal`
    pub path: &'static str,
    pub shown: Shown,
}

/// How a column is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Not at all: folded text and other bookkeeping.
    Hidden,
    /// 0 and 1 as false and true.
    Flag,
    /// Stored in tenths; shown whole, under this name: `protein_g`.
    Tenths(&'static str),
}

impl Column {
    pub const fn hidden(path: &'static str) -> Self {
        Self { path, shown: Shown::Hidden }
    }

    pub const fn flag(path: &'static str) -> Self {
        Self { path, shown: Shown::Flag }
    }

    pub const fn tenths(path: &'static str, name: &'static str) -> Self {
        Self { path, shown: Shown::Tenths(name) }
    }
}

/// A noun of `get_capabilities`.
#[derive(Debug, Clone, Copy)]
pub struct Entity {
    pub name: &'static str,
    pub summary: &'static str,
}

/// A way through several operations, in prose.
#[derive(Debug, Clone, Copy)]
pub struct Workflow {
    pub name: &'static str,
    pub when: &'static str,
    /// Steps; operations are named in backticks. A step whose operations do not all exist is left out.
    pub steps: &'static [&'static str],
}

/// An MCP resource: the answer of an operation called without input, or one member of it.
#[derive(Debug, Clone, Copy)]
pub struct Resource {
    pub uri: &'static str,
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub operation: &'static str,
    /// The member of the answer that is the resource; `None`: the whole answer.
    pub member: Option<&'static str>,
}

/// All operations of the domains that are switched on, sorted by name.
pub struct Catalog {
    pub domains: Vec<Domain>,
    entries: BTreeMap<&'static str, Entry>,
}

impl Catalog {
    /// `Err` lists everything wrong with the domains: bad names, duplicates, unportable inputs, missing words.
    pub fn new(domains: &[Domain]) -> Result<Self, Vec<String>> {
        let mut entries = BTreeMap::new();
        let mut faults = Vec::new();
        for domain in domains {
            for listed in domain.operations.iter().flat_map(|noun| noun.iter()) {
                match listed() {
                    Ok(mut entry) => {
                        entry.domain = domain.name;
                        faults.extend(faults_of(&entry, domain));
                        let name = entry.name;
                        if entries.insert(name, entry).is_some() {
                            faults.push(format!("{name} is listed twice"));
                        }
                    }
                    Err(fault) => faults.push(fault),
                }
            }
        }
        if faults.is_empty() { Ok(Self { domains: domains.to_vec(), entries }) } else { Err(faults) }
    }

    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name)
    }

    /// Every operation, by name bytewise.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    pub fn domain(&self, name: &str) -> Option<&Domain> {
        self.domains.iter().find(|domain| domain.name == name)
    }

    pub fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.domains.iter().flat_map(|domain| domain.resources)
    }

    /// The first of the given names that is an operation here; texts name it as the entry point.
    pub fn first_existing<'a>(&self, names: &[&'a str]) -> Option<&'a str> {
        names.iter().copied().find(|name| self.entries.contains_key(name))
    }

    /// Areas with at least one operation: what a person of this server may use at all.
    pub fn areas(&self) -> BTreeSet<Area> {
        self.entries
            .values()
            .filter_map(|entry| match entry.needs {
                Needs::Scope(scope) => Some(scope.area),
                _ => None,
            })
            .collect()
    }
}

fn faults_of(entry: &Entry, domain: &Domain) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |text: &str| faults.push(format!("{}: {text}", entry.name));
    if !is_name(entry.name) {
        fault("is not a name (a-z, 0-9, _; at most 40)");
    }
    if entry.docs.is_empty() {
        fault("has no doc comment");
    }
    if !domain.entities.iter().any(|entity| entity.name == entry.entity) {
        fault("belongs to an entity that its domain does not list");
    }
    for field in &entry.input.list {
        if !is_name(&field.name) {
            fault(&format!("parameter {} is not a name", field.name));
        }
        if field.docs.is_empty() {
            fault(&format!("parameter {} has no doc comment", field.name));
        }
    }
    for name in entry.path_parameters() {
        if entry.input.get(name).is_none() {
            fault(&format!("path parameter {name} is no field"));
        }
    }
    faults
}

fn is_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Which part of the granted operations a connection shows (`specs/mcp.md` §9.2). It shortens the list and changes
/// nobody's rights, save that a `read` toolset has no writing operations at all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Toolset {
    /// As given, in order; empty: everything granted.
    pub names: Vec<String>,
}

impl Toolset {
    pub const EVERYDAY: &'static str = "everyday";
    pub const READ: &'static str = "read";

    /// Reads `everyday,read`. `Err` is the first unknown name.
    pub fn parse(text: &str, catalog: &Catalog) -> Result<Self, String> {
        let names: Vec<String> = text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let known = Self::known(catalog);
        match names.iter().find(|name| !known.contains(&name.as_str())) {
            Some(unknown) => Err(unknown.clone()),
            None => Ok(Self { names }),
        }
    }

    /// Every name that may be given.
    pub fn known(catalog: &Catalog) -> Vec<&'static str> {
        let mut known = vec![Self::EVERYDAY, Self::READ];
        known.extend(catalog.domains.iter().map(|domain| domain.name));
        known
    }

    pub fn reads_only(&self) -> bool {
        self.names.iter().any(|name| name == Self::READ)
    }

    pub fn holds(&self, entry: &Entry) -> bool {
        if self.reads_only() && entry.effect != Effect::Reads {
            return false;
        }
        let mut sets = self.names.iter().filter(|name| *name != Self::READ).peekable();
        sets.peek().is_none() || sets.any(|name| name == entry.domain || (name == Self::EVERYDAY && entry.everyday))
    }
}

impl Entry {
    /// Whether lists show it to this caller: scope, role, and the way it may be reached. The same table decides calls.
    pub fn is_listed_for(&self, caller: &Caller) -> bool {
        let admin = caller.person.as_ref().is_some_and(|person| person.is_admin);
        caller.may(self.needs) && (!self.admin || admin)
    }
}
