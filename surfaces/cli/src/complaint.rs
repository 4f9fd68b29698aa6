use std::fmt;

use engine::Failed;
use operation::Failure;
use remote::{Fault, Reply};
use serde_json::{Map, Value, json};

/// Why a command failed: the error body, as every surface has it, and the exit code. `Display` is for people.
#[derive(Debug, Clone, PartialEq)]
pub struct Complaint {
    pub body: Map<String, Value>,
    pub exit_code: u8,
}

impl Complaint {
    fn new(body: Value, exit_code: i32) -> Self {
        let body = if let Value::Object(body) = body { body } else { Map::new() };
        Self { body, exit_code: u8::try_from(exit_code).unwrap_or(1) }
    }

    /// A sentence with a code of its own.
    pub fn of(code: &str, message: &str, exit_code: u8) -> Self {
        Self::new(json!({"error": code, "message": message}), exit_code.into())
    }
}

impl From<Failed> for Complaint {
    fn from(failed: Failed) -> Self {
        Self::new(failed.body(), failed.failure.exit_code())
    }
}

impl From<Failure> for Complaint {
    fn from(failure: Failure) -> Self {
        // Outside of a call there is no call id, so the cause is told here.
        match failure {
            Failure::Internal { cause } => Self::of("internal", &cause, 1),
            failure => Self::new(failure.body(0), failure.exit_code()),
        }
    }
}

impl From<Reply> for Complaint {
    fn from(reply: Reply) -> Self {
        let exit_code = match reply.status {
            400 | 413 | 415 | 422 => 2,
            401 => 3,
            403 => 4,
            404 => 5,
            409 => 6,
            429 => 7,
            _ => 1,
        };
        if reply.body.is_empty() {
            let message = format!("The Almanac server is not available (status {}).", reply.status);
            return Self::of("unavailable", &message, exit_code);
        }
        Self { body: reply.body, exit_code }
    }
}

impl From<Fault> for Complaint {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Incomplete { parameter } => Failure::invalid(parameter, "Required").into(),
            Fault::Unreachable { .. } | Fault::TimedOut { .. } | Fault::Foreign { .. } | Fault::Header { .. } => {
                Self::of("unavailable", &fault.to_string(), 1)
            }
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.body.get("fields").and_then(Value::as_array);
        if let Some(fields) = fields.filter(|fields| !fields.is_empty()) {
            write!(f, "The input is not right:")?;
            for fault in fields {
                let text = |name: &str| fault[name].as_str().unwrap_or_default();
                write!(f, "\n  {}: {}", text("field"), text("reason"))?;
            }
            return Ok(());
        }
        f.write_str(self.body.get("message").and_then(Value::as_str).unwrap_or("It failed."))?;
        let further =
            self.body.iter().filter(|(name, value)| !matches!(name.as_str(), "error" | "message") && !value.is_null());
        for (name, value) in further {
            match value.as_str() {
                Some(text) => write!(f, "\n  {name}: {text}")?,
                None => write!(f, "\n  {name}: {value}")?,
            }
        }
        Ok(())
    }
}
