//! A pure HTTP client of another Almanac's REST API, for any entry of the catalog: the command line and the MCP bridge
//! stand on it. It opens no database and adds no rule.

mod base;
mod fault;
mod me;
mod remote;
mod reply;
mod request;

pub use base::Unusable;
pub use fault::Fault;
pub use me::Me;
pub use remote::Remote;
pub use reply::{Accept, Reply};
