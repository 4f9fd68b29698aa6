//! The tools of a catalog, written once, and which of them a caller sees.

use std::sync::Arc;

use operation::{Catalog, Effect, Entry, Needs, Toolset};

use crate::{
    raw::Extras,
    tool::{SIGN_IN, Tool, sign_in},
    visit::Visit,
};

/// Every tool that may be shown or called.
pub(crate) struct Tools {
    catalog: Arc<Catalog>,
    /// Sorted by name bytewise.
    list: Vec<Tool>,
    /// Shown to visitors where signing in opens anything.
    sign_in: Option<Tool>,
    raw: Vec<String>,
    raw_names: Vec<String>,
}

impl Tools {
    /// `Err` lists every operation that cannot be shown.
    pub fn new(catalog: Arc<Catalog>, extras: Option<&dyn Extras>) -> Result<Self, Vec<String>> {
        let mut list = Vec::new();
        let mut faults = Vec::new();
        for entry in catalog.iter().filter(|entry| entry.off_mcp.is_none()) {
            match Tool::of(entry) {
                Ok(tool) => list.push(tool),
                Err(found) => faults.extend(found),
            }
        }
        if catalog.get(SIGN_IN).is_some() {
            faults.push(format!("{SIGN_IN} is the name of the plumbing tool"));
        }
        let raw = extras.map(Extras::tools).unwrap_or_default();
        let closed = |tool: &Tool| catalog.get(tool.name).is_some_and(|entry| entry.needs != Needs::Anonymous);
        let sign_in = list.iter().any(closed).then(sign_in);
        let raw_names = raw.iter().map(|tool| tool.name.to_string()).collect();
        let raw = raw.iter().map(serde_json::to_string).collect::<Result<_, _>>();
        match raw {
            Ok(raw) if faults.is_empty() => Ok(Self { catalog, list, sign_in, raw, raw_names }),
            Ok(_) => Err(faults),
            Err(error) => Err(vec![error.to_string()]),
        }
    }

    pub fn has_sign_in(&self) -> bool {
        self.sign_in.is_some()
    }

    /// Whether the fixture has a raw tool of this name.
    pub fn has_raw(&self, name: &str) -> bool {
        self.raw_names.iter().any(|known| known == name)
    }

    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// The operation behind a tool name; none where the name is unknown or not on this connection.
    pub fn find(&self, name: &str, toolset: &Toolset) -> Option<&Entry> {
        let callable =
            |entry: &&Entry| entry.off_mcp.is_none() && !(toolset.reads_only() && entry.effect != Effect::Reads);
        self.catalog.get(name).filter(callable)
    }

    /// The `tools` array of `tools/list` as JSON text.
    pub fn listed(&self, visit: &Visit) -> Vec<u8> {
        let (caller, toolset) = (visit.caller(), visit.toolset());
        let shown = |tool: &&Tool| {
            self.catalog.get(tool.name).is_some_and(|entry| entry.is_listed_for(caller) && toolset.holds(entry))
        };
        let mut tools: Vec<&Tool> = self.list.iter().filter(shown).collect();
        if let Some(sign_in) = self.sign_in.as_ref().filter(|_| caller.person.is_none()) {
            let at = tools.partition_point(|tool| tool.name < SIGN_IN);
            tools.insert(at, sign_in);
        }
        let mut texts: Vec<&str> = tools.iter().map(|tool| tool.text.as_str()).collect();
        texts.extend(self.raw.iter().map(String::as_str));
        array(&texts)
    }
}

fn array(texts: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(texts.iter().map(|text| text.len() + 1).sum::<usize>() + 2);
    bytes.push(b'[');
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            bytes.push(b',');
        }
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes.push(b']');
    bytes
}

/// The value of `tools` in a query, decoded as far as toolset names need it.
pub(crate) fn of_query(query: Option<&str>) -> String {
    let pairs = query.unwrap_or_default().split('&');
    let values = pairs.filter_map(|pair| pair.strip_prefix("tools="));
    values.map(|value| value.replace("%2C", ",").replace("%2c", ",")).collect::<Vec<_>>().join(",")
}
