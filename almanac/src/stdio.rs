//! `almanac mcp`: MCP on standard input and output.

use std::sync::Arc;

use clap::ArgMatches;
use cli::Complaint;
use engine::Engine;
use mcp::{Mcp, bridge::Bridge, stdio::Who};
use operation::{Failure, Toolset};

use crate::{
    config::Settings,
    house::{self, misconfigured},
    serve::mcp_settings,
};

/// Serves until standard input ends. Nothing but protocol is written to standard output.
pub async fn run(settings: &Settings, matches: &ArgMatches) -> Result<(), Complaint> {
    let tools = matches.get_one::<String>("tools").map_or("", String::as_str);
    let email = matches.get_one::<String>("as").cloned();
    match &settings.api_url {
        Some(api) => over_a_server(settings, api, email, tools).await,
        None => over_the_database(settings, email, tools).await,
    }
}

async fn over_the_database(settings: &Settings, email: Option<String>, tools: &str) -> Result<(), Complaint> {
    let engine = house::open(settings, &house::base_url(settings)).await?;
    let mcp = Mcp::new(engine.clone(), of(settings)).map_err(|unfit| misconfigured(&unfit.to_string()))?;
    let served = match who(&engine, settings, email).await {
        Ok(who) => serve(&mcp, who, tools).await,
        Err(complaint) => Err(complaint),
    };
    house::close(engine).await;
    served
}

/// The bridge: opens no database and reads nothing of one.
async fn over_a_server(settings: &Settings, api: &str, email: Option<String>, tools: &str) -> Result<(), Complaint> {
    if email.is_some() {
        return Err(Complaint::of("misused", "--as works on the local database only; a server goes by the token.", 2));
    }
    let bridge = Bridge::new(house::remote(settings, api)?, Arc::new(house::catalog(settings)?));
    let mcp = Mcp::over(bridge.clone(), of(settings)).map_err(|unfit| misconfigured(&unfit.to_string()))?;
    let who = bridge.who();
    // A server that is away may come back; a token that it refuses will not.
    match who("assistant:stdio".into()).await {
        Err(refused @ Failure::InvalidCredential(_)) => Err(refused.into()),
        Ok(_) | Err(_) => serve(&mcp, who, tools).await,
    }
}

async fn serve(mcp: &Mcp, who: Who, tools: &str) -> Result<(), Complaint> {
    Toolset::parse(tools, mcp.catalog())
        .map_err(|unknown| unknown_toolset(&unknown, &Toolset::known(mcp.catalog())))?;
    let served = mcp::stdio::serve(mcp, who, tools, tokio::io::stdin(), tokio::io::stdout()).await;
    served.map_err(|error| Complaint::of("unavailable", &format!("The pipe broke: {error}."), 1))
}

fn unknown_toolset(unknown: &str, known: &[&str]) -> Complaint {
    let message = format!("--tools: {unknown} is no toolset; there are {}.", known.join(", "));
    Complaint::of("unknown_toolset", &message, 2)
}

fn of(settings: &Settings) -> mcp::Settings {
    let base = house::base_url(settings).to_string();
    mcp_settings(rest::Reach { base_url: base, on_loopback: true, ..rest::Reach::default() }, settings)
}

fn nobody(failure: Failure, email: &str) -> Complaint {
    match failure {
        Failure::NotFound { .. } => {
            Complaint::of("not_found", &format!("There is no person with the address {email}."), 5)
        }
        other => other.into(),
    }
}

/// The caller of each message: a token, or on the host a person by address. Refused at start when there is neither.
async fn who(engine: &Engine, settings: &Settings, email: Option<String>) -> Result<Who, Complaint> {
    let engine = engine.clone();
    if let Some(email) = email {
        engine.caller_on_host(Some(&email)).await.map_err(|failure| nobody(failure, &email))?;
        return Ok(Arc::new(move |source| {
            let (engine, email) = (engine.clone(), email.clone());
            Box::pin(async move {
                let mut caller = engine.caller_on_host(Some(&email)).await?;
                caller.source = source;
                Ok(caller)
            })
        }));
    }
    let Some(token) = settings.mcp_client_token.clone() else {
        let message = "Put an access token into ALMANAC_MCP_CLIENT_TOKEN (almanac create-access-token makes one), or give --as EMAIL.";
        return Err(Complaint::of("unauthenticated", message, 3));
    };
    engine.caller_of_credential(&token, "assistant:stdio").await?;
    Ok(Arc::new(move |source| {
        let (engine, token) = (engine.clone(), token.clone());
        Box::pin(async move { engine.caller_of_credential(&token, &source).await as Result<_, Failure> })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_toolset_names_the_valid_ones() {
        let said = unknown_toolset("nope", &["everyday", "read"]).to_string();
        assert!(said.contains("--tools: nope is no toolset; there are everyday, read."), "{said}");
    }

    #[test]
    fn an_address_without_a_person_is_named() {
        let said = nobody(Failure::not_found("person", "x"), "nobody@example.com").to_string();
        assert!(said.contains("There is no person with the address nobody@example.com."), "{said}");
    }
}
