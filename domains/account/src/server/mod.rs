//! Whether this server works, and what it offers.

mod capabilities;
mod conventions;
mod get_capabilities;
mod ping;
mod tools;
mod workflows;

use operation::{Listed, local};

pub(crate) const OPERATIONS: &[Listed] = &[local::<get_capabilities::GetCapabilities>, local::<ping::Ping>];

pub(crate) use ping::STATEMENTS;

/// Version of the build; every crate of the workspace has the same.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
