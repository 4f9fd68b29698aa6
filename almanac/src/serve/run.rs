use cli::Complaint;
use tokio::net::TcpListener;

use super::{connection, housekeeping, stop, surfaces, welcome};
use crate::{
    config::{BaseUrl, Settings},
    house,
};

/// Serves until SIGTERM or Ctrl-C; what was accepted by then is finished.
pub async fn run(settings: &Settings) -> Result<(), Complaint> {
    let listener = TcpListener::bind(settings.listen).await.map_err(|error| cannot_listen(settings, &error))?;
    let address = listener.local_addr().map_err(|error| cannot_listen(settings, &error))?;
    let base = settings.base_url.clone().unwrap_or_else(|| BaseUrl::local(address.port()));
    let engine = house::open(settings, &base).await?;
    let router = surfaces::router(&engine, settings, &base, address.ip().is_loopback())?;
    let claimed = engine.is_claimed().await?;
    welcome::print(settings, &base, address, claimed);
    let sweeping = housekeeping::start(engine.clone());
    connection::accept(listener, router, stop::asked()).await;
    sweeping.abort();
    house::close(engine).await;
    Ok(())
}

fn cannot_listen(settings: &Settings, error: &std::io::Error) -> Complaint {
    Complaint::of("unavailable", &format!("Almanac cannot listen on {}: {error}.", settings.listen), 1)
}
