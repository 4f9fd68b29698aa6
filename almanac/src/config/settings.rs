use std::{net::SocketAddr, path::PathBuf};

use super::{Anonymous, BaseUrl, LogForm, LogLevel, declare::settings, forms::List};

settings! {
    /// Folder of the database and whatever else Almanac keeps. Default: `almanac` in the platform's data folder
    /// (`$XDG_DATA_HOME`, `~/.local/share`, `~/Library/Application Support`, `%APPDATA%`).
    data: Option<PathBuf> = "", flag true, env ["ALMANAC_DATA"], value "DIR";
    /// `sqlite:PATH`, or `postgres://…` (also `postgresql://`, `postgresql+asyncpg://`). Default: `almanac.db` in the
    /// data folder.
    database: Option<String> = "", flag true, env ["ALMANAC_DATABASE_URL", "DATABASE_URL"], value "URL";
    /// Address and port to serve on. Port 0 takes a free one.
    listen: SocketAddr = "127.0.0.1:8787", flag true, env ["ALMANAC_LISTEN"], value "ADDRESS";
    /// Public origin: `https`, no path, no slash at the end; `http` only for `localhost`, `127.0.0.1` and `[::1]`.
    /// Never derived from a request. Default: `http://localhost:<port>`.
    base_url: Option<BaseUrl> = "", flag true, env ["ALMANAC_BASE_URL"], value "URL";
    /// Which domains are switched on, besides `account`, separated by blanks or commas. Default: all. A domain that is
    /// off has no operations; its data stays.
    domains: List = "", flag false, env ["ALMANAC_DOMAINS"], value "NAMES";
    /// Whether `/mcp` serves callers without a token: `auto` (exactly while a domain shows something to visitors),
    /// `on`, `off`.
    anonymous: Anonymous = "auto", flag false, env ["ALMANAC_ANONYMOUS"], value "auto|on|off";
    /// Further `Host` names that are answered, separated by blanks or commas.
    hosts: List = "", flag false, env ["ALMANAC_HOSTS"], value "NAMES";
    /// Accepted `Origin`s, separated by blanks or commas. On an https base, if given, the only ones.
    origins: List = "", flag false, env ["ALMANAC_ORIGINS"], value "ORIGINS";
    /// Form of the log on standard error: `text` or `json`.
    log: LogForm = "text", flag true, env ["ALMANAC_LOG"], value "text|json";
    /// How much is logged: `error`, `warn`, `info`, `debug`.
    log_level: LogLevel = "warn", flag true, env ["ALMANAC_LOG_LEVEL"], value "LEVEL";
    /// A remote Almanac that commands and `almanac mcp` act on instead of the local database: its origin, `…/api` or
    /// `…/api/v1`. Plain http leads to loopback only.
    api_url: Option<String> = "", flag true, env ["ALMANAC_API_BASE"], value "URL";
    /// Token for the remote Almanac; without it, `mcp_client_token` is. A secret, so it has no flag.
    api_token: Option<String> = "", flag false, env ["ALMANAC_API_TOKEN"], value "TOKEN";
    /// Token that `almanac mcp` acts with. A secret, so it has no flag.
    mcp_client_token: Option<String> = "", flag false, env ["ALMANAC_MCP_CLIENT_TOKEN"], value "TOKEN";
}

impl Settings {
    /// The token for a remote Almanac.
    pub fn remote_token(&self) -> Option<&str> {
        self.api_token.as_deref().or(self.mcp_client_token.as_deref())
    }

    /// The names of domains that are switched on; none: all.
    pub fn domain_names(&self) -> &[String] {
        &self.domains.0
    }
}
