//! Resources: the answers of operations at addresses, for hosts that show them to a person.

use engine::Request;
use operation::{Catalog, Entry};
use rmcp::model::{ReadResourceResult, Resource, ResourceContents};
use serde_json::{Map, Value};

use crate::{
    backend::{Backend, Unsaid},
    visit::Visit,
};

/// A resource and the operation whose answer it is.
pub(crate) struct Found<'c> {
    pub resource: &'c operation::Resource,
    pub entry: &'c Entry,
}

pub(crate) fn find<'c>(catalog: &'c Catalog, uri: &str) -> Option<Found<'c>> {
    let resource = catalog.resources().find(|resource| resource.uri == uri)?;
    Some(Found { resource, entry: catalog.get(resource.operation)? })
}

/// What this caller may read.
pub(crate) fn listed(catalog: &Catalog, visit: &Visit) -> Vec<Resource> {
    let granted = |resource: &&operation::Resource| {
        catalog.get(resource.operation).is_some_and(|entry| entry.is_listed_for(visit.caller()))
    };
    catalog.resources().filter(granted).map(described).collect()
}

fn described(resource: &operation::Resource) -> Resource {
    Resource::new(resource.uri, resource.name)
        .with_title(resource.title)
        .with_description(resource.description)
        .with_mime_type("application/json")
}

/// Calls the operation and shows its answer without `_meta`.
pub(crate) async fn read(
    backend: &dyn Backend,
    found: &Found<'_>,
    visit: &Visit,
) -> Result<ReadResourceResult, Unsaid> {
    let request = Request {
        caller: visit.caller().clone(),
        operation: found.entry.name.to_owned(),
        input: Value::Object(Map::new()),
        key: None,
        toolset: visit.toolset().clone(),
    };
    let mut object = backend.call(request).await?.object;
    object.shift_remove("_meta");
    let shown = match found.resource.member {
        Some(member) => object.shift_remove(member).unwrap_or_default(),
        None => Value::Object(object),
    };
    let contents = ResourceContents::text(shown.to_string(), found.resource.uri).with_mime_type("application/json");
    Ok(ReadResourceResult::new(vec![contents]))
}
