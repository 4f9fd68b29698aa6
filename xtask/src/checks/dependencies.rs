//! Licences and versions of everything we build on, against `xtask/dependencies.txt`.

use std::{collections::BTreeMap, fs, path::Path};

use super::{licence::is_met, program::Program};
use crate::metadata::{self, Package};

/// What the list allows: `licence NAME` and `duplicate CRATE reason …`, a line each.
#[derive(Debug, Default)]
struct Allowed<'a> {
    licences: Vec<&'a str>,
    duplicates: Vec<&'a str>,
}

const LIST: &str = "xtask/dependencies.txt";

/// Refuses a dependency under a licence that the list does not have.
pub fn licences(root: &Path) -> Result<(), String> {
    let (text, packages) = (list(root)?, dependencies(root)?);
    let allowed = Allowed::read(&text)?;
    println!("{} dependencies, {} licences allowed", packages.len(), allowed.licences.len());
    said(unlicensed(&packages, &allowed))
}

/// Refuses two versions of one crate, save where the list says why.
pub fn duplicates(root: &Path) -> Result<(), String> {
    let (text, packages) = (list(root)?, dependencies(root)?);
    let allowed = Allowed::read(&text)?;
    println!("{} dependencies, {} may have two versions", packages.len(), allowed.duplicates.len());
    said(doubled(&packages, &allowed))
}

impl<'a> Allowed<'a> {
    fn read(text: &'a str) -> Result<Self, String> {
        let mut allowed = Self::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.split_once(' ') {
                Some(("licence", name)) => allowed.licences.push(name.trim()),
                Some(("duplicate", rest)) => match rest.trim().split_once(' ') {
                    Some((name, _)) => allowed.duplicates.push(name),
                    None => return Err(format!("{LIST}: say why {rest} may have two versions")),
                },
                _ => return Err(format!("{LIST}: cannot read `{line}`")),
            }
        }
        Ok(allowed)
    }
}

fn unlicensed(packages: &[Package], allowed: &Allowed) -> Vec<String> {
    let fits = |licence: &str| allowed.licences.contains(&licence);
    packages
        .iter()
        .filter(|package| !package.licence.as_deref().is_some_and(|licence| is_met(licence, &fits)))
        .map(|package| {
            let licence = package.licence.as_deref().unwrap_or("no licence");
            format!("{} {}: {licence} is not allowed by {LIST}", package.name, package.version)
        })
        .collect()
}

fn doubled(packages: &[Package], allowed: &Allowed) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    let unexplained = versions
        .iter()
        .filter(|(name, _)| !allowed.duplicates.contains(name))
        .map(|(name, versions)| format!("{name} is built in versions {}", versions.join(", ")));
    let stale = allowed
        .duplicates
        .iter()
        .filter(|name| !versions.contains_key(*name))
        .map(|name| format!("{LIST} explains two versions of {name}, which has one"));
    unexplained.chain(stale).collect()
}

fn list(root: &Path) -> Result<String, String> {
    fs::read_to_string(root.join(LIST)).map_err(|error| format!("{LIST}: {error}"))
}

/// Everything from outside that this platform builds.
fn dependencies(root: &Path) -> Result<Vec<Package>, String> {
    let version = Program::new("rustc", root).args(["-vV"]).output()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;
    let packages = metadata::packages(root, Some(host))?;
    Ok(packages.into_iter().filter(|package| package.folder.is_none()).collect())
}

fn said(faults: Vec<String>) -> Result<(), String> {
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str, licence: Option<&str>) -> Package {
        Package {
            name: name.into(),
            version: version.into(),
            licence: licence.map(str::to_owned),
            folder: None,
            dependencies: Vec::new(),
        }
    }

    const TEXT: &str = "# ours\nlicence MIT\n\nduplicate syn 2 for most, 3 for schemars\n";

    #[test]
    fn a_licence_that_nobody_allowed_is_refused() {
        let allowed = Allowed::read(TEXT).unwrap();
        let packages =
            [package("a", "1.0.0", Some("MIT")), package("b", "1.0.0", Some("AGPL-3.0")), package("c", "1.0.0", None)];
        assert_eq!(unlicensed(&packages, &allowed).len(), 2);
    }

    #[test]
    fn two_versions_need_a_reason_and_a_reason_needs_two_versions() {
        let allowed = Allowed::read(TEXT).unwrap();
        let one = |name: &str, version: &str| package(name, version, Some("MIT"));
        assert_eq!(doubled(&[one("syn", "2.0.0"), one("syn", "3.0.0")], &allowed), Vec::<String>::new());
        assert_eq!(doubled(&[one("syn", "2.0.0")], &allowed).len(), 1);
        let more = [one("syn", "2.0.0"), one("syn", "3.0.0"), one("url", "1.0.0"), one("url", "2.0.0")];
        assert_eq!(doubled(&more, &allowed), ["url is built in versions 1.0.0, 2.0.0"]);
    }

    #[test]
    fn a_duplicate_without_a_reason_is_refused() {
        assert!(Allowed::read("duplicate syn\n").is_err());
    }
}
