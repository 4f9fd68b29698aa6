/// How the endpoint is reached and guarded.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Public origin without a slash at the end: `https://almanac.example`, `http://localhost:8787`.
    pub base_url: String,
    /// Further `Host` names that are accepted, with or without a port.
    pub hosts: Vec<String>,
    /// Accepted `Origin`s beside the base; on an https base, if not empty, the only ones.
    pub origins: Vec<String>,
    /// The listener is bound to loopback: loopback `Host` names are accepted.
    pub on_loopback: bool,
    /// Serve callers without a credential: operations that need none, and `sign_in`.
    pub anonymous: bool,
    /// The own authorization server is on: challenges name its metadata. Without it personal tokens are the only
    /// credential, and a 401 carries only `Bearer realm="almanac"`.
    pub oauth: bool,
    pub flood: Flood,
}

/// Requests a minute and process; a loopback peer is not counted.
#[derive(Debug, Clone, Copy)]
pub struct Flood {
    pub per_credential: u32,
    /// A network is a /24 of IPv4 or a /64 of IPv6.
    pub per_network: u32,
}

impl Default for Flood {
    fn default() -> Self {
        Self { per_credential: 600, per_network: 1200 }
    }
}
