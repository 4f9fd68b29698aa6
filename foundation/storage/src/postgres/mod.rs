//! PostgreSQL and what speaks its protocol: a pool, serializable writes, retries.

mod connect;
mod engine;
mod fault;
mod ids;
mod introspection;
mod lease;
mod lost_commit;
mod migrate;
mod owner_turns;
mod plan;
mod session;
mod tls;
mod value;

pub(crate) use engine::PostgresEngine;
pub(crate) use session::PostgresSession;
