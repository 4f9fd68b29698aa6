//! Values of settings.

use std::{net::SocketAddr, path::PathBuf};

use tracing::level_filters::LevelFilter;

use super::declare::FromSetting;

/// Names separated by blanks or commas.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct List(pub Vec<String>);

/// Whether callers without a token are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anonymous {
    Auto,
    On,
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogForm {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogLevel(pub LevelFilter);

impl FromSetting for String {
    fn from_setting(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }
}

impl FromSetting for PathBuf {
    fn from_setting(text: &str) -> Result<Self, String> {
        Ok(text.into())
    }
}

impl FromSetting for SocketAddr {
    fn from_setting(text: &str) -> Result<Self, String> {
        text.parse().map_err(|_| "must be an address and a port, such as 127.0.0.1:8787".into())
    }
}

impl FromSetting for List {
    fn from_setting(text: &str) -> Result<Self, String> {
        let names = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|name| !name.is_empty());
        Ok(Self(names.map(str::to_owned).collect()))
    }
}

impl FromSetting for Anonymous {
    fn from_setting(text: &str) -> Result<Self, String> {
        one_of(text, &[("auto", Self::Auto), ("on", Self::On), ("off", Self::Off)])
    }
}

impl FromSetting for LogForm {
    fn from_setting(text: &str) -> Result<Self, String> {
        one_of(text, &[("text", Self::Text), ("json", Self::Json)])
    }
}

impl FromSetting for LogLevel {
    fn from_setting(text: &str) -> Result<Self, String> {
        let levels = [
            ("error", LevelFilter::ERROR),
            ("warn", LevelFilter::WARN),
            ("info", LevelFilter::INFO),
            ("debug", LevelFilter::DEBUG),
        ];
        one_of(text, &levels).map(Self)
    }
}

fn one_of<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, String> {
    let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    let all = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| format!("must be one of {}", all()))
}
