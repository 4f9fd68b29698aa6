/// The forms of one snake-case name.
#[derive(Debug, Clone, Copy)]
pub struct Name<'a>(&'a str);

impl<'a> Name<'a> {
    /// `Err` says why the text is no name for `what`.
    pub fn parse(what: &str, text: &'a str) -> Result<Self, String> {
        let right = text.len() <= 40
            && text.starts_with(|c: char| c.is_ascii_lowercase())
            && !text.ends_with('_')
            && !text.contains("__")
            && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if right {
            Ok(Self(text))
        } else {
            Err(format!("`{text}` is no name for {what}: a-z, 0-9 and single _, at most 40, as in log_meal"))
        }
    }

    pub fn snake(self) -> &'a str {
        self.0
    }

    /// `copy_meal` → `CopyMeal`.
    pub fn camel(self) -> String {
        self.0.split('_').map(capitalized).collect()
    }

    /// `meals` → `meal`: what a noun's folder holds.
    pub fn singular(self) -> String {
        match self.0.strip_suffix("ies") {
            Some(stem) => format!("{stem}y"),
            None => self.0.strip_suffix('s').unwrap_or(self.0).to_owned(),
        }
    }

    /// The constant of `operation::Effect` that the verb in front of the name most likely has.
    pub fn effect(self) -> &'static str {
        match self.0.split('_').next().unwrap_or_default() {
            "get" | "list" | "search" | "find" | "preview" | "compare" | "explain" | "ping" => "Reads",
            "log" | "create" | "add" | "copy" | "import" | "start" => "Creates",
            "delete" | "remove" | "revoke" => "Removes",
            _ => "Changes",
        }
    }

    /// The constant of `operation::Role` that goes with [`Self::effect`].
    pub fn role(self) -> &'static str {
        match self.effect() {
            "Reads" => "Read",
            "Creates" => "Create",
            "Removes" => "Delete",
            _ if self.0.starts_with("update_") => "Update",
            _ => "Other",
        }
    }
}

pub fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_its_forms() {
        let name = Name::parse("an operation", "copy_meal").unwrap();
        assert_eq!((name.camel().as_str(), name.effect(), name.role()), ("CopyMeal", "Creates", "Create"));
        assert_eq!(Name::parse("a noun", "meals").unwrap().singular(), "meal");
        assert_eq!(Name::parse("a noun", "supplies").unwrap().singular(), "supply");
        assert_eq!(Name::parse("an operation", "update_meal").unwrap().role(), "Update");
        assert_eq!(Name::parse("an operation", "mark_day_complete").unwrap().role(), "Other");
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", "CopyMeal", "copy-meal", "1_meal", "meal_", "copy__meal", "../meal"] {
            assert!(Name::parse("an operation", text).is_err(), "{text}");
        }
    }
}
