//! Who may knock at an HTTP surface: names and pages it answers to, how often, and with which credential.

mod bearer;
mod flood;
mod origin;

pub use bearer::{BearerFault, bearer};
pub use flood::{Flood, Floods};
pub use origin::{Origins, Reach};
