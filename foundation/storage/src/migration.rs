use std::collections::BTreeMap;

use crate::Error;

/// One forward step of a domain's schema. The text is written once; `{int}`, `{real}`, `{text}`, `{blob}` become the
/// engine's type words, `{strict}` SQLite's `STRICT` and `{clustered}` its `STRICT, WITHOUT ROWID`, for a table whose
/// rows lie in the order of the primary key.
///
/// A migration that rewrites rows of a captured table (`UPDATE meal …`) makes the older images of that table
/// unusable: what they hold is in the old meaning, so the changes before it can no longer be undone.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    pub domain: &'static str,
    pub number: i64,
    pub name: &'static str,
    pub sql: &'static str,
}

/// A migration that the database has seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedMigration {
    pub domain: String,
    pub number: i64,
    pub name: String,
    pub checksum: String,
}

impl Migration {
    /// FNV-1a, 64 bits, of the text as it is written, in hex. It finds edits, it protects against nobody.
    pub(crate) fn checksum(&self) -> String {
        format!("{:016x}", fnv1a(self.sql.as_bytes()))
    }

    /// Whether it changes rows of `table` rather than only its shape.
    pub(crate) fn rewrites(&self, table: &str) -> bool {
        let words: Vec<String> = self
            .sql
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        let after =
            |word: &str, skip: usize| words.windows(skip + 1).any(|window| window[0] == word && window[skip] == table);
        after("update", 1)
            || after("from", 1) && words.iter().any(|word| word == "delete")
            || after("into", 1)
            || after("to", 1)
    }
}

pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Storage's own tables, before those of every domain.
pub(crate) const OWN: Migration =
    Migration { domain: "storage", number: 1, name: "change_log", sql: include_str!("migrations/0001_change_log.sql") };

/// The migrations still to run, in order; refuses a database that has seen others than these.
pub(crate) fn pending(known: &[Migration], applied: &[AppliedMigration]) -> Result<Vec<Migration>, Error> {
    let applied: BTreeMap<_, _> = applied.iter().map(|m| ((m.domain.as_str(), m.number), m)).collect();
    let known_keys: BTreeMap<_, _> = known.iter().map(|m| ((m.domain, m.number), m)).collect();
    if known_keys.len() < known.len() {
        return Err(Error::Internal("two migrations of a domain have the same number".to_owned()));
    }
    if let Some(newer) = applied.values().find(|m| !known_keys.contains_key(&(m.domain.as_str(), m.number))) {
        return Err(Error::Unavailable(format!(
            "the database was migrated by a newer version of Almanac ({} {:04} {}); start that version, or restore a \
             backup from before",
            newer.domain, newer.number, newer.name
        )));
    }
    let mut latest: BTreeMap<&str, i64> = BTreeMap::new();
    let mut pending = Vec::new();
    for migration in known {
        let Migration { domain, number, name, .. } = *migration;
        if latest.insert(domain, number).is_some_and(|before| before > number) {
            return Err(Error::Internal(format!("migration {domain} {number:04} {name} stands out of order")));
        }
        match applied.get(&(domain, number)) {
            Some(seen) if seen.checksum != migration.checksum() => {
                return Err(Error::Unavailable(format!(
                    "migration {domain} {number:04} {name} is not the text that made this database; a published \
                     migration is never edited"
                )));
            }
            Some(_) => {}
            None => pending.push(*migration),
        }
    }
    Ok(pending)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn migration(number: i64, sql: &'static str) -> Migration {
        Migration { domain: "journal", number, name: "meals", sql }
    }

    fn applied(migration: &Migration) -> AppliedMigration {
        AppliedMigration {
            domain: migration.domain.to_owned(),
            number: migration.number,
            name: migration.name.to_owned(),
            checksum: migration.checksum(),
        }
    }

    #[test]
    fn only_what_the_database_has_not_seen_is_pending() {
        let (first, second) = (migration(1, "a"), migration(2, "b"));
        let pending = pending(&[first, second], &[applied(&first)]).unwrap();
        assert_eq!(pending.iter().map(|m| m.number).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_database_of_a_newer_version_is_refused_by_name() {
        let error = pending(&[migration(1, "a")], &[applied(&migration(1, "a")), applied(&migration(2, "b"))]);
        assert!(error.unwrap_err().to_string().contains("newer version of Almanac (journal 0002 meals)"));
    }

    #[test]
    fn an_edited_migration_is_refused() {
        let error = pending(&[migration(1, "edited")], &[applied(&migration(1, "a"))]).unwrap_err();
        assert!(error.to_string().contains("never edited"), "{error}");
    }

    #[test]
    fn a_migration_that_touches_rows_is_told_from_one_that_touches_the_shape() {
        assert!(migration(1, "UPDATE meal SET kcal = kcal * 10;").rewrites("meal"));
        assert!(migration(1, "delete from meal;").rewrites("meal"));
        assert!(migration(1, "INSERT INTO meal (id) SELECT 1").rewrites("meal"));
        assert!(!migration(1, "ALTER TABLE meal ADD COLUMN x {int};").rewrites("meal"));
        assert!(!migration(1, "UPDATE meals SET kcal = 1 FROM meal").rewrites("weight"));
    }
}
