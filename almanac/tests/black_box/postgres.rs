//! A database of one's own on the PostgreSQL server that the test run was given.

use std::{
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

/// A person of that server who may create databases: `postgres://user@127.0.0.1:5433/postgres`.
const SERVER: &str = "ALMANAC_TEST_POSTGRES";

/// The two engines that everything runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    pub const ALL: [Self; 2] = [Self::Sqlite, Self::Postgres];
}

/// A database of one's own; it goes with this value.
pub struct Database {
    server: String,
    name: String,
}

impl Database {
    /// An empty one. Panics with a sentence where the run has no server: a test of PostgreSQL is never skipped.
    pub fn create() -> Self {
        Self::named("TEMPLATE template0")
    }

    /// A copy of this one, which nobody may be connected to.
    pub fn copy(&self) -> Self {
        Self::named(&format!("TEMPLATE {}", self.name))
    }

    fn named(template: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let server = std::env::var(SERVER)
            .unwrap_or_else(|_| panic!("{SERVER} names no PostgreSQL server; `cargo xtask test` starts one"));
        let name = format!("black_box_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        psql(&server, &format!("CREATE DATABASE {name} {template}"));
        Self { server, name }
    }

    /// What a query prints, a row a line.
    pub fn ask(&self, sql: &str) -> String {
        psql(&self.url(), sql)
    }

    pub fn url(&self) -> String {
        let (before, query) =
            self.server.split_once('?').map_or((self.server.as_str(), ""), |(url, query)| (url, query));
        let host = before.rsplit_once('/').map_or(before, |(host, _)| host);
        let query = if query.is_empty() { String::new() } else { format!("?{query}") };
        format!("{host}/{}{query}", self.name)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let sql = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        let _ = Command::new("psql").args(["-X", "-q", "-d", &self.server, "-c", &sql]).output();
    }
}

fn psql(url: &str, sql: &str) -> String {
    let output = Command::new("psql").args(["-X", "-q", "-At", "-d", url, "-c", sql]).output().expect("psql runs");
    assert!(output.status.success(), "{sql}: {}", crate::house::said(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}
