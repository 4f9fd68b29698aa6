//! The accept loop: our own, because `axum::serve` keeps no time limits on headers.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, body::Body, extract::ConnectInfo};
use http::Request;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::{GracefulConnection, GracefulShutdown},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tower::ServiceExt as _;

use super::{
    guests::Guests,
    limits::{Patience, Patient, TimedBody},
};

/// Connections at a time; further ones wait to be accepted.
const MOST_CONNECTIONS: usize = 4096;
/// How long the calls that run may take to end, once the process was asked to stop.
const LAST_CALLS: Duration = Duration::from_secs(65);

/// Serves connections until `stop`, then finishes those that are busy.
pub async fn accept(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(None).max_headers(64);
    let busy = GracefulShutdown::new();
    let seats = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let guests = Guests::default();
    tokio::pin!(stop);
    loop {
        let Ok(seat) = seats.clone().acquire_owned().await else { break };
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    // Out of file descriptors: they come back as connections end.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let Some(guest) = guests.enter(peer.ip()) else {
            tracing::debug!(%peer, "too many connections of one network");
            continue;
        };
        let connection = busy.watch(connection(&http, stream, peer, router.clone()));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop((seat, guest));
        });
    }
    drop(listener);
    if tokio::time::timeout(LAST_CALLS, busy.shutdown()).await.is_err() {
        tracing::warn!("calls were still running when the process ended");
    }
}

fn connection(
    http: &http1::Builder,
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
) -> impl GracefulConnection<Error = hyper::Error> + use<> {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "no TCP_NODELAY");
    }
    let patience = Patience::default();
    let stream = Patient::new(stream, patience.clone());
    let service = service_fn(move |request: Request<Incoming>| {
        patience.request_began();
        let mut request = request.map(|body| Body::new(TimedBody::new(body)));
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    http.serve_connection(TokioIo::new(stream), service)
}
