//! Opening the database with the domains that are on.

use std::{path::Path, sync::Arc};

use cli::Complaint;
use engine::{Clock, Engine, EngineOptions, SystemClock};
use operation::{Catalog, Failure};
use remote::Remote;
use storage::DatabaseUrl;

use crate::{
    config::{BaseUrl, Settings},
    domains,
};

/// The engine on the configured database, on the machine's clock.
pub async fn open(settings: &Settings, base_url: &BaseUrl) -> Result<Engine, Complaint> {
    open_with(settings, base_url, Arc::new(SystemClock)).await
}

/// The same under another clock: only the demo has one.
pub async fn open_with(settings: &Settings, base_url: &BaseUrl, clock: Arc<dyn Clock>) -> Result<Engine, Complaint> {
    let url = settings.database_url().map_err(|sentence| misconfigured(&sentence))?;
    if let DatabaseUrl::Sqlite(path) = &url {
        make_folder_of(path)?;
    }
    let on = domains::switched_on(settings.domain_names());
    let options = EngineOptions { base_url: base_url.to_string(), clock };
    Engine::open(&url, &on, options).await.map_err(|failure| match failure {
        // The log has just said why; the sentence for callers of a server would mislead here.
        Failure::Unavailable { .. } => {
            Complaint::of("unavailable", &format!("The database {url} cannot be opened; the log says why."), 1)
        }
        failure => failure.into(),
    })
}

/// Finishes what was accepted. A fault here loses nothing, so it is only logged.
pub async fn close(engine: Engine) {
    if let Err(failure) = engine.close().await {
        tracing::warn!(?failure, "the database did not close well");
    }
}

/// The catalog of the domains that are on, without a database.
pub fn catalog(settings: &Settings) -> Result<Catalog, Complaint> {
    let on = domains::switched_on(settings.domain_names());
    Catalog::new(&on).map_err(|faults| misconfigured(&faults.join("; ")))
}

/// The server that the settings name, with its token.
pub fn remote(settings: &Settings, api: &str) -> Result<Remote, Complaint> {
    let token = settings.remote_token();
    let missing = || Complaint::of("unauthenticated", "Put an access token of the server into ALMANAC_API_TOKEN.", 3);
    let token = token.ok_or_else(missing)?;
    Remote::new(api, Some(token)).map_err(|unusable| misconfigured(&unusable.to_string()))
}

/// The base of commands that serve nothing.
pub fn base_url(settings: &Settings) -> BaseUrl {
    settings.base_url.clone().unwrap_or_else(|| BaseUrl::local(settings.listen.port()))
}

pub fn misconfigured(sentence: &str) -> Complaint {
    Complaint::of("misconfigured", sentence, 2)
}

/// Makes the folder of the database, for its owner alone.
pub fn make_folder_of(database: &Path) -> Result<(), Complaint> {
    let Some(folder) = database.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) else {
        return Ok(());
    };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let failed =
        |error| Complaint::of("unavailable", &format!("The folder {} cannot be made: {error}.", folder.display()), 1);
    builder.create(folder).map_err(failed)
}
