//! The client against a server that says what a test wants it to say.

mod calls;
mod faults;
#[expect(dead_code, reason = "operations of another server are described here, not run")]
mod operations;
mod server;
