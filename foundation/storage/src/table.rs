/// A table of a domain, as the schema registry knows it. Columns are read from the database itself.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    pub name: &'static str,
    /// Word for a row in answers and in the change log: `meal`.
    pub entity: &'static str,
    pub capture: Capture,
}

/// Whether the change log keeps before images of a table's rows.
#[derive(Debug, Clone, Copy)]
pub enum Capture {
    /// Every column except those named here (bookkeeping such as `last_used_at`). The table has columns
    /// `owner`, `id`, `version`, `updated_at`; the primary key is `(owner, id)`; only integer and text columns.
    Rows { except: &'static [&'static str] },
    /// Never captured: credentials, people, what lies upstream.
    None,
}
