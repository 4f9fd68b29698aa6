/// The words in which the two engines differ, inside migrations only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// The migration text in the engine's own words. A line led by `{sqlite}` or `{postgres}` is that engine's alone;
    /// only storage's own tables have any.
    pub(crate) fn words(self, text: &str) -> String {
        let (own, other) = match self {
            Self::Sqlite => ("{sqlite}", "{postgres}"),
            Self::Postgres => ("{postgres}", "{sqlite}"),
        };
        let lines = text.lines().filter(|line| !line.trim_start().starts_with(other));
        let text = lines.collect::<Vec<_>>().join("\n").replace(own, "");
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
        words.iter().fold(text, |text, (word, own)| text.replace(word, own))
    }
}
