//! The acceptance cases of the MCP surface, by their numbers, against a served Almanac.
//!
//! What waits for a later part of Almanac: the visitors of cases 16 and 24, `almanac://today` of case 25 and the five
//! resources of case 31 (the mechanism is tested on the fixture of the conformance suite), `add_to_pantry` of case 18
//! (another list stands in), the absolute `resource_metadata` of cases 24 and 26 (there is no authorization server).

mod access;
mod calls;
mod faults;
mod orientation;
mod refusals;
mod revisions;
mod schemas;
mod stdio;
mod transport;
