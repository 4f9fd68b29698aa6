use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::call::Requests;
use crate::client::Client;
use crate::error::Error;

/// How hard and how long; the earlier of the two ends stops it.
#[derive(Clone, Copy)]
pub struct Load {
    pub connections: usize,
    pub time: Duration,
    pub calls: u64,
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    pub calls: u64,
    pub seconds: f64,
    pub p50_us: u32,
    pub p99_us: u32,
    /// Bytes of all bodies.
    pub bytes: u64,
}

impl Measured {
    pub fn calls_per_second(&self) -> f64 {
        self.calls as f64 / self.seconds
    }

    pub fn bytes_per_call(&self) -> u64 {
        self.bytes / self.calls.max(1)
    }
}

/// Calls in a closed loop on every connection. Requests are numbered from `next` on, which is left after the last one.
/// Any failed call ends the run.
pub async fn run(requests: &Requests, port: u16, load: Load, next: &Arc<AtomicU64>) -> Result<Measured, Error> {
    let mut clients = Vec::with_capacity(load.connections);
    for _ in 0..load.connections {
        clients.push(Client::connect(port).await?);
    }
    let last = next.load(Ordering::Relaxed).saturating_add(load.calls);
    let started = Instant::now();
    let until = started + load.time;
    let callers: Vec<_> = clients
        .into_iter()
        .map(|client| tokio::spawn(call_until(client, requests.clone(), Arc::clone(next), last, until)))
        .collect();
    let (mut latencies, mut bytes) = (Vec::new(), 0);
    for caller in callers {
        let (own, own_bytes) = caller.await??;
        latencies.extend(own);
        bytes += own_bytes;
    }
    let seconds = started.elapsed().as_secs_f64();
    latencies.sort_unstable();
    Ok(Measured {
        calls: latencies.len() as u64,
        seconds,
        p50_us: quantile(&latencies, 0.50),
        p99_us: quantile(&latencies, 0.99),
        bytes,
    })
}

/// Latency of each call in microseconds, and the bytes of all answers.
async fn call_until(
    mut client: Client,
    requests: Requests,
    next: Arc<AtomicU64>,
    last: u64,
    until: Instant,
) -> Result<(Vec<u32>, u64), Error> {
    let (mut latencies, mut bytes) = (Vec::with_capacity(4_096), 0);
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let sent = Instant::now();
        if number >= last || sent >= until {
            return Ok((latencies, bytes));
        }
        let body = client.call(requests.request(number)?).await?;
        latencies.push(u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX));
        bytes += body.len() as u64;
    }
}

/// Smallest value that at least the share `q` of all does not exceed; `sorted` ascends.
fn quantile(sorted: &[u32], q: f64) -> u32 {
    let place = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(place.saturating_sub(1)).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_a_measured_value() {
        let values: Vec<u32> = (1..=100).collect();
        assert_eq!((quantile(&values, 0.5), quantile(&values, 0.99)), (50, 99));
        assert_eq!(quantile(&[7], 0.99), 7);
        assert_eq!(quantile(&[], 0.5), 0);
    }
}
