/// One SQL statement: a named constant, listed so that tests can prepare every one of them on both engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sql {
    pub name: &'static str,
    pub text: &'static str,
}

/// The text of a statement as an engine takes it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Text<'a> {
    Constant(&'static str),
    /// Made at run time from the catalog.
    Made(&'a str),
}

impl<'a> Text<'a> {
    pub(crate) fn as_str(self) -> &'a str {
        match self {
            Self::Constant(text) => text,
            Self::Made(text) => text,
        }
    }
}

/// Declares the statements of a record file: constants of type [`Sql`], private unless
/// `pub` stands before them, and the list `STATEMENTS` of all of them.
///
/// ```
/// storage::statements! {
///     INSERT = "INSERT INTO meal (owner, id) VALUES ($1, $2)";
///     GET = "SELECT id FROM meal WHERE owner = $1 AND id = $2";
/// }
/// assert_eq!(STATEMENTS.len(), 2);
/// ```
#[macro_export]
macro_rules! statements {
    ($($(#[$attr:meta])* $vis:vis $name:ident = $text:expr;)+) => {
        $($(#[$attr])* $vis const $name: $crate::Sql = $crate::Sql { name: stringify!($name), text: $text };)+
        /// Every statement of this file.
        pub const STATEMENTS: &[$crate::Sql] = &[$($name),+];
    };
}
