use std::collections::BTreeMap;

use operation::{Call, Entry, Toolset};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    VERSION,
    conventions::Conventions,
    tools::{Tool, ToolsOfEntity, by_entity},
    workflows::{Way, ways},
};

/// The map of what a connection can do, made from the catalog.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Capabilities {
    server: Server,
    /// Tool to begin with.
    recommended_entrypoint: Option<&'static str>,
    granted_scopes: Vec<String>,
    toolset: Shown,
    conventions: Conventions,
    entities: Vec<Noun>,
    tools_by_entity: BTreeMap<&'static str, ToolsOfEntity>,
    tools_other: Vec<Tool>,
    common_workflows: Vec<Way>,
    /// How to get what was left out for length.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Server {
    name: &'static str,
    version: &'static str,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Shown {
    /// Names of the toolset of this connection; empty: everything granted.
    active: Vec<String>,
    listed: usize,
    left_out: usize,
    /// How to see what is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    widen: Option<String>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Noun {
    name: &'static str,
    summary: &'static str,
}

/// Where to begin, by preference.
const ENTRY_POINTS: [&str; 5] =
    ["get_next_best_action", "get_today_context", "get_macros_today", "get_user_profile", "get_my_access"];
/// Room for the rest of the answer below the limit of 24 kB.
const MOST_BYTES: usize = 23_500;

impl Capabilities {
    /// What `call`'s connection may see, of one domain or of all.
    pub fn of(call: &Call, domain: Option<&str>) -> Self {
        let granted: Vec<&Entry> = call.catalog.iter().filter(|entry| is_granted(entry, call)).collect();
        let listed: Vec<&Entry> = granted.iter().copied().filter(|entry| call.toolset.holds(entry)).collect();
        let chosen = |name: &str| domain.is_none_or(|domain| domain == name);
        let shown: Vec<&Entry> = listed.iter().copied().filter(|entry| chosen(entry.domain)).collect();
        let usable = |name: &str| listed.iter().any(|entry| entry.name == name);
        let domains = call.catalog.domains.iter().filter(|domain| chosen(domain.name));
        let map = Self {
            server: Server { name: "almanac", version: VERSION },
            recommended_entrypoint: ENTRY_POINTS.into_iter().find(|name| usable(name)),
            granted_scopes: call.caller.scopes.iter().map(|scope| scope.to_string()).collect(),
            toolset: Shown::of(call, listed.len(), granted.len() - listed.len()),
            conventions: Conventions::of(call, &listed),
            entities: nouns(domains.clone().flat_map(|domain| domain.entities), &shown),
            tools_by_entity: by_entity(&shown),
            tools_other: shown
                .iter()
                .filter(|entry| entry.role == operation::Role::Other)
                .map(|e| Tool::of(e))
                .collect(),
            common_workflows: domains.flat_map(|domain| domain.workflows).filter_map(|way| ways(way, usable)).collect(),
            hint: None,
        };
        map.within(MOST_BYTES)
    }

    /// Without the tools' lines where the whole is too long.
    fn within(mut self, most_bytes: usize) -> Self {
        if serde_json::to_vec(&self).is_ok_and(|text| text.len() > most_bytes) {
            self.tools_by_entity.values_mut().for_each(ToolsOfEntity::drop_summaries);
            self.hint = Some("Give domain to see what each tool does.");
        }
        self
    }
}

/// Whether an assistant on this connection may call it.
fn is_granted(entry: &Entry, call: &Call) -> bool {
    entry.off_mcp.is_none() && entry.is_listed_for(&call.caller)
}

fn nouns<'a>(entities: impl Iterator<Item = &'a operation::Entity>, shown: &[&Entry]) -> Vec<Noun> {
    entities
        .filter(|entity| shown.iter().any(|entry| entry.entity == entity.name))
        .map(|entity| Noun { name: entity.name, summary: entity.summary })
        .collect()
}

impl Shown {
    fn of(call: &Call, listed: usize, left_out: usize) -> Self {
        let widen = (left_out > 0).then(|| {
            let known = Toolset::known(&call.catalog).join(", ");
            format!(
                "The person can connect without ?tools= for everything granted, or with other names in it: {known}. \
                 Some hosts then need to be connected anew."
            )
        });
        Self { active: call.toolset.names.clone(), listed, left_out, widen }
    }
}
