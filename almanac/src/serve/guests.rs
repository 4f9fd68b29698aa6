use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

/// Connections that one network may have at a time.
const MOST_OF_ONE_NETWORK: u32 = 256;

/// Counts the connections of each network (/24, or /64 of IPv6), so that one cannot take every seat. Loopback is not
/// counted: all that comes through a proxy on this machine comes from there.
#[derive(Debug, Clone, Default)]
pub struct Guests(Arc<Mutex<HashMap<u64, u32>>>);

/// One counted connection; it is gone when this is dropped.
#[derive(Debug)]
pub struct Guest {
    guests: Guests,
    network: Option<u64>,
}

impl Guests {
    /// `None`: the network has enough connections.
    pub fn enter(&self, address: IpAddr) -> Option<Guest> {
        let network = (!address.is_loopback()).then(|| network(address));
        if let Some(network) = network {
            let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let count = counts.entry(network).or_default();
            if *count >= MOST_OF_ONE_NETWORK {
                return None;
            }
            *count += 1;
        }
        Some(Guest { guests: self.clone(), network })
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let Some(network) = self.network else { return };
        let mut counts = self.guests.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&network) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&network);
            }
        }
    }
}

fn network(address: IpAddr) -> u64 {
    match address.to_canonical() {
        IpAddr::V4(v4) => u64::from(v4.to_bits() >> 8),
        IpAddr::V6(v6) => u64::try_from(v6.to_bits() >> 64).unwrap_or(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_has_enough_connections_waits_until_one_ends() {
        let guests = Guests::default();
        let address = |last: u32| IpAddr::from([203, 0, 113, u8::try_from(last % 256).unwrap()]);
        let mut inside: Vec<Guest> = (0..MOST_OF_ONE_NETWORK).filter_map(|last| guests.enter(address(last))).collect();
        assert_eq!(inside.len(), 256);
        assert!(guests.enter(address(1)).is_none());
        assert!(guests.enter("203.0.114.1".parse().unwrap()).is_some(), "another network");
        inside.pop();
        assert!(guests.enter(address(1)).is_some());
    }

    #[test]
    fn nothing_is_kept_of_connections_that_ended() {
        let guests = Guests::default();
        drop(guests.enter("2001:db8::1".parse().unwrap()));
        assert!(guests.0.lock().unwrap().is_empty());
        let _all: Vec<_> = (0..1000).map(|_| guests.enter("127.0.0.1".parse().unwrap()).unwrap()).collect();
        assert!(guests.0.lock().unwrap().is_empty(), "loopback is not counted");
    }
}
