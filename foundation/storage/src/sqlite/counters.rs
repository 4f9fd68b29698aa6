use rusqlite::{Connection, OptionalExtension};

use crate::fault::Fault;

/// The counters of `id_block` inside one transaction: read once, counted in memory, written before the commit.
/// Only the writer's exclusive transaction may hold them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counters(Vec<Counter>);

#[derive(Debug, Clone)]
struct Counter {
    table: &'static str,
    next: i64,
    stored: i64,
}

impl Counters {
    pub(crate) fn next(&mut self, connection: &Connection, table: &'static str) -> Result<i64, Fault> {
        let counter = self.counter(connection, table)?;
        counter.next += 1;
        Ok(counter.next - 1)
    }

    /// Later ids of `table` are above `seen`.
    pub(crate) fn raise(&mut self, connection: &Connection, table: &'static str, seen: i64) -> Result<(), Fault> {
        let counter = self.counter(connection, table)?;
        counter.next = counter.next.max(seen + 1);
        Ok(())
    }

    fn counter(&mut self, connection: &Connection, table: &'static str) -> Result<&mut Counter, Fault> {
        let place = match self.0.iter().position(|counter| counter.table == table) {
            Some(place) => place,
            None => {
                let mut statement = connection.prepare_cached("SELECT next FROM id_block WHERE tbl = ?1")?;
                let next = statement.query_row([table], |row| row.get(0)).optional()?;
                let next = next.ok_or_else(|| Fault::internal(format!("{table} is no table of the schema")))?;
                self.0.push(Counter { table, next, stored: next });
                self.0.len() - 1
            }
        };
        Ok(&mut self.0[place])
    }

    pub(crate) fn write(&mut self, connection: &Connection) -> Result<(), Fault> {
        for counter in self.0.iter_mut().filter(|counter| counter.next != counter.stored) {
            let mut statement = connection.prepare_cached("UPDATE id_block SET next = ?2 WHERE tbl = ?1")?;
            statement.execute((counter.table, counter.next))?;
            counter.stored = counter.next;
        }
        Ok(())
    }

    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }
}
