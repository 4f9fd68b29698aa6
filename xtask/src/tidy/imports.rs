//! Who may name whom. The arrows of ARCHITECTURE.md, as data.

use crate::metadata::{Dependency, Kind, Package};

/// Where a crate stands, by its folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place<'a> {
    Calendar,
    Storage,
    Operation,
    Identity,
    Engine,
    Testkit,
    Surface,
    Domain(&'a str),
    /// A calculation without I/O inside the domain's folder.
    Pure(&'a str),
    Binary,
    Bench,
    Xtask,
}

/// The domain whose records others may read and write.
const SHARED_DOMAIN: &str = "journal";
const CALLERS_OF_SHARED: [&str; 3] = ["kitchen", "training", "clinic"];
const DRIVERS: [&str; 3] = ["rusqlite", "tokio-postgres", "deadpool-postgres"];

fn place(folder: &str) -> Option<Place<'_>> {
    Some(match folder.split('/').collect::<Vec<_>>()[..] {
        ["foundation", "calendar"] => Place::Calendar,
        ["foundation", "storage"] => Place::Storage,
        ["foundation", "operation"] => Place::Operation,
        ["foundation", "identity"] => Place::Identity,
        ["foundation", "engine"] => Place::Engine,
        ["foundation", "testkit"] => Place::Testkit,
        ["surfaces", _] => Place::Surface,
        ["domains", domain] => Place::Domain(domain),
        ["domains", domain, _] => Place::Pure(domain),
        ["almanac"] => Place::Binary,
        ["bench"] => Place::Bench,
        ["xtask"] => Place::Xtask,
        _ => return None,
    })
}

/// Whether a crate at `from` may name one at `to` in its ordinary dependencies.
fn may_name(from: Place, to: Place, to_name: &str) -> bool {
    use Place::{Bench, Binary, Calendar, Domain, Engine, Identity, Operation, Pure, Storage, Surface, Testkit, Xtask};
    match (from, to) {
        (_, Bench | Xtask | Binary) | (Xtask | Calendar, _) => false,
        (Bench, _) => true,
        (_, Testkit) => false,
        (Binary, _) => true,
        (Storage | Pure(_), Calendar) => true,
        (Pure(from), Pure(to)) => from == to,
        (Storage | Pure(_), _) => false,
        (Operation, to) => matches!(to, Calendar | Storage),
        (Identity, to) => matches!(to, Calendar | Storage | Operation),
        (Engine, to) => matches!(to, Calendar | Storage | Operation | Identity),
        (Testkit, to) => matches!(to, Calendar | Storage | Operation | Identity | Engine),
        (Surface, Surface) => ["remote", "door"].contains(&to_name),
        (Surface, to) => matches!(to, Calendar | Operation | Identity | Engine),
        (Domain(from), Domain(to)) => to == SHARED_DOMAIN && CALLERS_OF_SHARED.contains(&from),
        (Domain(from), Pure(to)) => from == to || may_name(from_domain(from), from_domain(to), to_name),
        (Domain(_), to) => matches!(to, Calendar | Storage | Operation | Identity | Engine),
    }
}

fn from_domain(name: &str) -> Place<'_> {
    Place::Domain(name)
}

/// A crate from outside that only one place may name, in ordinary dependencies.
fn outsider_fault(from: Place, own_name: &str, outsider: &str) -> Option<&'static str> {
    let driver = DRIVERS.contains(&outsider);
    match outsider {
        "rmcp" if own_name != "mcp" => Some("only mcp names rmcp"),
        "axum" | "clap" if matches!(from, Place::Domain(_) | Place::Pure(_)) => Some("a domain knows no surface"),
        _ if driver && !matches!(from, Place::Storage | Place::Bench) => Some("only storage names a database driver"),
        _ => None,
    }
}

/// Every dependency of a workspace crate that the map does not have.
pub fn check(packages: &[Package]) -> Vec<String> {
    let members: Vec<(&Package, &str)> =
        packages.iter().filter_map(|package| package.folder.as_deref().map(|folder| (package, folder))).collect();
    let mut findings = Vec::new();
    for (package, folder) in &members {
        let Some(from) = place(folder) else {
            findings.push(format!("{folder}: stands nowhere on the map; give it a place in xtask/src/tidy/imports.rs"));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|dependency| dependency.kind != Kind::Dev) {
            let inside = members.iter().find(|(member, _)| member.name == dependency.name);
            let fault = match inside {
                Some((member, to)) => inside_fault(from, place(to), &member.name),
                None => outsider_fault(from, &package.name, &dependency.name),
            };
            findings.extend(fault.map(|fault| said(folder, dependency, fault)));
        }
    }
    findings
}

fn inside_fault(from: Place, to: Option<Place>, name: &str) -> Option<&'static str> {
    (!may_name(from, to?, name)).then_some("the map has no such arrow (ARCHITECTURE.md)")
}

fn said(folder: &str, dependency: &Dependency, fault: &str) -> String {
    format!("{folder}/Cargo.toml: names {}: {fault}", dependency.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(folder: &str, dependencies: &[(&str, Kind)]) -> Package {
        Package {
            name: folder.rsplit('/').next().unwrap_or_default().to_owned(),
            version: "0.1.0".into(),
            licence: None,
            folder: Some(folder.to_owned()),
            dependencies: dependencies
                .iter()
                .map(|(name, kind)| Dependency { name: (*name).to_owned(), kind: *kind })
                .collect(),
        }
    }

    fn house(extra: Package) -> Vec<Package> {
        let mut house: Vec<Package> =
            ["foundation/calendar", "foundation/storage", "foundation/engine", "surfaces/remote"]
                .iter()
                .chain(&[
                    "domains/journal",
                    "domains/journal/trend",
                    "domains/account",
                    "foundation/testkit",
                    "almanac",
                ])
                .map(|folder| package(folder, &[]))
                .filter(|member| member.folder != extra.folder)
                .collect();
        house.push(extra);
        house
    }

    fn findings(folder: &str, dependency: &str, kind: Kind) -> usize {
        check(&house(package(folder, &[(dependency, kind)]))).len()
    }

    #[test]
    fn a_surface_names_the_engine_and_the_client_but_neither_domain_nor_storage() {
        assert_eq!(findings("surfaces/rest", "engine", Kind::Normal), 0);
        assert_eq!(findings("surfaces/cli", "remote", Kind::Normal), 0);
        assert_eq!(findings("surfaces/rest", "journal", Kind::Normal), 1);
        assert_eq!(findings("surfaces/rest", "storage", Kind::Normal), 1);
    }

    #[test]
    fn a_domain_names_neither_surfaces_drivers_nor_its_neighbours() {
        for outsider in ["axum", "rmcp", "clap", "rusqlite", "tokio-postgres"] {
            assert_eq!(findings("domains/journal", outsider, Kind::Normal), 1, "{outsider}");
        }
        assert_eq!(findings("domains/account", "journal", Kind::Normal), 1);
        assert_eq!(findings("domains/kitchen", "journal", Kind::Normal), 0);
        assert_eq!(findings("domains/kitchen", "account", Kind::Normal), 1);
    }

    #[test]
    fn a_pure_crate_names_the_calendar_at_most() {
        assert_eq!(findings("domains/journal/plausibility", "trend", Kind::Normal), 0);
        assert_eq!(findings("domains/journal/plausibility", "calendar", Kind::Normal), 0);
        assert_eq!(findings("domains/journal/plausibility", "storage", Kind::Normal), 1);
        assert_eq!(findings("domains/clinic/ranges", "trend", Kind::Normal), 1);
    }

    #[test]
    fn the_foundation_looks_down_only() {
        assert_eq!(findings("foundation/storage", "engine", Kind::Normal), 1);
        assert_eq!(findings("foundation/calendar", "storage", Kind::Normal), 1);
        assert_eq!(findings("foundation/engine", "storage", Kind::Normal), 0);
        assert_eq!(findings("foundation/engine", "journal", Kind::Normal), 1);
    }

    #[test]
    fn tests_may_name_what_the_crate_may_not() {
        assert_eq!(findings("domains/journal", "testkit", Kind::Dev), 0);
        assert_eq!(findings("domains/journal", "testkit", Kind::Normal), 1);
        assert_eq!(findings("surfaces/rest", "journal", Kind::Dev), 0);
    }

    #[test]
    fn a_crate_outside_the_map_is_found() {
        assert_eq!(check(&[package("tools/odd", &[])]).len(), 1);
    }
}
