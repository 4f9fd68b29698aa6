//! One transaction type over SQLite and PostgreSQL: one SQL text, `$1` placeholders, the subset both accept.
//!
//! See `ARCHITECTURE.md` (storage) for the rules of that subset and for what each engine does underneath.

mod error;
mod history;
mod id;
mod migration;
mod sql;
mod storage;
mod table;
mod text;
mod tx;
mod value;

pub use error::Error;
pub use history::{ChangedRow, RowImage, Undone, UndoConflict};
pub use id::Id;
pub use migration::Migration;
pub use sql::Sql;
pub use storage::{DatabaseUrl, Schema, Storage, StorageOptions, Write};
pub use table::{Capture, Table};
pub use text::{fold_search, fold_unique, like_pattern};
pub use tx::{BoxFuture, Tx};
pub use value::{FromValue, Row, Value};
