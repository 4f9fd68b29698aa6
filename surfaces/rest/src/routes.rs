//! From the catalog to paths and verbs.

use std::collections::BTreeMap;

use http::Method;
use operation::{Catalog, Verb};

use crate::surface::is_head;

/// One path below `/api/v1` and the operations at it.
#[derive(Debug)]
pub(crate) struct Route {
    pub path: &'static str,
    verbs: Vec<(Verb, &'static str)>,
}

/// Every path of the catalog, once.
pub(crate) fn of(catalog: &Catalog) -> Vec<Route> {
    let mut paths: BTreeMap<&'static str, Vec<(Verb, &'static str)>> = BTreeMap::new();
    for entry in catalog.iter() {
        let verbs = std::iter::once(entry.effect.verb()).chain(entry.also);
        paths.entry(entry.path).or_default().extend(verbs.map(|verb| (verb, entry.name)));
    }
    paths.into_iter().map(|(path, verbs)| Route { path, verbs }).collect()
}

impl Route {
    /// Name of the operation that a method asks for.
    pub fn operation(&self, method: &Method) -> Option<&'static str> {
        let asked = if is_head(method) { "GET" } else { method.as_str() };
        self.verbs.iter().find(|(verb, _)| verb.as_str() == asked).map(|(_, name)| *name)
    }

    /// Value of the `Allow` header.
    pub fn allow(&self) -> String {
        let mut names: Vec<&str> = self.verbs.iter().map(|(verb, _)| verb.as_str()).collect();
        if names.contains(&"GET") {
            names.push("HEAD");
        }
        names.push("OPTIONS");
        names.sort_unstable();
        names.join(", ")
    }
}
