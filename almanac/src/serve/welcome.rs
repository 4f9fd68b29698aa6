//! What a starting server says on standard error: where it is, and what to do next.

use std::{net::SocketAddr, path::PathBuf};

use serde_json::{Value, json};
use storage::DatabaseUrl;

use crate::config::{BaseUrl, Settings};

pub fn print(settings: &Settings, base: &BaseUrl, address: SocketAddr, claimed: bool) {
    let almanac = std::env::current_exe().map_or_else(|_| "almanac".into(), |path| path.display().to_string());
    eprint!("{}", text(settings, base, address, claimed, &almanac));
}

fn text(settings: &Settings, base: &BaseUrl, address: SocketAddr, claimed: bool, almanac: &str) -> String {
    let mut lines = vec![format!("Almanac {} serves at {base} (listening on {address}).", env!("CARGO_PKG_VERSION"))];
    if let Ok(database) = settings.database_url() {
        lines.push(format!("Database: {database}"));
    }
    if !address.ip().is_loopback() && settings.base_url.is_none() && settings.hosts.0.is_empty() {
        lines.push("Only loopback names are answered; --base-url and ALMANAC_HOSTS allow others.".into());
    }
    let command = own_command(settings, almanac);
    let token =
        format!("  {command} create-access-token --person you@example.org --name laptop --scope \"profile journal\"");
    if claimed {
        lines.extend([String::new(), "A token for an assistant comes from:".into(), token]);
    } else {
        let person = format!("  {command} create-person you@example.org --name \"Your name\" --timezone Europe/Lisbon");
        lines.extend([
            String::new(),
            "It has no owner yet. While it runs, make one and a token:".into(),
            person,
            token,
        ]);
    }
    lines.extend([String::new(), "Put that token in the place of alm_… to connect".into()]);
    lines.extend(connections(settings, base, almanac));
    lines.push(String::new());
    lines.join("\n")
}

fn connections(settings: &Settings, base: &BaseUrl, almanac: &str) -> [String; 5] {
    let url = format!("{base}/mcp");
    let header = "--header \"Authorization: Bearer alm_…\"";
    let headers = json!({"Authorization": "Bearer alm_…"});
    let code = json!({"servers": {"almanac": {"type": "http", "url": url, "headers": headers}}});
    let cursor = json!({"mcpServers": {"almanac": {"url": url, "headers": headers}}});
    let desktop = json!({"mcpServers": {"almanac": of_desktop(settings, base, almanac)}});
    [
        format!("  Claude Code     claude mcp add --transport http almanac {url} {header}"),
        format!("  Claude Desktop  claude_desktop_config.json: {desktop}"),
        format!("  VS Code         .vscode/mcp.json: {code}"),
        format!("  Cursor          ~/.cursor/mcp.json: {cursor}"),
        format!("  curl            curl --header \"Authorization: Bearer alm_…\" {base}/api/v1/users/me"),
    ]
}

/// Claude Desktop starts programs: on the same file, or, where the database is a server's, as a client of this one.
fn of_desktop(settings: &Settings, base: &BaseUrl, almanac: &str) -> Value {
    let mut environment = json!({"ALMANAC_MCP_CLIENT_TOKEN": "alm_…"});
    match settings.database_url() {
        Ok(DatabaseUrl::Postgres(_)) => {
            return json!({"command": almanac, "args": ["mcp", "--api-url", base.to_string()], "env": environment});
        }
        Ok(DatabaseUrl::Sqlite(path)) if settings.database.is_some() => {
            environment["ALMANAC_DATABASE_URL"] = format!("sqlite:{}", absolute(&path).display()).into();
        }
        Ok(DatabaseUrl::Sqlite(_)) | Err(_) => {
            if let Some(data) = &settings.data {
                environment["ALMANAC_DATA"] = absolute(data).display().to_string().into();
            }
        }
    }
    json!({"command": almanac, "args": ["mcp"], "env": environment})
}

/// How this very binary is called for this very data.
fn own_command(settings: &Settings, almanac: &str) -> String {
    let mut command = quoted(almanac);
    if let Some(data) = &settings.data {
        command.push_str(&format!(" --data {}", quoted(&absolute(data).display().to_string())));
    }
    match settings.database_url() {
        // Its URL may hold a password, which is never printed.
        Ok(DatabaseUrl::Postgres(_)) => command.push_str(" --database \"$ALMANAC_DATABASE_URL\""),
        Ok(DatabaseUrl::Sqlite(path)) if settings.database.is_some() => {
            let url = format!("sqlite:{}", absolute(&path).display());
            command.push_str(&format!(" --database {}", quoted(&url)));
        }
        Ok(DatabaseUrl::Sqlite(_)) | Err(_) => {}
    }
    command
}

fn absolute(path: &std::path::Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// As a shell takes it.
fn quoted(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-:\\".contains(c));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Given;

    fn welcome(env: &[(&str, &str)], claimed: bool) -> String {
        let find = |name: &str| env.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
        let settings = Given::collect(|_| None, find, None).and_then(|given| Settings::read(&given)).unwrap();
        let address = "127.0.0.1:8787".parse().unwrap();
        text(&settings, &BaseUrl::local(8787), address, claimed, "/usr/bin/almanac")
    }

    #[test]
    fn an_instance_without_an_owner_names_both_commands() {
        let text = welcome(&[("ALMANAC_DATA", "/srv/my data")], false);
        assert!(text.contains("/usr/bin/almanac --data '/srv/my data' create-person "), "{text}");
        assert!(text.contains("/usr/bin/almanac --data '/srv/my data' create-access-token "), "{text}");
        assert!(!welcome(&[("ALMANAC_DATA", "/srv/a")], true).contains("create-person"));
    }

    #[test]
    fn every_client_is_told_how_to_connect() {
        let text = welcome(&[("ALMANAC_DATA", "/srv/a")], true);
        for client in ["Claude Code", "Claude Desktop", "VS Code", "Cursor", "curl"] {
            assert!(text.contains(client), "{client}: {text}");
        }
    }

    #[test]
    fn the_commands_lead_to_the_database_that_is_served() {
        let text = welcome(&[("ALMANAC_DATA", "/srv/a"), ("DATABASE_URL", "sqlite:/srv/b.db")], false);
        assert!(text.contains("--database sqlite:/srv/b.db create-person "), "{text}");
        let text = welcome(&[("ALMANAC_DATA", "/srv/a"), ("DATABASE_URL", "postgres://ana@db/almanac")], false);
        assert!(text.contains("--database \"$ALMANAC_DATABASE_URL\" create-person "), "{text}");
    }

    #[test]
    fn no_password_is_printed() {
        let env = [("ALMANAC_DATA", "/srv/a"), ("DATABASE_URL", "postgres://ana:secret@db/almanac")];
        let text = welcome(&env, true);
        assert!(!text.contains("secret"), "{text}");
        assert!(text.contains("--api-url"), "{text}");
    }
}
