use std::net::IpAddr;

/// The network of an address as it is kept beside a credential: /24, or /48 of IPv6.
pub fn network_of(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(v6) => {
            let [a, b, c, ..] = v6.segments();
            format!("{}/48", std::net::Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_cut_to_its_network() {
        let network = |text: &str| network_of(text.parse().unwrap());
        assert_eq!(network("203.0.113.77"), "203.0.113.0/24");
        assert_eq!(network("::ffff:203.0.113.77"), "203.0.113.0/24");
        assert_eq!(network("2001:db8:1:2:3::4"), "2001:db8:1::/48");
    }
}
