/// What can go wrong below a record function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The engine cannot serve now: full disk, no connection, queue deadline. Nothing was written.
    Unavailable(String),
    /// COMMIT was sent and its answer lost, and nothing could tell whether it took effect.
    OutcomeUnknown(String),
    /// Another transaction won; retried inside storage, seen outside only when the tries ran out.
    Conflict(String),
    /// A broken statement, a wrong column type, a panic of the job: a fault of ours.
    Internal(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unavailable(cause) => write!(f, "storage unavailable: {cause}"),
            Self::OutcomeUnknown(cause) => write!(f, "outcome unknown: {cause}"),
            Self::Conflict(cause) => write!(f, "conflict: {cause}"),
            Self::Internal(cause) => write!(f, "storage fault: {cause}"),
        }
    }
}

impl std::error::Error for Error {}
