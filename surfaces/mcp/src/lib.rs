//! The MCP surface: every operation as a tool, over HTTP and stdio, in every protocol revision.
//!
//! [`Mcp`] holds the tools of an engine; [`Mcp::router`] serves them at `/mcp`, [`stdio::serve`] on two streams.

mod answer;
mod backend;
pub mod bridge;
mod challenge;
mod envelope;
mod gate;
pub mod instructions;
mod mcp;
mod protocol;
pub mod raw;
mod reply;
mod resources;
mod server;
mod settings;
mod stack;
pub mod stdio;
pub mod tool;
mod toolset;
mod visit;

pub use backend::{Backend, Said, Unsaid};
pub use mcp::Mcp;
pub use protocol::{Era, VERSIONS};
pub use settings::{Flood, Reach, Settings};
