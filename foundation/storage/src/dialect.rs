/// The words in which the two engines differ, inside migrations only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// The migration text in the engine's own words.
    pub(crate) fn words(self, text: &str) -> String {
        let words = match self {
            Self::Sqlite => [
                ("{int}", "INTEGER"),
                ("{real}", "REAL"),
                ("{text}", "TEXT"),
                ("{blob}", "BLOB"),
                ("{strict}", "STRICT"),
                ("{clustered}", "STRICT, WITHOUT ROWID"),
                ("{row_number}", "INTEGER PRIMARY KEY"),
            ],
            Self::Postgres => [
                ("{int}", "BIGINT"),
                ("{real}", "DOUBLE PRECISION"),
                ("{text}", "TEXT COLLATE \"C\""),
                ("{blob}", "BYTEA"),
                ("{strict}", ""),
                ("{clustered}", ""),
                ("{row_number}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
            ],
        };
        words.iter().fold(text.to_owned(), |text, (word, own)| text.replace(word, own))
    }
}
