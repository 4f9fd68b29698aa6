//! What must hold across operations, and defects of other programs of this kind that must not come back; the latter
//! carry the codes of the specification (`o4_…`, `b14_…`).

mod plans;
mod repeats;
mod taking_back;
mod times;
mod totals;
