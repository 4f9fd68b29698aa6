use std::collections::{HashMap, hash_map::Entry};

use rusqlite::{
    Connection, Statement, ToSql,
    types::{ToSqlOutput, ValueRef},
};

use crate::{
    Row, Value,
    fault::Fault,
    sql::Text,
    sqlite::{connection::CurrentChange, counters::Counters},
};

/// A connection as a transaction uses it.
pub(crate) struct SqliteSession {
    pub(crate) connection: Connection,
    pub(crate) change: CurrentChange,
    pub(crate) counters: Counters,
    /// A reader's: a statement that would write is a fault of ours, told apart from a disk that refuses.
    reads_only: bool,
    /// Statements whose parameters do not first appear as `$1, $2, …`: where each is bound.
    reordered: HashMap<(usize, usize), Option<Box<[usize]>>>,
}

impl SqliteSession {
    pub(crate) fn new(connection: Connection, change: CurrentChange) -> Self {
        Self { connection, change, counters: Counters::default(), reads_only: false, reordered: HashMap::new() }
    }

    /// Over a `query_only` connection.
    pub(crate) fn reader(connection: Connection) -> Self {
        Self { reads_only: true, ..Self::new(connection, CurrentChange::default()) }
    }

    pub(crate) fn execute(&mut self, text: Text<'_>, params: &[Value]) -> Result<u64, Fault> {
        let mut statement = self.connection.prepare_cached(text.as_str())?;
        refuse_write(&statement, self.reads_only)?;
        bind(&mut statement, &mut self.reordered, text, params)?;
        if statement.column_count() == 0 {
            return Ok(statement.raw_execute()? as u64);
        }
        let mut rows = statement.raw_query();
        let mut count = 0;
        while rows.next()?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    pub(crate) fn rows(&mut self, text: Text<'_>, params: &[Value]) -> Result<Vec<Row>, Fault> {
        let mut statement = self.connection.prepare_cached(text.as_str())?;
        refuse_write(&statement, self.reads_only)?;
        bind(&mut statement, &mut self.reordered, text, params)?;
        let columns = statement.column_count();
        let mut rows = statement.raw_query();
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(read_row(row, columns)?);
        }
        Ok(found)
    }

    pub(crate) fn row(&mut self, text: Text<'_>, params: &[Value]) -> Result<Option<Row>, Fault> {
        let mut statement = self.connection.prepare_cached(text.as_str())?;
        refuse_write(&statement, self.reads_only)?;
        bind(&mut statement, &mut self.reordered, text, params)?;
        let columns = statement.column_count();
        let reads_only = statement.readonly();
        let mut rows = statement.raw_query();
        let first = match rows.next()? {
            Some(row) => Some(read_row(row, columns)?),
            None => None,
        };
        // A statement that writes is stepped to its end, where its foreign keys are checked.
        while !reads_only && rows.next()?.is_some() {}
        Ok(first)
    }

    /// A statement without parameters or answer, such as COMMIT.
    pub(crate) fn command(&self, text: &str) -> Result<(), Fault> {
        self.connection.prepare_cached(text)?.raw_execute()?;
        Ok(())
    }

    /// Ends whatever transaction is open; one that SQLite ended by itself is none.
    pub(crate) fn roll_back(&mut self) {
        self.counters.forget();
        if !self.connection.is_autocommit()
            && let Err(fault) = self.command("ROLLBACK")
        {
            tracing::error!(cause = %fault.error, "a transaction could not be rolled back");
        }
    }
}

fn refuse_write(statement: &Statement<'_>, reads_only: bool) -> Result<(), Fault> {
    if reads_only && !statement.readonly() {
        return Err(Fault::internal("a read transaction was given a statement that writes"));
    }
    Ok(())
}

/// SQLite numbers `$1`, a name to it, by first appearance.
fn bind(
    statement: &mut Statement<'_>,
    reordered: &mut HashMap<(usize, usize), Option<Box<[usize]>>>,
    text: Text<'_>,
    params: &[Value],
) -> Result<(), Fault> {
    let wanted = statement.parameter_count();
    if wanted != params.len() {
        return Err(Fault::internal(format!("{wanted} parameters wanted, {} given", params.len())));
    }
    let made;
    let places = match text {
        Text::Made(_) => {
            made = places(statement)?;
            &made
        }
        // A constant is never freed, so its address stands for it.
        Text::Constant(text) => match reordered.entry((text.as_ptr() as usize, text.len())) {
            Entry::Occupied(known) => &*known.into_mut(),
            Entry::Vacant(new) => &*new.insert(places(statement)?),
        },
    };
    for (index, value) in params.iter().enumerate() {
        let place = places.as_ref().map_or(index + 1, |places| places[index]);
        statement.raw_bind_parameter(place, value)?;
    }
    Ok(())
}

/// Where each of `$1, $2, …` is bound; `None` when that is its own number.
fn places(statement: &Statement<'_>) -> Result<Option<Box<[usize]>>, Fault> {
    let count = statement.parameter_count();
    let mut places = vec![0; count].into_boxed_slice();
    for place in 1..=count {
        let name = statement.parameter_name(place).unwrap_or_default();
        let number: usize = name.get(1..).and_then(|digits| digits.parse().ok()).unwrap_or_default();
        let slot = number.checked_sub(1).and_then(|index| places.get_mut(index));
        *slot.ok_or_else(|| Fault::internal(format!("parameter {name:?} is not one of $1 to ${count}")))? = place;
    }
    let in_order = places.iter().enumerate().all(|(index, place)| *place == index + 1);
    Ok((!in_order).then_some(places))
}

fn read_row(row: &rusqlite::Row<'_>, columns: usize) -> Result<Row, Fault> {
    let mut values = Vec::with_capacity(columns);
    for column in 0..columns {
        values.push(match row.get_ref(column)? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(integer) => Value::Integer(integer),
            ValueRef::Real(real) => Value::Real(real),
            ValueRef::Text(text) => Value::Text(
                std::str::from_utf8(text)
                    .map_err(|cause| Fault::internal(format!("text is no UTF-8: {cause}")))?
                    .to_owned(),
            ),
            ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
        });
    }
    Ok(Row(values))
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(integer) => ValueRef::Integer(*integer),
            Self::Real(real) => ValueRef::Real(*real),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
