pub use door::{Flood, Reach};

/// How the endpoint is reached and guarded.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub reach: Reach,
    pub flood: Flood,
    /// Serve callers without a credential: operations that need none, and `sign_in`.
    pub anonymous: bool,
    /// The own authorization server is on: challenges name its metadata. Without it personal tokens are the only
    /// credential, and a 401 carries only `Bearer realm="almanac"`.
    pub oauth: bool,
}
