//! Which `Host` and `Origin` may speak to us: what keeps a foreign web page from a server on loopback.

use http::{HeaderMap, Uri, header};

/// Under which names a server is reached.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    /// Public origin without a slash at the end: `https://almanac.example`, `http://localhost:8787`.
    pub base_url: String,
    /// Further `Host` names that are accepted, with or without a port.
    pub hosts: Vec<String>,
    /// Accepted `Origin`s beside the base; on an https base, if not empty, the only ones.
    pub origins: Vec<String>,
    /// The listener is bound to loopback: loopback `Host` names are accepted.
    pub on_loopback: bool,
}

/// The check made from a [`Reach`].
#[derive(Debug, Clone)]
pub struct Origins {
    /// Accepted hosts: with a port only that port, without any.
    hosts: Vec<Authority>,
    loopback_hosts: bool,
    origins: Vec<String>,
    /// Any `Origin` passes: an https base without a list.
    any: bool,
    /// Loopback `Origin`s pass: an http base.
    loopback_origins: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Authority {
    host: String,
    port: Option<u16>,
}

impl Origins {
    pub fn new(reach: &Reach) -> Self {
        let https = reach.base_url.starts_with("https://");
        let base = host_of_origin(&reach.base_url).and_then(Authority::parse);
        let base_host = base.map(|base| Authority { port: None, ..base });
        let on_loopback = reach.on_loopback || base_host.as_ref().is_some_and(|base| is_loopback(&base.host));
        let mut origins: Vec<String> = reach.origins.iter().map(|origin| normal(origin)).collect();
        let any = https && origins.is_empty();
        origins.push(normal(&reach.base_url));
        let hosts = reach.hosts.iter().filter_map(|host| Authority::parse(host));
        Self {
            hosts: base_host.into_iter().chain(hosts).collect(),
            loopback_hosts: on_loopback,
            origins,
            any,
            loopback_origins: !https,
        }
    }

    /// The accepted names as texts, for a library's own check behind this one.
    pub fn allowed_hosts(&self) -> Vec<String> {
        let mut names: Vec<String> = self.hosts.iter().map(Authority::to_text).collect();
        if self.loopback_hosts {
            names.extend(["localhost", "127.0.0.1", "::1"].map(String::from));
        }
        names
    }

    /// What is wrong with the request's `Host` or `Origin`.
    pub fn refuse(&self, uri: &Uri, headers: &HeaderMap) -> Option<&'static str> {
        let host = uri.authority().map(http::uri::Authority::as_str);
        let host = host.or_else(|| headers.get(header::HOST)?.to_str().ok());
        if !host.and_then(Authority::parse).is_some_and(|host| self.accepts_host(&host)) {
            return Some("This server does not answer under that host name.");
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let accepted = origins.all(|origin| origin.to_str().is_ok_and(|origin| self.accepts_origin(origin)));
        (!accepted).then_some("Pages of that origin may not use this server.")
    }

    fn accepts_host(&self, host: &Authority) -> bool {
        let named = |known: &Authority| known.host == host.host && (known.port.is_none() || known.port == host.port);
        (self.loopback_hosts && is_loopback(&host.host)) || self.hosts.iter().any(named)
    }

    fn accepts_origin(&self, origin: &str) -> bool {
        let host = || host_of_origin(origin).and_then(Authority::parse);
        self.any
            || self.origins.contains(&normal(origin))
            || (self.loopback_origins && host().is_some_and(|host| is_loopback(&host.host)))
    }
}

impl Authority {
    fn parse(text: &str) -> Option<Self> {
        let authority: http::uri::Authority = text.parse().ok()?;
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let port = authority.port_u16();
        (!host.is_empty() && !text.contains('@')).then_some(Self { host, port })
    }

    fn to_text(&self) -> String {
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        self.port.map_or_else(|| host.clone(), |port| format!("{host}:{port}"))
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn host_of_origin(origin: &str) -> Option<&str> {
    origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))
}

/// Lower case, without the default port and without a slash at the end.
fn normal(origin: &str) -> String {
    let origin = origin.trim().trim_end_matches('/').to_ascii_lowercase();
    let default = if origin.starts_with("https://") { ":443" } else { ":80" };
    origin.strip_suffix(default).map_or_else(|| origin.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuses(reach: &Reach, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        Origins::new(reach).refuse(&Uri::from_static("/mcp"), &headers).is_some()
    }

    fn at(base: &str) -> Reach {
        Reach { base_url: base.into(), ..Reach::default() }
    }

    #[test]
    fn a_loopback_server_answers_loopback_names_and_pages_only() {
        let reach = Reach { on_loopback: true, ..at("http://localhost:8787") };
        for host in ["localhost:8787", "127.0.0.1:8787", "[::1]:8787", "LOCALHOST"] {
            assert!(!refuses(&reach, host, None), "{host}");
        }
        assert!(refuses(&reach, "evil.example", None));
        assert!(refuses(&reach, "localhost.evil.example", None));
        assert!(refuses(&reach, "x@localhost", None));
        assert!(!refuses(&reach, "localhost", Some("http://127.0.0.1:3000")));
        assert!(!refuses(&reach, "localhost", Some("http://localhost:8787")));
        assert!(refuses(&reach, "localhost", Some("https://evil.example")));
        assert!(refuses(&reach, "localhost", Some("null")));
    }

    #[test]
    fn a_public_server_answers_its_own_name_and_any_page() {
        let reach = at("https://almanac.example");
        assert!(!refuses(&reach, "almanac.example", Some("https://claude.ai")));
        assert!(!refuses(&reach, "Almanac.Example:443", None));
        assert!(refuses(&reach, "127.0.0.1", None));
        assert!(refuses(&reach, "evil.example", None));
    }

    #[test]
    fn a_list_of_origins_is_the_list_on_a_public_server() {
        let reach = Reach { origins: vec!["https://claude.ai".into()], ..at("https://almanac.example") };
        assert!(!refuses(&reach, "almanac.example", Some("https://claude.ai:443")));
        assert!(!refuses(&reach, "almanac.example", Some("https://almanac.example")));
        assert!(refuses(&reach, "almanac.example", Some("https://other.example")));
        assert!(!refuses(&reach, "almanac.example", None));
    }

    #[test]
    fn a_further_host_with_a_port_means_that_port() {
        let reach = Reach { hosts: vec!["inner:8443".into()], ..at("https://almanac.example") };
        assert!(!refuses(&reach, "inner:8443", None));
        assert!(refuses(&reach, "inner:1", None));
    }
}
