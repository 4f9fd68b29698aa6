use std::{fmt, path::PathBuf, str::FromStr};

use crate::Error;

/// Where the database is: `sqlite:PATH`, `postgres://…`, `postgresql://…` or `postgresql+asyncpg://…`.
///
/// A server is reached without encryption unless the URL says `sslmode=require` (or `verify-ca`, `verify-full`); then
/// its certificate and name are always checked, against `sslrootcert=FILE` or the public authorities.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    Sqlite(PathBuf),
    Postgres(String),
}

impl FromStr for DatabaseUrl {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            return sqlite_path(path).map(Self::Sqlite);
        }
        for scheme in ["postgresql+asyncpg://", "postgresql://", "postgres://"] {
            if let Some(rest) = text.strip_prefix(scheme) {
                return Ok(Self::Postgres(format!("postgresql://{rest}")));
            }
        }
        Err(Error::Unavailable("a database URL starts with sqlite:, postgres:// or postgresql://".to_owned()))
    }
}

/// `sqlite:relative.db`, `sqlite:/absolute.db` and, as other programs write it, `sqlite:///absolute.db`.
fn sqlite_path(path: &str) -> Result<PathBuf, Error> {
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() || path == ":memory:" {
        return Err(Error::Unavailable("sqlite: needs the path of a file".to_owned()));
    }
    Ok(PathBuf::from(path))
}

/// Without the password.
impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => {
                let rest = url.split_once("://").map_or("", |(_, rest)| rest);
                let (authority, tail) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
                let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
                let database = tail.split('?').next().unwrap_or_default();
                write!(f, "postgresql://{host}{database}")
            }
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> DatabaseUrl {
        text.parse().unwrap()
    }

    #[test]
    fn every_form_of_a_url_is_understood() {
        assert_eq!(parse("sqlite:data/almanac.db"), DatabaseUrl::Sqlite("data/almanac.db".into()));
        assert_eq!(parse("sqlite:/var/almanac.db"), DatabaseUrl::Sqlite("/var/almanac.db".into()));
        assert_eq!(parse("sqlite:///var/almanac.db"), DatabaseUrl::Sqlite("/var/almanac.db".into()));
        for scheme in ["postgres", "postgresql", "postgresql+asyncpg"] {
            let url = parse(&format!("{scheme}://ana@db/almanac"));
            assert_eq!(url, DatabaseUrl::Postgres("postgresql://ana@db/almanac".into()));
        }
        for wrong in ["mysql://db", "sqlite:", "sqlite::memory:", "almanac.db"] {
            assert!(wrong.parse::<DatabaseUrl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_printed_url_has_no_password() {
        let url = parse("postgres://ana:se/cret@db:5432/almanac?sslmode=require&password=x");
        assert!(!url.to_string().contains("password"));
        let url = parse("postgres://ana:secret@db:5432/almanac?sslmode=require");
        assert_eq!(url.to_string(), "postgresql://db:5432/almanac");
        assert_eq!(format!("{url:?}"), url.to_string());
    }
}
