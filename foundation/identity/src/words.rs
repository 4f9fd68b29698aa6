use unicode_normalization::UnicodeNormalization;

/// A name as it is stored: NFC, without control characters and outer blanks.
pub fn one_line(text: &str) -> String {
    text.nfc().filter(|c| !c.is_control()).collect::<String>().trim().to_owned()
}

/// A note as it is stored: NFC, without outer blanks and without control characters other than line breaks and tabs.
pub fn paragraphs(text: &str) -> String {
    text.nfc().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_composed_and_have_no_control_characters() {
        assert_eq!(one_line(" Jose\u{301}\u{7}\n "), "José");
        assert_eq!(paragraphs(" a\r\n\tb\u{0} "), "a\n\tb");
    }
}
