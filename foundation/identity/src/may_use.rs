use operation::{Area, Scope, Scopes};

/// The areas that everybody may use. `lab` and `venues` come with a role, which the clinic tells identity.
const EVERYBODY: [Area; 5] = [Area::Profile, Area::Journal, Area::Kitchen, Area::Training, Area::Care];

/// Every scope that a person may hold at all on a server that has `areas`.
pub fn may_use(areas: Scopes) -> Scopes {
    EVERYBODY.into_iter().map(Scope::write).collect::<Scopes>().intersection(areas)
}

/// The scopes of `all` that `held` lacks.
pub(crate) fn missing(held: Scopes, all: Scopes) -> Scopes {
    // Not `Scopes::without`: taking `x:read` from `x` leaves a bit that is no scope.
    all.iter().filter(|scope| !held.contains(*scope)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scopes(text: &str) -> Scopes {
        Scopes::parse(text).unwrap()
    }

    #[test]
    fn nobody_may_use_an_area_that_the_server_lacks_or_that_needs_a_role() {
        assert_eq!(may_use(scopes("profile journal lab")), scopes("profile journal"));
    }

    #[test]
    fn writing_is_missing_where_only_reading_is_held() {
        assert_eq!(missing(scopes("journal:read"), scopes("profile journal")), scopes("profile journal"));
        assert_eq!(missing(scopes("journal profile:read"), scopes("profile journal")), scopes("profile"));
        assert!(missing(scopes("journal"), scopes("journal")).is_empty());
    }
}
