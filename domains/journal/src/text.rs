//! Text that people type: names and notes.

use operation::FieldFault;

/// Notes as they are stored; `None` when nothing is left.
pub fn notes(text: &str) -> Option<String> {
    Some(identity::paragraphs(text)).filter(|text| !text.is_empty())
}

/// A name must still be one when control characters and white space around it are gone.
pub fn name_fault(text: Option<&str>, most: usize) -> Option<FieldFault> {
    let empty = text.is_some_and(|text| identity::one_line(text).is_empty());
    empty.then(|| FieldFault::new("name", format!("must be 1 to {most} characters")))
}

/// The folded words of several texts, each after a space, so that ` sou` finds a word that begins with "sou".
pub fn searched_words(texts: &[Option<&str>]) -> String {
    let mut words = String::new();
    for text in texts.iter().flatten() {
        for word in words_of(&storage::fold_search(text)) {
            words.push(' ');
            words.push_str(word);
        }
    }
    words
}

/// The words of a folded text.
pub fn words_of(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_nothing_are_none() {
        assert_eq!(notes("first\nsecond\u{0}"), Some("first\nsecond".into()));
        assert_eq!(notes(" \u{7}\n"), None);
    }

    #[test]
    fn a_name_of_nothing_but_spaces_is_refused() {
        assert_eq!(name_fault(Some(" \u{7} "), 200).unwrap().reason, "must be 1 to 200 characters");
        assert_eq!(name_fault(Some("soup"), 200), None);
        assert_eq!(name_fault(None, 200), None);
    }

    #[test]
    fn words_are_folded_and_stand_after_a_space() {
        let words = searched_words(&[Some("Pâté, home-made"), None, Some("2nd Bowl")]);
        assert_eq!(words, " pate home made 2nd bowl");
        assert_eq!(searched_words(&[None]), "");
    }
}
