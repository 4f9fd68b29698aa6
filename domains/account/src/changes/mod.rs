//! What was changed, and taking it back.

use operation::Listed;

pub(crate) const OPERATIONS: &[Listed] = &[];
