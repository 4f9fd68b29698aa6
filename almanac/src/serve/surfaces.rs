//! All HTTP surfaces as one router.

use axum::Router;
use cli::Complaint;
use engine::Engine;

use crate::{
    config::{Anonymous, BaseUrl, Settings},
    house::misconfigured,
};

pub fn router(engine: &Engine, settings: &Settings, base: &BaseUrl, on_loopback: bool) -> Result<Router, Complaint> {
    let reach = rest::Reach {
        base_url: base.to_string(),
        hosts: settings.hosts.0.clone(),
        origins: settings.origins.0.clone(),
        on_loopback,
    };
    let mcp = mcp::Mcp::new(engine.clone(), mcp_settings(reach.clone(), settings))
        .map_err(|unfit| misconfigured(&format!("The catalog cannot be served over MCP:\n{unfit}")))?;
    let rest = rest::router(engine.clone(), rest::Settings { reach, ..rest::Settings::default() });
    Ok(rest.merge(rest::gate(engine.clone(), mcp.router())))
}

/// What `/mcp` and `almanac mcp` are built from.
pub fn mcp_settings(reach: rest::Reach, settings: &Settings) -> mcp::Settings {
    mcp::Settings {
        reach,
        // No domain shows anything to visitors yet, so `auto` serves none.
        anonymous: settings.anonymous == Anonymous::On,
        ..mcp::Settings::default()
    }
}
