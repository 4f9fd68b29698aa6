//! The one file that names the domains.

use operation::Domain;

/// Every domain, in the order in which they are shown. `account` is always on; the others can be switched off.
pub const DOMAINS: &[Domain] = &[account::DOMAIN, journal::DOMAIN];

/// All domains, those that are off without anything to call or to show: `account` is on, and what `names` lists (none
/// listed: all). The tables of a domain that is off stay, so that its data does.
pub fn switched_on(names: &[String]) -> Vec<Domain> {
    let on = |domain: &Domain| {
        names.is_empty() || domain.name == account::DOMAIN.name || names.iter().any(|name| name == domain.name)
    };
    DOMAINS.iter().map(|domain| if on(domain) { *domain } else { silent(domain) }).collect()
}

fn silent(domain: &Domain) -> Domain {
    Domain { operations: &[], entities: &[], workflows: &[], resources: &[], ..*domain }
}

/// Names that a setting may list.
pub fn names() -> impl Iterator<Item = &'static str> {
    DOMAINS.iter().map(|domain| domain.name)
}
