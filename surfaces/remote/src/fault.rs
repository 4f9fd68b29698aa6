use std::fmt;

/// No answer, or none that can be used. `Display` is one sentence that a person can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Nobody is there at this origin, or the connection broke and the answer is lost. The cause is the transport's.
    Unreachable { origin: String, cause: String },
    /// Nothing came from this origin in this many seconds.
    TimedOut { origin: String, seconds: u64 },
    /// Something other than our REST API answered: a redirect, a page.
    Foreign { status: u16 },
    /// The input lacks a parameter of the path.
    Incomplete { parameter: &'static str },
    /// The token or the key cannot stand in a header, the input not in a URL.
    Header { name: &'static str },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable { origin, cause } => {
                write!(f, "The Almanac server at {origin} cannot be reached ({cause}).")
            }
            Self::TimedOut { origin, seconds } => {
                write!(f, "The Almanac server at {origin} did not answer within {seconds} s.")
            }
            Self::Foreign { status: status @ 300..=399 } => {
                write!(f, "The API URL is redirected (status {status}); give the address it leads to.")
            }
            Self::Foreign { status } => {
                write!(f, "What answered at the API URL is no Almanac (status {status}); check the address.")
            }
            Self::Incomplete { parameter } => write!(f, "{parameter}: Required"),
            Self::Header { name } => write!(f, "The {name} is too long or has characters that cannot be sent."),
        }
    }
}

impl std::error::Error for Fault {}
