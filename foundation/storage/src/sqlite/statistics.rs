use std::collections::BTreeSet;

use rusqlite::Connection;

use crate::fault::Fault;

/// What the planner is told of every table, in place of counts of what happens to be there: a million rows, of one
/// owner some thousands. So plans are the same in every database and at every size, and an index by owner and day is
/// worth more than the owner's whole table in the order of its key, which SQLite would prefer without statistics.
const ROWS: i64 = 1_000_000;
const ROWS_OF_AN_OWNER: i64 = 5_000;
/// Rows that agree in the first column that is no owner, and in one more than that.
const ROWS_ALIKE: [i64; 2] = [10, 2];

type Statistic = (String, String, String);

/// Writes them where they are not there yet.
pub(crate) fn set(connection: &Connection) -> Result<(), Fault> {
    let wanted = wanted(connection)?;
    if present(connection)? == wanted {
        return Ok(());
    }
    // Makes the table of statistics where there is none.
    connection.execute_batch("ANALYZE sqlite_schema; DELETE FROM sqlite_stat1")?;
    for statistic in &wanted {
        connection.execute("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?1, ?2, ?3)", statistic.clone())?;
    }
    // Reads it anew.
    Ok(connection.execute_batch("ANALYZE sqlite_schema")?)
}

fn present(connection: &Connection) -> Result<BTreeSet<Statistic>, Fault> {
    if !connection.table_exists(None, "sqlite_stat1")? {
        return Ok(BTreeSet::new());
    }
    let mut list = connection.prepare("SELECT tbl, coalesce(idx, ''), coalesce(stat, '') FROM sqlite_stat1")?;
    let rows = list.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn wanted(connection: &Connection) -> Result<BTreeSet<Statistic>, Fault> {
    let mut tables = connection.prepare(
        "SELECT t.name, t.wr, i.name, i.\"unique\", i.origin FROM pragma_table_list AS t, pragma_index_list(t.name) AS i
         WHERE t.schema = 'main' AND t.type = 'table' AND substr(t.name, 1, 7) <> 'sqlite_'",
    )?;
    let mut rows = tables.query([])?;
    let mut wanted = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let (table, without_rowid, index): (String, bool, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let (unique, origin): (bool, String) = (row.get(3)?, row.get(4)?);
        let stat = stat(&key_columns(connection, &index)?, unique);
        // The key that holds the rows themselves goes by the table's name.
        let index = if without_rowid && origin == "pk" { table.clone() } else { index };
        wanted.insert((table, index, stat));
    }
    Ok(wanted)
}

fn key_columns(connection: &Connection, index: &str) -> Result<Vec<String>, Fault> {
    let text = "SELECT coalesce(name, '') FROM pragma_index_info(?1) ORDER BY seqno";
    let mut columns = connection.prepare(text)?;
    let rows = columns.query_map([index], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// `1000000 5000 10 2`: the rows of the table, and those that agree in the first column, the first two, and so on.
fn stat(columns: &[String], unique: bool) -> String {
    let mut stat = ROWS.to_string();
    let mut alike = ROWS_ALIKE.iter();
    let mut last = ROWS;
    for (place, column) in columns.iter().enumerate() {
        last = match column.as_str() {
            _ if unique && place + 1 == columns.len() => 1,
            "owner" if place == 0 => ROWS_OF_AN_OWNER,
            _ => alike.next().copied().unwrap_or(last),
        };
        stat.push_str(&format!(" {last}"));
    }
    stat
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(columns: &[&str], unique: bool) -> String {
        stat(&columns.iter().map(|&column| column.to_owned()).collect::<Vec<_>>(), unique)
    }

    #[test]
    fn an_owner_has_thousands_of_rows_and_a_day_ten() {
        assert_eq!(of(&["owner", "user_date", "at", "id"], false), "1000000 5000 10 2 2");
        assert_eq!(of(&["owner", "id"], true), "1000000 5000 1");
        assert_eq!(of(&["hash"], true), "1000000 1");
        assert_eq!(of(&["state", "at"], false), "1000000 10 2");
    }
}
