//! Serves the whole stack with the tools, prompts and resources that the conformance suite of the protocol asks for:
//! `cargo run -p mcp --example conformance -- --listen 127.0.0.1:8100`. Never shipped; no credentials.

mod asks;
mod fixture;
mod pages;
mod tools;

use std::net::SocketAddr;

use mcp::{Mcp, Reach, Settings};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = address(std::env::args().skip(1))?;
    let reach = Reach { base_url: format!("http://{address}"), on_loopback: true, ..Reach::default() };
    let settings = Settings { reach, anonymous: true, ..Settings::default() };
    let mcp = Mcp::over(fixture::Fixture::new()?, settings)?;
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("http://{address}/mcp");
    axum::serve(axum::serve::ListenerExt::tap_io(listener, set_nodelay), mcp.router()).await?;
    Ok(())
}

fn set_nodelay(socket: &mut tokio::net::TcpStream) {
    if let Err(error) = socket.set_nodelay(true) {
        eprintln!("TCP_NODELAY: {error}");
    }
}

fn address(mut arguments: impl Iterator<Item = String>) -> Result<SocketAddr, Box<dyn std::error::Error>> {
    match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => Ok(SocketAddr::from(([127, 0, 0, 1], 8100))),
        (Some("--listen"), Some(address)) => Ok(address.parse()?),
        _ => Err("usage: conformance [--listen 127.0.0.1:8100]".into()),
    }
}
