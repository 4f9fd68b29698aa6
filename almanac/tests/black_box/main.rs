//! Tests of the built binary from outside: HTTP, MCP in both eras, stdio, the bridge, the command line.

mod budget;
mod compat;
mod house;
mod pipe;
mod rpc;
mod walker;
mod wire;
