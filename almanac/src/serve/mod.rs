//! `almanac serve`: every surface on one address, until the process is told to stop.

mod connection;
mod guests;
mod housekeeping;
mod limits;
mod run;
mod stop;
mod surfaces;
mod welcome;

pub use run::run;
pub use surfaces::mcp_settings;
