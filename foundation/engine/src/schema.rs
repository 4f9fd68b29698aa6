//! All tables and migrations of a server: the engine's own, identity's, and those of the domains that are on.

use operation::Domain;
use storage::{Capture, Migration, Schema, Sql, Table};

use crate::idempotency;

/// Every SQL text of the engine itself.
pub const STATEMENTS: &[&[Sql]] = &[idempotency::STATEMENTS];

const TABLES: &[Table] = &[Table { name: "idempotency_key", entity: "idempotency_key", capture: Capture::None }];

const MIGRATIONS: &[Migration] = &[Migration {
    domain: "engine",
    number: 1,
    name: "idempotency_key",
    sql: "CREATE TABLE idempotency_key (
        owner {int} NOT NULL,
        operation {text} NOT NULL,
        key {text} NOT NULL,
        row_id {int} NOT NULL,
        payload {text} NOT NULL,
        change_id {int},
        created_at {int} NOT NULL,
        expires_at {int} NOT NULL,
        PRIMARY KEY (owner, operation, key)
    ) {strict};
    CREATE INDEX idempotency_key_expiry ON idempotency_key (expires_at);",
}];

pub fn of(domains: &[Domain]) -> Schema {
    let mut schema = Schema { tables: TABLES.to_vec(), migrations: MIGRATIONS.to_vec() };
    schema.tables.extend_from_slice(identity::TABLES);
    schema.migrations.extend_from_slice(identity::MIGRATIONS);
    for domain in domains {
        schema.tables.extend_from_slice(domain.tables);
        schema.migrations.extend_from_slice(domain.migrations);
    }
    schema
}
