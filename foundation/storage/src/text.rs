/// Folded form for search: NFKD, marks stripped, case folded (`Pâté` → `pate`).
pub fn fold_search(text: &str) -> String {
    todo!()
}

/// Folded form for unique names: NFC and case folded.
pub fn fold_unique(text: &str) -> String {
    todo!()
}

/// A `LIKE … ESCAPE '\'` pattern that finds `folded` anywhere, its own wildcards escaped.
pub fn like_pattern(folded: &str) -> String {
    todo!()
}
