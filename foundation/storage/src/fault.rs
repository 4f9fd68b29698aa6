use crate::Error;

/// A failed statement: what the caller hears, and what storage itself makes of it.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub error: Error,
    pub kind: FaultKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// Another transaction won; the job runs again.
    Contended,
    /// A unique, foreign-key, not-null or check constraint.
    Constraint,
    /// The connection is gone; what was not committed did not happen.
    Disconnected,
    /// The read used a second statement where one was expected; it runs again in a transaction.
    NeedsTransaction,
    Other,
}

impl Fault {
    pub(crate) fn internal(cause: impl Into<String>) -> Self {
        Self { error: Error::Internal(cause.into()), kind: FaultKind::Other }
    }

    pub(crate) fn unavailable(cause: impl Into<String>) -> Self {
        Self { error: Error::Unavailable(cause.into()), kind: FaultKind::Other }
    }

    /// The same fault, its sentence led by the statement it happened in.
    pub(crate) fn in_statement(mut self, name: &str) -> Self {
        let (Error::Unavailable(cause)
        | Error::OutcomeUnknown(cause)
        | Error::Conflict(cause)
        | Error::Internal(cause)) = &mut self.error;
        *cause = format!("{name}: {cause}");
        self
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self { error, kind: FaultKind::Other }
    }
}
