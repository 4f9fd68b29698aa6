use crate::{Error, Sql, Storage, fault::Fault, history, storage::Engine};

impl Storage {
    /// Storage's own statements, for sweeps over all of them.
    pub fn own_statements() -> &'static [&'static [Sql]] {
        history::STATEMENTS
    }

    /// Prepares every statement, which checks names, types and parameters, and answers how many columns each has.
    pub async fn prepare_all(&self, lists: &[&[Sql]]) -> Result<Vec<(&'static str, usize)>, Error> {
        let all: Vec<Sql> = lists.iter().copied().flatten().copied().collect();
        match &self.engine {
            Engine::Sqlite(engine) => {
                let prepare = move |connection: &rusqlite::Connection| {
                    let columns = |sql: &Sql| {
                        let statement = connection.prepare(sql.text).map_err(|cause| named(sql, cause.into()))?;
                        Ok((sql.name, statement.column_count()))
                    };
                    all.iter().map(columns).collect()
                };
                engine.apart(prepare).await
            }
            Engine::Postgres(engine) => {
                let mut columns = Vec::with_capacity(all.len());
                for sql in &all {
                    let prepared = engine.columns(sql.text).await;
                    columns.push((sql.name, prepared.map_err(|fault| named(sql, fault).error)?));
                }
                Ok(columns)
            }
        }
    }

    /// The engine's plan for a statement, a line each. A table read from end to end shows as `SCAN table` on SQLite
    /// and as `Seq Scan on table` on PostgreSQL, where only a statement without a fitting index gets one here.
    pub async fn explain(&self, sql: &Sql) -> Result<Vec<String>, Error> {
        match &self.engine {
            Engine::Sqlite(engine) => {
                let text = format!("EXPLAIN QUERY PLAN {}", sql.text);
                let explain = move |connection: &rusqlite::Connection| {
                    let mut statement = connection.prepare(&text)?;
                    let lines = statement.raw_query().mapped(|row| row.get(3)).collect::<Result<_, _>>()?;
                    Ok(lines)
                };
                engine.apart(explain).await
            }
            Engine::Postgres(engine) => engine.explain(sql.text).await.map_err(|fault| named(sql, fault).error),
        }
    }
}

fn named(sql: &Sql, fault: Fault) -> Fault {
    fault.in_statement(sql.name)
}
