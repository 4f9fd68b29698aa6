//! The SQL that both engines read alike (ARCHITECTURE.md, storage rules), as far as its text shows.

use super::{literals::literals, tree::File};

const STARTS: [&str; 6] = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH ", "CREATE "];

/// Words that one engine lacks or reads differently, and what to write instead.
const WORDS: [(&str, &str); 18] = [
    ("lower(", "fold in Rust into a second column"),
    ("upper(", "fold in Rust into a second column"),
    (" ilike ", "fold in Rust into a second column"),
    (" for update", "writes are serializable as they are"),
    (" for share", "writes are serializable as they are"),
    ("= any", "name the values: IN ($1, $2)"),
    ("greatest(", "write CASE"),
    ("least(", "write CASE"),
    ("json_", "JSON is text to the database"),
    ("jsonb", "JSON is text to the database"),
    ("now()", "`call.now` is the only clock"),
    ("current_timestamp", "`call.now` is the only clock"),
    ("datetime(", "dates are computed in Rust"),
    ("strftime(", "dates are computed in Rust"),
    ("date_trunc(", "dates are computed in Rust"),
    ("autoincrement", "ids come from the allocator"),
    (" serial", "ids come from the allocator"),
    ("group_concat(", "put texts together in Rust"),
];

/// Finds SQL outside the shared subset, in migrations and in string literals that start as a statement does. `storage`
/// itself writes for one engine at a time and is free.
pub fn check(file: &File) -> Vec<String> {
    let judged = ["domains/", "foundation/identity/", "foundation/engine/"];
    if !judged.iter().any(|folder| file.path.starts_with(folder)) {
        return Vec::new();
    }
    let texts: Vec<(usize, &str)> = if file.path.ends_with(".sql") {
        vec![(1, file.text.as_str())]
    } else if file.is_rust() {
        literals(&file.text).into_iter().filter(|(_, text)| is_statement(text)).collect()
    } else {
        Vec::new()
    };
    texts.iter().flat_map(|(line, text)| faults(text).into_iter().map(|fault| file.finding(*line, &fault))).collect()
}

fn is_statement(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
    STARTS.iter().any(|start| text.starts_with(start))
}

fn faults(text: &str) -> Vec<String> {
    let flat = flattened(text);
    let mut faults: Vec<String> = WORDS
        .iter()
        .filter(|(word, _)| holds(&flat, word))
        .map(|(word, instead)| format!("SQL has `{}`: {instead}", word.trim()))
        .collect();
    if ["= true", "= false", "is true", "is false"].iter().any(|boolean| flat.contains(boolean)) {
        faults.push("SQL compares with a boolean: flags are 0 and 1".into());
    }
    if flat.matches(" like ").count() > flat.matches(" escape ").count() {
        faults.push("SQL has LIKE without ESCAPE '\\'".into());
    }
    if uncast(&flat, "sum(") || uncast(&flat, "avg(") {
        faults.push("SQL has a sum or avg that is not cast: CAST(sum(…) AS …)".into());
    }
    if flat.contains('?') {
        faults.push("SQL has `?`: placeholders are $1, $2, …".into());
    }
    faults
}

/// Lower case, one blank between words, no comments.
fn flattened(text: &str) -> String {
    let uncommented: Vec<&str> = text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    uncommented.join(" ").replace('\\', " ").split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether `word` stands in `text` and does not go on to the left: `lower(` is not in `flower(`.
fn holds(text: &str, word: &str) -> bool {
    let joined = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| !word.starts_with(joined) || !text[..at].ends_with(joined))
}

/// Whether an aggregate stands outside a CAST that opens shortly before it.
fn uncast(text: &str, aggregate: &str) -> bool {
    text.match_indices(aggregate)
        .filter(|(at, _)| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        .any(|(at, _)| {
            let before = text[..at].trim_end_matches("coalesce(");
            !before.ends_with("cast(")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sql: &str) -> usize {
        check(&File::new("domains/journal/src/meals/meal.rs", &format!("GET = \"{sql}\";"))).len()
    }

    #[test]
    fn what_one_engine_reads_differently_is_found() {
        for sql in [
            "SELECT id FROM meal WHERE lower(name) = $1",
            "SELECT id FROM meal WHERE id = $1 FOR UPDATE",
            "SELECT id FROM meal WHERE id = ANY($1)",
            "SELECT greatest(a, b) FROM meal",
            "UPDATE meal SET hidden = 1 WHERE hidden = false",
            "SELECT id FROM meal WHERE name LIKE $1",
            "SELECT sum(kcal) FROM meal",
            "SELECT id FROM meal WHERE id = ?1",
        ] {
            assert_eq!(found(sql), 1, "{sql}");
        }
    }

    #[test]
    fn the_shared_subset_is_left_alone() {
        assert_eq!(
            found("SELECT CAST(coalesce(sum(kcal), 0) AS BIGINT) FROM meal WHERE owner = $1 ORDER BY id NULLS LAST"),
            0
        );
        assert_eq!(found("SELECT id FROM meal WHERE name_folded LIKE $1 ESCAPE '\\\\' AND flower(x) = 1"), 0);
        assert_eq!(check(&File::new("domains/a/src/b.rs", "\"Select a lower(case) word\"")).len(), 0);
        assert_eq!(check(&File::new("foundation/storage/src/b.rs", "\"SELECT lower(a) FROM b\"")).len(), 0);
    }

    #[test]
    fn comments_of_a_migration_are_not_sql() {
        let text = "-- is any of this now() right?\nCREATE TABLE a (id {int});\n";
        assert_eq!(check(&File::new("domains/journal/migrations/0001_a.sql", text)).len(), 0);
    }
}
