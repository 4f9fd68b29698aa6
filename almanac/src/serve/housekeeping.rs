use std::time::Duration;

use engine::Engine;
use tokio::task::JoinHandle;

const EVERY: Duration = Duration::from_secs(3600);

/// Sweeps rows that are past their time, first an hour from now, until it is aborted. Nothing depends on it, so a failed
/// sweep is only logged.
pub fn start(engine: Engine) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(EVERY).await;
            if let Err(failure) = engine.sweep().await {
                tracing::warn!(?failure, "sweeping failed");
            }
        }
    })
}
