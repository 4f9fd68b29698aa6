//! What a refused caller is told: the `WWW-Authenticate` value and the sentence beside it.

use operation::{Catalog, Failure, Scope, Scopes};
use serde_json::Value;

use crate::Settings;

/// Builds `WWW-Authenticate` values from configuration alone.
#[derive(Debug, Clone)]
pub(crate) struct Challenges {
    /// `None`: personal tokens only.
    metadata_url: Option<String>,
    /// Every scope of the domains that are switched on, plain form.
    baseline: Scopes,
}

impl Challenges {
    pub fn new(settings: &Settings, catalog: &Catalog) -> Self {
        let url = || format!("{}/.well-known/oauth-protected-resource/mcp", settings.reach.base_url);
        Self {
            metadata_url: settings.oauth.then(url),
            baseline: catalog.areas().into_iter().map(Scope::write).collect(),
        }
    }

    /// For a failure that a credential would cure; `granted` is what the caller has. `tools` is the toolset query of
    /// the URL, which the metadata answers too.
    pub fn of(&self, failure: &Failure, granted: Scopes, tools: &str) -> String {
        let (error, scope) = match failure {
            Failure::MissingScope { needs, .. } => (Some("insufficient_scope"), granted.union(*needs)),
            Failure::InvalidCredential(_) => (Some("invalid_token"), self.baseline),
            _ => (None, self.baseline),
        };
        if self.metadata_url.is_none() && error != Some("insufficient_scope") {
            return "Bearer realm=\"almanac\"".into();
        }
        let mut pairs = Vec::new();
        pairs.extend(error.map(|error| ("error", error.to_owned())));
        pairs.extend(error.map(|_| ("error_description", sentence(failure))));
        pairs.extend(self.metadata_url.as_ref().map(|url| ("resource_metadata", with_tools(url, tools))));
        pairs.push(("scope", scope.to_string()));
        let pairs: Vec<String> =
            pairs.into_iter().map(|(name, value)| format!("{name}=\"{}\"", quoted(&value))).collect();
        format!("Bearer {}", pairs.join(", "))
    }
}

/// The failure in words: what is missing and how to get it.
pub(crate) fn sentence(failure: &Failure) -> String {
    member(failure, "message")
}

/// `unauthenticated`, `invalid_token`, `insufficient_scope` …
pub(crate) fn code(failure: &Failure) -> String {
    member(failure, "error")
}

fn member(failure: &Failure, name: &str) -> String {
    failure.body(0)[name].as_str().map_or_else(String::new, str::to_owned)
}

/// The body of a refusal on HTTP.
pub(crate) fn body(failure: &Failure) -> Value {
    serde_json::json!({"error": code(failure), "error_description": sentence(failure)})
}

fn with_tools(url: &str, tools: &str) -> String {
    if tools.is_empty() { url.to_owned() } else { format!("{url}?tools={tools}") }
}

/// ASCII without quotes and backslashes, as a quoted string holds it.
fn quoted(text: &str) -> String {
    text.chars().filter(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\')).collect()
}
