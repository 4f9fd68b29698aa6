use crate::MealEnergy;

/// Folded as `word` folds.
const DRINKS: [&str; 17] = [
    "beer",
    "wine",
    "vodka",
    "whisky",
    "whiskey",
    "gin",
    "rum",
    "tequila",
    "cider",
    "sake",
    "champagne",
    "cocktail",
    "cerveja",
    "chope",
    "vinho",
    "cachaca",
    "caipirinha",
];

/// Energy that protein, carbohydrate and fat leave open before a drink comes to mind, in tenths of a kcal.
const UNEXPLAINED_KCAL_TENTHS: i64 = 500;

/// `possible_alcohol`: a drink is named (in the name or the notes) and the macros leave more than 50 kcal open.
pub fn possible_alcohol(energy: MealEnergy, texts: &[&str]) -> bool {
    energy.kcal_tenths - energy.macros_kcal_tenths() > UNEXPLAINED_KCAL_TENTHS
        && texts.iter().any(|text| names_a_drink(text))
}

/// Whole words only, so that ginger ale and rumpsteak are none; a plural counts.
fn names_a_drink(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).map(folded).any(|word| {
        let singular = word.strip_suffix('s').unwrap_or(&word);
        DRINKS.contains(&word.as_str()) || DRINKS.contains(&singular)
    })
}

/// Lower case without the one mark that a listed word has; texts are stored composed (NFC).
fn folded(word: &str) -> String {
    word.to_lowercase().replace('ç', "c")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lager(kcal: i64) -> MealEnergy {
        MealEnergy { kcal_tenths: kcal * 10, carb_tenths: 100, ..MealEnergy::default() }
    }

    #[test]
    fn a_drink_with_open_energy_may_hold_alcohol() {
        for name in
            ["Beer", "2 beers", "glass of wine", "Whisky sour", "CACHAÇA", "cachaca", "chope gelado", "gin&tonic"]
        {
            assert!(possible_alcohol(lager(150), &[name]), "{name}");
        }
        assert!(possible_alcohol(lager(150), &["dinner", "with a cider"]));
    }

    #[test]
    fn other_words_and_explained_energy_are_silent() {
        for name in ["ginger ale", "rumpsteak", "swine", "drumsticks", "root vegetables", ""] {
            assert!(!possible_alcohol(lager(150), &[name]), "{name}");
        }
        assert!(!possible_alcohol(lager(90), &["beer"]), "exactly 50 kcal are open");
        assert!(possible_alcohol(lager(91), &["beer"]));
    }
}
