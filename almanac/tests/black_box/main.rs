//! Tests of the built binary from outside: HTTP, MCP in both eras, stdio, the bridge, the command line.

mod budget;
mod compat;
mod house;
mod pipe;
mod postgres;
mod rpc;
mod snapshots;
mod surfaces;
mod sweeps;
mod walker;
mod wire;

/// The domains as the binary lists them.
#[path = "../../src/domains.rs"]
#[expect(dead_code, reason = "the binary uses the rest of it")]
mod domains;
