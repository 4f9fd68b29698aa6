use serde_json::{Map, Value, json};

use crate::{Scope, Scopes};

/// A wrong field: its path (`items[0].grams`) and the reason in the closed words of `specs/mcp.md` §11.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldFault {
    pub field: String,
    pub reason: String,
}

impl FieldFault {
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { field: field.into(), reason: reason.into() }
    }
}

/// A business rule said no: nothing was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    pub code: &'static str,
    /// 403, 409 or 422.
    pub status: u16,
    pub message: String,
    /// Further members of the error body.
    pub details: Map<String, Value>,
}

/// Every way a call can fail. Each surface maps it once, exhaustively.
#[derive(Debug, Clone)]
pub enum Failure {
    /// No credential where one is needed.
    Unauthenticated,
    /// The credential is unknown, expired, revoked or its person is not active. The text is ours and fixed.
    InvalidCredential(&'static str),
    /// The credential lacks scopes.
    MissingScope {
        operation: &'static str,
        needs: Scopes,
    },
    /// The scope is there, the role is not.
    Forbidden {
        message: String,
    },
    /// No such row, or another person's: the two look alike.
    NotFound {
        what: &'static str,
        id: Value,
    },
    /// No operation of that name.
    UnknownOperation {
        name: String,
    },
    Invalid(Vec<FieldFault>),
    Refused(Box<Refused>),
    TooMany {
        retry_after_s: u64,
    },
    Unavailable {
        message: String,
    },
    /// A fault of ours. The cause goes to the log only.
    Internal {
        cause: String,
    },
}

impl Failure {
    pub fn unauthenticated() -> Self {
        Self::Unauthenticated
    }

    pub fn missing(operation: &'static str, scope: Scope) -> Self {
        Self::MissingScope { operation, needs: Scopes::NONE.with(scope) }
    }

    pub fn not_found(what: &'static str, id: impl Into<Value>) -> Self {
        Self::NotFound { what, id: id.into() }
    }

    pub fn invalid(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Invalid(vec![FieldFault::new(field, reason)])
    }

    pub fn internal(cause: impl Into<String>) -> Self {
        Self::Internal { cause: cause.into() }
    }

    /// A conflict with what is stored (409).
    pub fn conflict(code: &'static str, message: impl Into<String>, details: Value) -> Self {
        Self::refused(409, code, message, details)
    }

    /// A rule that the input breaks (422).
    pub fn unprocessable(code: &'static str, message: impl Into<String>, details: Value) -> Self {
        Self::refused(422, code, message, details)
    }

    /// A right that is missing though the scope is there (403).
    pub fn denied(code: &'static str, message: impl Into<String>, details: Value) -> Self {
        Self::refused(403, code, message, details)
    }

    fn refused(status: u16, code: &'static str, message: impl Into<String>, details: Value) -> Self {
        let details = match details {
            Value::Object(members) => members,
            Value::Null => Map::new(),
            other => Map::from_iter([("details".to_owned(), other)]),
        };
        Self::Refused(Box::new(Refused { code, status, message: message.into(), details }))
    }

    /// HTTP status of this failure.
    pub const fn status(&self) -> u16 {
        match self {
            Self::Unauthenticated | Self::InvalidCredential(_) => 401,
            Self::MissingScope { .. } | Self::Forbidden { .. } => 403,
            Self::NotFound { .. } | Self::UnknownOperation { .. } => 404,
            Self::Invalid(_) => 422,
            Self::Refused(refused) => refused.status,
            Self::TooMany { .. } => 429,
            Self::Unavailable { .. } => 503,
            Self::Internal { .. } => 500,
        }
    }

    /// Exit code of the command line.
    pub const fn exit_code(&self) -> i32 {
        match self {
            Self::Unauthenticated | Self::InvalidCredential(_) => 3,
            Self::MissingScope { .. } | Self::Forbidden { .. } => 4,
            Self::NotFound { .. } | Self::UnknownOperation { .. } => 5,
            Self::Invalid(_) => 2,
            Self::Refused(refused) => match refused.status {
                403 => 4,
                409 => 6,
                _ => 2,
            },
            Self::TooMany { .. } => 7,
            Self::Unavailable { .. } | Self::Internal { .. } => 1,
        }
    }

    /// The error body that REST sends and MCP shows as text: `{ "error": code, "message": sentence, … }`.
    /// `call_id` appears in `Internal` only.
    pub fn body(&self, call_id: i64) -> Value {
        match self {
            Self::Unauthenticated => error("unauthenticated", "This needs a credential: sign in or send a token."),
            Self::InvalidCredential(message) => error("invalid_token", message),
            Self::MissingScope { operation, needs } => error(
                "insufficient_scope",
                &format!("{operation} needs the {needs} permission. Reconnect Almanac and allow {needs}."),
            ),
            Self::Forbidden { message } => error("forbidden", message),
            Self::NotFound { what, id } => {
                let mut body = error("not_found", &format!("There is no {what} with this id."));
                body["what"] = json!(what);
                body["id"] = id.clone();
                body
            }
            Self::UnknownOperation { name } => error("unknown_operation", &format!("unknown tool: {name}")),
            Self::Invalid(faults) => json!({
                "error": "invalid_input",
                "message": sentence(faults),
                "fields": faults.iter().map(|fault| json!({"field": fault.field, "reason": fault.reason})).collect::<Vec<_>>(),
            }),
            Self::Refused(refused) => {
                let mut body = error(refused.code, &refused.message);
                if let Value::Object(members) = &mut body {
                    members.extend(refused.details.clone());
                }
                body
            }
            Self::TooMany { retry_after_s } => {
                let mut body = error("too_many_requests", "Too many requests; try again later.");
                body["retry_after_s"] = json!(retry_after_s);
                body
            }
            Self::Unavailable { message } => error("unavailable", message),
            Self::Internal { .. } => {
                let mut body = error("internal", &format!("internal error, call {call_id}"));
                body["call_id"] = json!(call_id);
                body
            }
        }
    }
}

/// `kcal: Expected number, received string; protein_g: Required`.
pub fn sentence(faults: &[FieldFault]) -> String {
    faults.iter().map(|fault| format!("{}: {}", fault.field, fault.reason)).collect::<Vec<_>>().join("; ")
}

fn error(code: &str, message: &str) -> Value {
    json!({"error": code, "message": message})
}

impl From<storage::Error> for Failure {
    fn from(error: storage::Error) -> Self {
        match error {
            storage::Error::Unavailable(cause) => {
                tracing::warn!(%cause, "storage unavailable");
                Self::Unavailable {
                    message: "Almanac cannot reach its storage just now; nothing was written. Try again.".into(),
                }
            }
            storage::Error::OutcomeUnknown(cause) => {
                tracing::warn!(%cause, "commit outcome unknown");
                Self::Unavailable {
                    message: "Almanac lost its storage while saving; whether it was written is unknown. Look before you repeat it.".into(),
                }
            }
            storage::Error::Conflict(cause) => {
                // Said of every attempt; storage warns when it gives up.
                tracing::debug!(%cause, "a transaction met another one");
                Self::Unavailable {
                    message: "Too many writes at the same time; nothing was written. Try again.".into(),
                }
            }
            storage::Error::Internal(cause) => Self::Internal { cause },
        }
    }
}
