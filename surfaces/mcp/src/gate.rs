//! Layer 7: may this caller do this at all? Asked of the same table that makes the list, before anything runs.

use operation::{Caller, Entry, Failure, Needs, Scopes, Toolset};

use crate::{envelope::Envelope, resources, tool::SIGN_IN, toolset::Tools};

/// The failure that HTTP must tell before the call runs: a missing credential or scope.
pub(crate) fn refuse(tools: &Tools, envelope: &Envelope<'_>, caller: &Caller, toolset: &Toolset) -> Option<Failure> {
    let entry = match envelope.method() {
        "tools/call" => {
            let name = envelope.name()?;
            if name == SIGN_IN && tools.has_sign_in() && caller.person.is_none() {
                return Some(Failure::Unauthenticated);
            }
            tools.find(name, toolset)?
        }
        "resources/read" => resources::find(tools.catalog(), envelope.uri()?)?.entry,
        _ => return None,
    };
    lacks(entry, caller)
}

fn lacks(entry: &Entry, caller: &Caller) -> Option<Failure> {
    match entry.needs {
        needs if caller.may(needs) => None,
        _ if caller.person.is_none() => Some(Failure::Unauthenticated),
        Needs::Scope(scope) => Some(Failure::MissingScope { operation: entry.name, needs: Scopes::NONE.with(scope) }),
        Needs::Anonymous | Needs::AnyCredential => None,
    }
}
