use rusqlite::ErrorCode;

use crate::{
    Error,
    fault::{Fault, FaultKind},
};

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        let cause = error.to_string();
        let Some(code) = error.sqlite_error_code() else { return Self::internal(cause) };
        match code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
                Self { error: Error::Conflict(cause), kind: FaultKind::Contended }
            }
            ErrorCode::ConstraintViolation => Self { error: Error::Internal(cause), kind: FaultKind::Constraint },
            ErrorCode::DiskFull
            | ErrorCode::SystemIoFailure
            | ErrorCode::OutOfMemory
            | ErrorCode::CannotOpen
            | ErrorCode::ReadOnly
            | ErrorCode::PermissionDenied
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase => Self::unavailable(cause),
            _ => Self::internal(cause),
        }
    }
}
