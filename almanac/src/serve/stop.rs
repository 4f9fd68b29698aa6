//! When the process is asked to end.

/// Resolves on SIGTERM or Ctrl-C.
pub async fn asked() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else {
            return interrupted().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            () = interrupted() => {}
        }
    }
    #[cfg(not(unix))]
    interrupted().await;
}

async fn interrupted() {
    if let Err(error) = tokio::signal::ctrl_c().await {
        tracing::warn!(%error, "Ctrl-C cannot be listened for");
        std::future::pending::<()>().await;
    }
}
