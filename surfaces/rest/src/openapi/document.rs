use operation::{Area, Catalog, Scope};
use serde_json::{Map, Value, json};

use super::{errors, item};

/// The document of a catalog, for `/api/v1/openapi.json` and the reference.
pub fn document(catalog: &Catalog) -> Value {
    let mut paths = Map::new();
    for entry in catalog.iter() {
        let path = paths.entry(entry.path).or_insert_with(|| json!({}));
        for (index, verb) in std::iter::once(entry.effect.verb()).chain(entry.also).enumerate() {
            path[verb.as_str().to_ascii_lowercase()] = item::operation(entry, verb, index > 0);
        }
    }
    paths.sort_keys();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Almanac",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Everything a person can do with Almanac. The same operations are MCP tools and commands.",
        },
        "servers": [{"url": "/api/v1"}],
        "tags": tags(catalog),
        "paths": paths,
        "components": {
            "schemas": errors::schemas(),
            "responses": errors::responses(),
            "securitySchemes": {"token": {
                "type": "http",
                "scheme": "bearer",
                "description": format!("A personal access token (alm_…). Scopes: {}.", scopes(catalog)),
            }},
        },
        "security": [{"token": []}],
    })
}

fn tags(catalog: &Catalog) -> Vec<Value> {
    let used = |name: &str| catalog.iter().any(|entry| entry.domain == name);
    let domains = catalog.domains.iter().filter(|domain| used(domain.name));
    domains.map(|domain| json!({"name": domain.name, "description": domain.instructions.short})).collect()
}

fn scopes(catalog: &Catalog) -> String {
    let areas = catalog.areas();
    let areas = Area::ALL.into_iter().filter(|area| areas.contains(area));
    let names: Vec<String> =
        areas.flat_map(|area| [Scope::write(area), Scope::read(area)]).map(|scope| scope.to_string()).collect();
    names.join(", ")
}
