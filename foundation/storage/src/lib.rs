//! One transaction type over SQLite and PostgreSQL: one SQL text, `$1` placeholders, the subset both accept.
//!
//! See `ARCHITECTURE.md` (storage) for the rules of that subset and for what each engine does underneath.

mod capture;
mod clock;
mod dialect;
mod error;
mod fault;
mod history;
mod id;
mod job;
mod migration;
mod options;
mod postgres;
mod sql;
mod sqlite;
mod statements;
mod storage;
mod table;
#[cfg(feature = "testing")]
pub mod testing;
mod text;
mod tx;
mod url;
mod value;

pub use error::Error;
pub use history::{Change, ChangeEntry, ChangeFilter, ChangedRow, RowImage, UndoConflict, Undone};
pub use id::Id;
pub use migration::{AppliedMigration, Migration};
pub use options::{Schema, StorageOptions, Write};
pub use sql::Sql;
pub use storage::Storage;
pub use table::{Capture, Table};
pub use text::{fold_search, fold_unique, like_pattern};
pub use tx::{BoxFuture, Tx};
pub use url::DatabaseUrl;
pub use value::{FromValue, Row, Value};
