use storage::{Capture, Migration, Sql, Table};

use crate::{access_token, audit, body_profile, caller, claim, person, profile};

const fn table(name: &'static str, capture: Capture) -> Table {
    Table { name, entity: name, capture }
}

/// Tables of identity.
pub const TABLES: &[Table] = &[
    table("person", Capture::None),
    table("profile", Capture::Rows { except: &[] }),
    table("body_profile", Capture::Rows { except: &[] }),
    table("access_token", Capture::None),
    table("claim", Capture::None),
    table("account_event", Capture::None),
];

/// Migrations of identity.
pub const MIGRATIONS: &[Migration] =
    &[Migration { domain: "identity", number: 1, name: "people", sql: include_str!("migrations/0001_people.sql") }];

/// Every SQL text of identity, one list per record file.
pub const STATEMENTS: &[&[Sql]] = &[
    access_token::STATEMENTS,
    audit::STATEMENTS,
    body_profile::STATEMENTS,
    caller::STATEMENTS,
    claim::STATEMENTS,
    person::STATEMENTS,
    profile::STATEMENTS,
];
