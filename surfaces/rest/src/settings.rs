pub use door::{Flood, Reach};

/// How the surface is reached and guarded.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub reach: Reach,
    pub flood: Flood,
}
