use std::fmt;

use http::Uri;

use super::declare::FromSetting;

/// The public origin, as §2 of the accounts specification allows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// The base of a server that was given none.
    pub fn local(port: u16) -> Self {
        Self(format!("http://localhost:{port}"))
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromSetting for BaseUrl {
    fn from_setting(text: &str) -> Result<Self, String> {
        let wrong =
            || "must be an https origin without a path or a slash at the end; http only for localhost".to_owned();
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(wrong()) };
        let local = matches!(authority.host(), "localhost" | "127.0.0.1" | "[::1]");
        let plain = uri.path() == "/" && uri.query().is_none() && !text.ends_with('/') && !text.contains(['#', '@']);
        if plain && (scheme == "https" || (scheme == "http" && local)) {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(wrong())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_origin_that_browsers_trust_is_a_base() {
        for good in ["https://almanac.example", "https://a.example:8443", "http://localhost:8787", "http://[::1]:1"] {
            assert_eq!(BaseUrl::from_setting(good).unwrap().to_string(), good);
        }
        for wrong in [
            "almanac.example",
            "https://almanac.example/",
            "https://a.example/x",
            "https://a.example?x",
            "ftp://a.example",
            "http://almanac.example",
            "http://127.0.0.2",
            "https://u@a.example",
            "https://",
        ] {
            assert!(BaseUrl::from_setting(wrong).is_err(), "{wrong}");
        }
    }
}
