use serde::{Deserialize, Serialize};

/// What a column holds, as the database itself declares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Integer,
    Real,
    Text,
    Blob,
    Other(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub name: String,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForeignKey {
    pub columns: Vec<String>,
    pub parent: String,
    pub parent_columns: Vec<String>,
    /// NO ACTION on update and delete, checked at the end of the statement.
    pub plain: bool,
}

/// A table as the database knows it.
#[derive(Debug, Clone, Default)]
pub(crate) struct TableColumns {
    pub columns: Vec<Column>,
    /// Names only: their values follow from the others.
    pub generated: Vec<String>,
    pub primary_key: Vec<String>,
    pub foreign_keys: Vec<ForeignKey>,
    /// Column lists of unique constraints and indexes; those over expressions are left out.
    pub uniques: Vec<Vec<String>>,
}
