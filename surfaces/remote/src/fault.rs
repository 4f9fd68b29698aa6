use std::fmt;

/// No answer, or none that can be used. `Display` is one sentence that a person can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Nobody is there, or the connection broke and the answer is lost. The cause is the transport's.
    Unreachable { cause: String },
    /// Nothing came in this many seconds.
    TimedOut { seconds: u64 },
    /// Something other than our REST API answered: a redirect, a page.
    Foreign { status: u16 },
    /// The input lacks a parameter of the path.
    Incomplete { parameter: &'static str },
    /// The token or the key cannot stand in a header.
    Header { name: &'static str },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable { cause } => write!(f, "The Almanac server cannot be reached ({cause})."),
            Self::TimedOut { seconds } => write!(f, "The Almanac server did not answer within {seconds} s."),
            Self::Foreign { status: status @ 300..=399 } => {
                write!(f, "The API URL is redirected (status {status}); give the address it leads to.")
            }
            Self::Foreign { status } => {
                write!(f, "What answered at the API URL is no Almanac (status {status}); check the address.")
            }
            Self::Incomplete { parameter } => write!(f, "{parameter}: Required"),
            Self::Header { name } => write!(f, "The {name} has characters that cannot be sent."),
        }
    }
}

impl std::error::Error for Fault {}
