use std::collections::BTreeMap;

use operation::{Entry, Role};
use schemars::JsonSchema;
use serde::Serialize;

/// A tool and the first sentence of its description.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Tool {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
}

/// The tools of one noun.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ToolsOfEntity {
    create: Vec<Tool>,
    read: Vec<Tool>,
    update: Vec<Tool>,
    delete: Vec<Tool>,
}

impl Tool {
    pub fn of(entry: &Entry) -> Self {
        Self { name: entry.name, summary: Some(entry.first_sentence().to_owned()) }
    }
}

impl ToolsOfEntity {
    pub fn drop_summaries(&mut self) {
        for tool in [&mut self.create, &mut self.read, &mut self.update, &mut self.delete].into_iter().flatten() {
            tool.summary = None;
        }
    }

    fn add(&mut self, role: Role, tool: Tool) {
        match role {
            Role::Create => self.create.push(tool),
            Role::Read => self.read.push(tool),
            Role::Update => self.update.push(tool),
            Role::Delete => self.delete.push(tool),
            Role::Other => {}
        }
    }
}

/// The tools by noun and role, but for those whose role is `Other`.
pub fn by_entity(shown: &[&Entry]) -> BTreeMap<&'static str, ToolsOfEntity> {
    let mut tools: BTreeMap<&'static str, ToolsOfEntity> = BTreeMap::new();
    for entry in shown.iter().filter(|entry| entry.role != Role::Other) {
        tools.entry(entry.entity).or_default().add(entry.role, Tool::of(entry));
    }
    tools
}
