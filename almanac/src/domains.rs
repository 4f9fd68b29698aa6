//! The one file that names the domains.

use operation::Domain;

/// Every domain, in the order in which they are shown. `account` is always on; the others can be switched off.
pub const DOMAINS: &[Domain] = &[account::DOMAIN, journal::DOMAIN];

/// The domains that are on: `account`, and those that `names` lists (none listed: all).
pub fn switched_on(names: &[String]) -> Vec<Domain> {
    let on = |domain: &&Domain| {
        names.is_empty() || domain.name == account::DOMAIN.name || names.iter().any(|name| name == domain.name)
    };
    DOMAINS.iter().filter(on).copied().collect()
}

/// Names that a setting may list.
pub fn names() -> impl Iterator<Item = &'static str> {
    DOMAINS.iter().map(|domain| domain.name)
}
