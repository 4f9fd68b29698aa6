//! What a starting server says on standard error: where it is, and what to do next.

use std::net::SocketAddr;

use crate::config::{BaseUrl, Settings};

pub fn print(settings: &Settings, base: &BaseUrl, address: SocketAddr, claimed: bool) {
    eprint!("{}", text(settings, base, address, claimed, &own_command(settings)));
}

/// How this very binary is called for this very data.
fn own_command(settings: &Settings) -> String {
    let path = std::env::current_exe().map_or_else(|_| "almanac".into(), |path| path.display().to_string());
    let mut command = quoted(&path);
    if let Some(data) = &settings.data {
        command.push_str(&format!(" --data {}", quoted(&data.display().to_string())));
    }
    command
}

fn text(settings: &Settings, base: &BaseUrl, address: SocketAddr, claimed: bool, almanac: &str) -> String {
    let mut text = format!("Almanac {} serves at {base} (listening on {address}).\n", env!("CARGO_PKG_VERSION"));
    if let Ok(database) = settings.database_url() {
        text.push_str(&format!("Database: {database}\n"));
    }
    if !address.ip().is_loopback() && settings.base_url.is_none() && settings.hosts.0.is_empty() {
        text.push_str("Only loopback names are answered: give --base-url or ALMANAC_HOSTS for others.\n");
    }
    if !claimed {
        text.push_str(&format!(
            "\nIt has no owner yet. Beside this process, run:\n  \
             {almanac} create-person you@example.org --name \"Your name\" --timezone Europe/Lisbon\n"
        ));
    }
    let again = if claimed { "\nA token for an assistant (yours again any time):" } else { " " };
    text.push_str(&format!(
        "{again}\n  {almanac} create-access-token --person you@example.org --name laptop --scope \"profile journal\"\n"
    ));
    text.push_str(&connections(settings, base, almanac));
    text
}

fn connections(settings: &Settings, base: &BaseUrl, almanac: &str) -> String {
    let executable = std::env::current_exe().map_or_else(|_| "almanac".into(), |path| path.display().to_string());
    let mut environment = serde_json::json!({"ALMANAC_MCP_CLIENT_TOKEN": "alm_…"});
    if let Some(data) = &settings.data {
        environment["ALMANAC_DATA"] = data.display().to_string().into();
    }
    let desktop =
        serde_json::json!({"mcpServers": {"almanac": {"command": executable, "args": ["mcp"], "env": environment}}});
    let headers = serde_json::json!({"Authorization": "Bearer alm_…"});
    let url = format!("{base}/mcp");
    let code = serde_json::json!({"servers": {"almanac": {"type": "http", "url": url, "headers": headers}}});
    let cursor = serde_json::json!({"mcpServers": {"almanac": {"url": url, "headers": headers}}});
    format!(
        "\nConnect with that token in the place of alm_…:\n\
         Claude Code     claude mcp add --transport http almanac {url} --header \"Authorization: Bearer alm_…\"\n\
         Claude Desktop  in claude_desktop_config.json: {desktop}\n\
         VS Code         in .vscode/mcp.json: {code}\n\
         Cursor          in ~/.cursor/mcp.json: {cursor}\n\
         curl            curl -H \"Authorization: Bearer alm_…\" {base}/api/v1/users/me\n\
         Everything else: {almanac} --help\n"
    )
}

/// As a shell takes it.
fn quoted(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-:\\".contains(c));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
