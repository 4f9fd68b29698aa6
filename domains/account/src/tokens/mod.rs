//! Personal access tokens.

mod create_access_token;
mod grant;
mod list_access_tokens;
mod revoke_access_token;

use operation::{Listed, local};

pub(crate) const OPERATIONS: &[Listed] = &[
    local::<create_access_token::CreateAccessToken>,
    local::<list_access_tokens::ListAccessTokens>,
    local::<revoke_access_token::RevokeAccessToken>,
];
