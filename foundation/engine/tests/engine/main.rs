//! The life of a call, on both databases, over a small domain of notes.

#![expect(clippy::unwrap_used, reason = "tests may fail by panicking")]

mod access;
mod faults;
mod keys;
mod lists;
mod notes;
mod reaching;
mod stamps;

/// Runs a test on SQLite and on PostgreSQL.
macro_rules! on_both {
    ($(async fn $name:ident($almanac:ident: TestAlmanac) $body:block)+) => { $(
        mod $name {
            use super::*;

            async fn test(#[allow(unused_mut)] mut $almanac: testkit::TestAlmanac) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                test(testkit::TestAlmanac::new(testkit::TestEngine::Sqlite, &[crate::notes::DOMAIN]).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                test(testkit::TestAlmanac::new(testkit::TestEngine::Postgres, &[crate::notes::DOMAIN]).await).await;
            }
        }
    )+ };
}
pub(crate) use on_both;
