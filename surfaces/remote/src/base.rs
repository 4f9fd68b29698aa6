//! Where the server is.

use std::fmt;

use http::Uri;

/// Why a text cannot be the address of a server, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable(pub(crate) String);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unusable {}

/// What follows the origin.
pub(crate) const API: &str = "/api/v1";

/// `<origin>/api/v1` of an origin, `…/api` or `…/api/v1`, each with or without a slash at the end.
pub(crate) fn api_of(text: &str) -> Result<String, Unusable> {
    let wrong = |why: &str| Unusable(format!("The API URL {why}; give an origin such as https://almanac.example."));
    let uri: Uri = text.trim().parse().map_err(|_| wrong("is no URL"))?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(wrong("has no scheme or host"));
    };
    if !matches!(scheme, "http" | "https") {
        return Err(wrong("is neither https nor http"));
    }
    if authority.as_str().contains('@') || uri.query().is_some() {
        return Err(wrong("has a user or a query"));
    }
    if scheme == "http" && !is_loopback(authority.host()) {
        return Err(wrong("is plain http, which would show the token to the network"));
    }
    match uri.path().trim_end_matches('/') {
        "" | "/api" | "/api/v1" => Ok(format!("{scheme}://{authority}{API}")),
        _ => Err(wrong("has a path that is not /api or /api/v1")),
    }
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_and_both_paths_mean_the_same() {
        for path in ["", "/", "/api", "/api/", "/api/v1", "/api/v1/"] {
            assert_eq!(api_of(&format!("https://almanac.example{path}")).unwrap(), "https://almanac.example/api/v1");
        }
        assert_eq!(api_of("http://[::1]:8787/api").unwrap(), "http://[::1]:8787/api/v1");
    }

    #[test]
    fn plain_http_leads_to_loopback_only() {
        assert!(api_of("http://localhost:8787").is_ok());
        assert!(api_of("http://127.0.0.1:8787").is_ok());
        for far in ["http://almanac.example", "http://10.0.0.1", "http://localhost.evil.example"] {
            assert!(api_of(far).is_err(), "{far}");
        }
    }

    #[test]
    fn what_is_no_server_is_refused_in_a_sentence() {
        for wrong in [
            "",
            "almanac.example",
            "ftp://a.example",
            "https://a.example/x",
            "https://u:p@a.example",
            "https://a.example?x=1",
        ] {
            let sentence = api_of(wrong).unwrap_err().to_string();
            assert!(sentence.starts_with("The API URL ") && sentence.ends_with('.'), "{sentence}");
            assert!(!sentence.contains("u:p"), "{sentence}");
        }
    }
}
