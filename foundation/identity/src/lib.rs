//! People, their profiles and their credentials: a credential in, a [`operation::Caller`] out.
//!
//! Everything is read per call and never cached, so revoking a token or changing a zone holds from the next call on,
//! on every replica.

pub mod access_token;
pub mod audit;
pub mod body_profile;
mod caller;
mod claim;
mod closed_set;
mod create_person;
mod credential;
mod email;
mod may_use;
mod network;
pub mod person;
pub mod profile;
mod schema;
mod words;

pub use access_token::{LAST_USED_STEP_S, stamp_last_used};
pub use body_profile::{ActivityLevel, BodyProfile, DrinkStandard, Sex};
pub use caller::{caller_of_credential, caller_of_email, caller_of_person, command_line};
pub use claim::is_claimed;
pub use create_person::{CREATE_PERSON, NewPerson, create_person};
pub use credential::Credential;
pub use email::Email;
pub use may_use::may_use;
pub use network::network_of;
pub use profile::{Language, Profile, Units, day_clock};
pub use schema::{MIGRATIONS, STATEMENTS, TABLES};
pub use words::{one_line, paragraphs};
