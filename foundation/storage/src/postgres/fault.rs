use deadpool_postgres::PoolError;
use tokio_postgres::error::SqlState;

use crate::{
    Error,
    fault::{Fault, FaultKind},
};

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(db) = error.as_db_error() else { return without_answer(&error) };
        let cause = match db.detail() {
            Some(detail) => format!("{} ({detail})", db.message()),
            None => db.message().to_owned(),
        };
        let code = db.code();
        if [&SqlState::T_R_SERIALIZATION_FAILURE, &SqlState::T_R_DEADLOCK_DETECTED].contains(&code)
            || is_stale_plan(&error)
        {
            return Self { error: Error::Conflict(cause), kind: FaultKind::Contended };
        }
        match &code.code()[..2] {
            "23" => Self { error: Error::Internal(cause), kind: FaultKind::Constraint },
            // Shutdown, crash and start-up of the server end the connection.
            "57" if code != &SqlState::QUERY_CANCELED => {
                Self { error: Error::Unavailable(cause), kind: FaultKind::Disconnected }
            }
            // Connection, resources (a full disk is among them), operator and system faults; rejected credentials.
            "08" | "53" | "57" | "58" | "28" | "3D" => Self::unavailable(cause),
            _ => Self::internal(cause),
        }
    }
}

/// Another process migrated the database: the statement has to be prepared anew.
pub(crate) fn is_stale_plan(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_some_and(|db| {
        db.code() == &SqlState::FEATURE_NOT_SUPPORTED && db.message().starts_with("cached plan must not change")
    })
}

/// No answer of the server: the connection is gone, or a value could not be sent at all.
fn without_answer(error: &tokio_postgres::Error) -> Fault {
    let source = std::error::Error::source(error);
    let cause = source.map_or_else(|| error.to_string(), |source| format!("{error}: {source}"));
    let ours = cause.starts_with("error serializing") || cause.starts_with("error deserializing");
    if ours {
        return Fault::internal(cause);
    }
    Fault { error: Error::Unavailable(cause), kind: FaultKind::Disconnected }
}

impl From<PoolError> for Fault {
    fn from(error: PoolError) -> Self {
        match error {
            // Nothing was begun on it, so there is nothing to begin again.
            PoolError::Backend(error) => Self { kind: FaultKind::Other, ..Self::from(error) },
            error => Self::unavailable(format!("no connection to PostgreSQL: {error}")),
        }
    }
}
