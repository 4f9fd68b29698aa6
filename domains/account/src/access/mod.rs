//! What a connection may do.

mod get_my_access;

use operation::{Listed, local};

pub(crate) const OPERATIONS: &[Listed] = &[local::<get_my_access::GetMyAccess>];
