/// One forward step of a domain's schema. The text is written once; `{int}`, `{real}`, `{text}`, `{blob}` become the
/// engine's type words and `{strict}` SQLite's `STRICT`.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    pub domain: &'static str,
    pub number: i64,
    pub name: &'static str,
    pub sql: &'static str,
}
