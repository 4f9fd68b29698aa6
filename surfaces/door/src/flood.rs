//! Flood limits: requests a minute per credential and per network, counted in this process only.

use std::{
    collections::HashMap,
    hash::{BuildHasher as _, RandomState},
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use tokio::time::{Duration, Instant};

const WINDOW: Duration = Duration::from_secs(60);

/// Requests a minute and process; a loopback peer is not counted.
#[derive(Debug, Clone, Copy)]
pub struct Flood {
    pub per_credential: u32,
    /// A network is a /24 of IPv4 or a /64 of IPv6.
    pub per_network: u32,
}

impl Default for Flood {
    fn default() -> Self {
        Self { per_credential: 600, per_network: 1200 }
    }
}

/// Counts the requests of the running minute.
#[derive(Debug)]
pub struct Floods {
    limits: Flood,
    hasher: RandomState,
    window: Mutex<Window>,
}

#[derive(Debug)]
struct Window {
    began: Instant,
    seen: HashMap<u64, u32>,
}

impl Floods {
    pub fn new(limits: Flood) -> Self {
        let window = Window { began: monotonic(), seen: HashMap::new() };
        Self { limits, hasher: RandomState::new(), window: Mutex::new(window) }
    }

    /// Counts a request; `Some` is after how many seconds the next one may come. Loopback peers are not counted.
    pub fn refuse(&self, peer: Option<IpAddr>, credential: Option<&[u8]>) -> Option<u64> {
        let peer = peer.filter(|address| !address.is_loopback())?;
        let network = self.hasher.hash_one((0_u8, network(peer)));
        let credential = credential.map(|credential| self.hasher.hash_one((1_u8, credential)));
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        let age = window.began.elapsed();
        if age >= WINDOW {
            *window = Window { began: monotonic(), seen: HashMap::new() };
        }
        let mut full = window.count(network) > self.limits.per_network;
        if let Some(credential) = credential {
            full |= window.count(credential) > self.limits.per_credential;
        }
        full.then(|| WINDOW.saturating_sub(age).as_secs() + 1)
    }
}

impl Window {
    fn count(&mut self, key: u64) -> u32 {
        let count = self.seen.entry(key).or_insert(0);
        *count = count.saturating_add(1);
        *count
    }
}

#[expect(clippy::disallowed_methods, reason = "the window of a flood limit is process time")]
fn monotonic() -> Instant {
    Instant::now()
}

/// The /24 of an IPv4 address, the /64 of an IPv6 one.
fn network(address: IpAddr) -> u64 {
    match address.to_canonical() {
        IpAddr::V4(v4) => u64::from(v4.to_bits() >> 8),
        IpAddr::V6(v6) => u64::try_from(v6.to_bits() >> 64).unwrap_or(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floods() -> Floods {
        Floods::new(Flood { per_credential: 2, per_network: 4 })
    }

    #[tokio::test(start_paused = true)]
    async fn a_credential_is_refused_above_its_limit_and_served_again_a_minute_later() {
        let floods = floods();
        let peer = Some("203.0.113.7".parse().unwrap());
        assert_eq!(floods.refuse(peer, Some(b"a")), None);
        assert_eq!(floods.refuse(peer, Some(b"a")), None);
        assert_eq!(floods.refuse(peer, Some(b"a")), Some(61));
        assert_eq!(floods.refuse(peer, Some(b"b")), None);
        tokio::time::advance(WINDOW).await;
        assert_eq!(floods.refuse(peer, Some(b"a")), None);
    }

    #[tokio::test]
    async fn neighbours_share_the_limit_of_their_network() {
        let floods = floods();
        for last in 1..=4 {
            assert_eq!(floods.refuse(Some(format!("203.0.113.{last}").parse().unwrap()), None), None);
        }
        assert!(floods.refuse(Some("203.0.113.9".parse().unwrap()), None).is_some());
        assert_eq!(floods.refuse(Some("203.0.114.9".parse().unwrap()), None), None);
    }

    #[tokio::test]
    async fn a_loopback_peer_is_not_counted() {
        let floods = floods();
        for _ in 0..10 {
            assert_eq!(floods.refuse(Some("127.0.0.1".parse().unwrap()), Some(b"a")), None);
        }
    }
}
