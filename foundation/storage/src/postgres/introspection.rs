use tokio_postgres::GenericClient;

use crate::{
    capture::{Column, ForeignKey, Kind, TableColumns},
    fault::Fault,
};

const COLUMNS: &str = "SELECT attname::text, format_type(atttypid, NULL), attgenerated <> ''
    FROM pg_attribute
    WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
    ORDER BY attnum";

const PRIMARY_KEY: &str = "SELECT a.attname::text
    FROM pg_index i
    CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
    WHERE i.indrelid = to_regclass($1) AND i.indisprimary
    ORDER BY k.place";

const FOREIGN_KEYS: &str = "SELECT c.oid::bigint, p.relname::text, a.attname::text, f.attname::text,
        c.confupdtype = 'a' AND c.confdeltype = 'a' AND NOT c.condeferred
    FROM pg_constraint c
    JOIN pg_class p ON p.oid = c.confrelid
    CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY AS k (here, there, place)
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.here
    JOIN pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = k.there
    WHERE c.conrelid = to_regclass($1) AND c.contype = 'f'
    ORDER BY c.oid, k.place";

const UNIQUES: &str = "SELECT i.indexrelid::bigint, a.attname::text
    FROM pg_index i
    CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
    WHERE i.indrelid = to_regclass($1) AND i.indisunique AND NOT i.indisprimary AND i.indexprs IS NULL
    ORDER BY i.indexrelid, k.place";

/// A table as the server describes it; without columns when there is none of that name.
pub(crate) async fn describe(client: &impl GenericClient, table: &str) -> Result<TableColumns, Fault> {
    let mut described = TableColumns::default();
    for row in client.query(COLUMNS, &[&table]).await? {
        let name: String = row.try_get(0)?;
        if row.try_get(2)? {
            described.generated.push(name.clone());
        }
        described.columns.push(Column { name, kind: kind_of(row.try_get(1)?) });
    }
    for row in client.query(PRIMARY_KEY, &[&table]).await? {
        described.primary_key.push(row.try_get(0)?);
    }
    described.foreign_keys = foreign_keys(client, table).await?;
    described.uniques = uniques(client, table).await?;
    Ok(described)
}

fn kind_of(declared: &str) -> Kind {
    match declared {
        "bigint" | "integer" | "smallint" => Kind::Integer,
        "double precision" | "real" => Kind::Real,
        "text" => Kind::Text,
        "bytea" => Kind::Blob,
        other => Kind::Other(other.to_owned()),
    }
}

async fn foreign_keys(client: &impl GenericClient, table: &str) -> Result<Vec<ForeignKey>, Fault> {
    let mut found: Vec<(i64, ForeignKey)> = Vec::new();
    for row in client.query(FOREIGN_KEYS, &[&table]).await? {
        let id: i64 = row.try_get(0)?;
        if found.last().is_none_or(|(last, _)| *last != id) {
            let (parent, plain) = (row.try_get(1)?, row.try_get(4)?);
            found.push((id, ForeignKey { columns: Vec::new(), parent, parent_columns: Vec::new(), plain }));
        }
        if let Some((_, key)) = found.last_mut() {
            key.columns.push(row.try_get(2)?);
            key.parent_columns.push(row.try_get(3)?);
        }
    }
    Ok(found.into_iter().map(|(_, key)| key).collect())
}

async fn uniques(client: &impl GenericClient, table: &str) -> Result<Vec<Vec<String>>, Fault> {
    let mut found: Vec<(i64, Vec<String>)> = Vec::new();
    for row in client.query(UNIQUES, &[&table]).await? {
        let (index, column): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
        match found.last_mut() {
            Some((last, columns)) if *last == index => columns.push(column),
            _ => found.push((index, vec![column])),
        }
    }
    Ok(found.into_iter().map(|(_, columns)| columns).collect())
}
