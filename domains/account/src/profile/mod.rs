//! The person's profile and time.

mod get_user_profile;
mod stored;
mod update_user_profile;
mod user;

use operation::{Listed, local};

pub(crate) const OPERATIONS: &[Listed] =
    &[local::<get_user_profile::GetUserProfile>, local::<update_user_profile::UpdateUserProfile>];
