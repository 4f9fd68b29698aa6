use std::borrow::Cow;

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Folded form for search: NFKD, marks stripped, case folded (`Pâté` → `pate`). U+0000, which no database holds in a
/// text, is left out: nothing stored can have it.
pub fn fold_search(text: &str) -> String {
    let text: Cow<str> = if text.contains('\0') { text.replace('\0', "").into() } else { text.into() };
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Folding can compose and decompose anew (İ → i̇), so the marks go after it.
    text.nfkd().default_case_fold().nfkd().filter(|c| c.general_category() != GeneralCategory::NonspacingMark).collect()
}

/// Folded form for unique names: NFC and case folded.
pub fn fold_unique(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfc().default_case_fold().nfc().collect()
}

/// A `LIKE … ESCAPE '\'` pattern that finds `folded` anywhere, its own wildcards escaped.
pub fn like_pattern(folded: &str) -> String {
    let mut pattern = String::with_capacity(folded.len() + 2);
    pattern.push('%');
    for c in folded.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_ignores_accents_case_and_compatibility_forms() {
        assert_eq!(fold_search("Pâté"), "pate");
        assert_eq!(fold_search("pa\u{302}te\u{301}"), "pate");
        assert_eq!(fold_search("AÇAÍ"), "acai");
        assert_eq!(fold_search("ﬁsh"), "fish");
        assert_eq!(fold_search("Straße"), "strasse");
        assert_eq!(fold_search("İstanbul"), "istanbul");
        assert_eq!(fold_search("Soup"), "soup");
    }

    #[test]
    fn what_no_database_holds_is_not_searched_for() {
        assert_eq!(fold_search("So\0up"), "soup");
        assert_eq!(fold_search("\0"), "");
    }

    #[test]
    fn spacing_marks_stay_because_they_are_vowels() {
        assert_eq!(fold_search("का"), "का");
    }

    #[test]
    fn unique_names_keep_their_accents() {
        assert_eq!(fold_unique("Pâté"), fold_unique("PA\u{302}TE\u{301}"));
        assert_ne!(fold_unique("pâté"), fold_unique("pate"));
    }

    #[test]
    fn wildcards_of_the_text_are_taken_literally() {
        assert_eq!(like_pattern(r"50%_a\b"), r"%50\%\_a\\b%");
    }
}
