use std::collections::BTreeMap;

use deadpool_postgres::{Object, Pool};
use tokio_postgres::{Transaction, error::SqlState};

use crate::{
    AppliedMigration, Migration, Schema, Table,
    capture::{Catalog, PREFIX, SavedShape, TableColumns, Trigger, captured_columns, next_shape, postgres_triggers},
    dialect::Dialect,
    fault::Fault,
    migration,
    postgres::{introspection::describe, lease::Lease},
};

const RECORD: &str = "CREATE TABLE IF NOT EXISTS migration (
    domain TEXT COLLATE \"C\" NOT NULL, number BIGINT NOT NULL, name TEXT NOT NULL, checksum TEXT NOT NULL,
    applied_at BIGINT NOT NULL, PRIMARY KEY (domain, number)
);
CREATE TABLE IF NOT EXISTS migration_lease (id BIGINT PRIMARY KEY, holder TEXT NOT NULL, expires_at TIMESTAMPTZ NOT NULL)";

const RECORDED: &str = "INSERT INTO migration (domain, number, name, checksum, applied_at)
    VALUES ($1, $2, $3, $4, extract(epoch FROM now())::bigint)";

/// Brings the database to the schema and reads the catalog back from it: under a lease, in one transaction, so that
/// no captured table is ever without its triggers.
pub(crate) async fn migrate(pool: &Pool, schema: &Schema) -> Result<Catalog, Fault> {
    bootstrap(pool).await?;
    let lease = Lease::take(pool).await?;
    let known: Vec<Migration> = std::iter::once(migration::OWN).chain(schema.migrations.iter().copied()).collect();
    let done = forward(pool, schema, &known).await;
    lease.give_back().await?;
    done
}

/// Two processes that create a table at once can meet in the server's own tables; one of them then tries again.
async fn bootstrap(pool: &Pool) -> Result<(), Fault> {
    let mut tries = 0;
    loop {
        let client: Object = pool.get().await?;
        match client.batch_execute(RECORD).await {
            Err(cause) if tries < 5 && cause.code().is_some_and(met_another) => tries += 1,
            done => return Ok(done?),
        }
    }
}

fn met_another(code: &SqlState) -> bool {
    [&SqlState::UNIQUE_VIOLATION, &SqlState::DUPLICATE_TABLE, &SqlState::T_R_SERIALIZATION_FAILURE].contains(&code)
}

async fn forward(pool: &Pool, schema: &Schema, known: &[Migration]) -> Result<Catalog, Fault> {
    let mut client = pool.get().await?;
    let transaction = client.build_transaction().start().await?;
    let waiting = migration::pending(known, &applied(&*transaction).await?)?;
    if !waiting.is_empty() {
        drop_triggers(&transaction).await?;
    }
    for migration in &waiting {
        let named =
            |fault: Fault| fault.in_statement(&format!("migration {} {:04}", migration.domain, migration.number));
        let text = Dialect::Postgres.words(migration.sql);
        transaction.batch_execute(&text).await.map_err(|cause| named(cause.into()))?;
        let checksum = migration.checksum();
        let record: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
            [&migration.domain, &migration.number, &migration.name, &checksum];
        transaction.execute(RECORDED, &record).await?;
    }
    let catalog = catalog(&transaction, &schema.tables, &waiting).await?;
    let triggers: Vec<Trigger> = catalog.captured.iter().flat_map(postgres_triggers).collect();
    let mark = mark(&triggers);
    if !waiting.is_empty() || present_mark(&transaction).await? != mark {
        drop_triggers(&transaction).await?;
        for trigger in &triggers {
            transaction.batch_execute(&trigger.sql).await?;
        }
    }
    transaction.commit().await?;
    Ok(catalog)
}

pub(crate) async fn applied(client: &impl tokio_postgres::GenericClient) -> Result<Vec<AppliedMigration>, Fault> {
    let text = "SELECT domain, number, name, checksum FROM migration ORDER BY applied_at, domain, number";
    let mut applied = Vec::new();
    for row in client.query(text, &[]).await? {
        let (domain, number, name, checksum) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
        applied.push(AppliedMigration { domain, number, name, checksum });
    }
    Ok(applied)
}

async fn catalog(transaction: &Transaction<'_>, tables: &[Table], run_now: &[Migration]) -> Result<Catalog, Fault> {
    let mut columns: BTreeMap<&'static str, TableColumns> = BTreeMap::new();
    let mut shapes = BTreeMap::new();
    for table in tables {
        let here = describe(transaction, table.name).await?;
        seed(transaction, table.name).await?;
        if let Some(captured) = captured_columns(table, &here)? {
            let mut saved = saved_shapes(transaction, table.name).await?;
            if let Some(shape) = next_shape(table.name, &captured, &saved, run_now) {
                save_shape(transaction, table.name, &shape).await?;
                saved.push(shape);
            }
            shapes.insert(table.name.to_owned(), saved);
        }
        columns.insert(table.name, here);
    }
    seed(transaction, crate::history::CHANGE_TABLE).await?;
    Ok(Catalog::new(tables.to_vec(), &columns, shapes)?)
}

async fn seed(transaction: &Transaction<'_>, table: &str) -> Result<(), Fault> {
    let text = "INSERT INTO id_block (tbl, next) VALUES ($1, 1) ON CONFLICT DO NOTHING";
    transaction.execute(text, &[&table]).await?;
    Ok(())
}

async fn saved_shapes(transaction: &Transaction<'_>, table: &str) -> Result<Vec<SavedShape>, Fault> {
    let text = "SELECT number, columns, rewritten FROM capture_shape WHERE tbl = $1 ORDER BY number";
    let mut saved = Vec::new();
    for row in transaction.query(text, &[&table]).await? {
        saved.push(SavedShape::parse(row.try_get(0)?, row.try_get(1)?, row.try_get::<_, i64>(2)? == 1)?);
    }
    Ok(saved)
}

async fn save_shape(transaction: &Transaction<'_>, table: &str, shape: &SavedShape) -> Result<(), Fault> {
    let text = "INSERT INTO capture_shape (tbl, number, columns, rewritten) VALUES ($1, $2, $3, $4)";
    let (columns, rewritten) = (shape.columns_text()?, i64::from(shape.rewritten));
    transaction.execute(text, &[&table, &shape.number, &columns, &rewritten]).await?;
    Ok(())
}

/// What the triggers in the database must be, in one line: their names and a hash of each text.
fn mark(triggers: &[Trigger]) -> Vec<String> {
    let mut names: Vec<String> = triggers
        .iter()
        .map(|trigger| match trigger.sql.split_once("$capture$") {
            Some((_, body)) => {
                format!("{} {:016x}", trigger.name, migration::fnv1a(body.replace("\n$capture$", "\n").as_bytes()))
            }
            None => trigger.name.clone(),
        })
        .collect();
    names.sort();
    names
}

async fn present_mark(transaction: &Transaction<'_>) -> Result<Vec<String>, Fault> {
    let triggers = "SELECT tgname::text FROM pg_trigger
        JOIN pg_class ON pg_class.oid = tgrelid AND relnamespace = current_schema()::regnamespace
        WHERE starts_with(tgname::text, $1) AND tgenabled = 'O'";
    let functions = "SELECT proname::text, prosrc FROM pg_proc
        WHERE starts_with(proname::text, $1) AND pronamespace = current_schema()::regnamespace";
    let mut present = Vec::new();
    for row in transaction.query(triggers, &[&PREFIX]).await? {
        present.push(row.try_get(0)?);
    }
    for row in transaction.query(functions, &[&PREFIX]).await? {
        let (name, source): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        present.push(format!("{name} {:016x}", migration::fnv1a(source.as_bytes())));
    }
    present.sort();
    Ok(present)
}

async fn drop_triggers(transaction: &Transaction<'_>) -> Result<(), Fault> {
    let text = "SELECT proname::text FROM pg_proc
        WHERE starts_with(proname::text, $1) AND pronamespace = current_schema()::regnamespace";
    for row in transaction.query(text, &[&PREFIX]).await? {
        let name: String = row.try_get(0)?;
        transaction.batch_execute(&format!("DROP FUNCTION {name}() CASCADE")).await?;
    }
    Ok(())
}
