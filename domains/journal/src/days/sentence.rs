use calendar::Date;

use super::DaySum;
use crate::saying;

/// `2026-05-25 (Mon, today): 1200 kcal so far from 3 meals, 75p / 150c / 40f (no active phase)`.
pub fn sentence(sum: &DaySum, today: Date) -> String {
    let date = saying::date(sum.date, today);
    let is_today = sum.date == today;
    if sum.meals == 0 {
        return format!("{date}: no meals logged{}", if is_today { " yet" } else { "" });
    }
    let so_far = if is_today { " so far" } else { "" };
    format!(
        "{date}: {} kcal{so_far} from {}, {}p / {}c / {}f (no active phase)",
        sum.kcal.whole(),
        saying::count(sum.meals, "meal"),
        sum.protein_g,
        sum.carb_g,
        sum.fat_g,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Tenths;

    #[test]
    fn a_day_without_meals_says_so_and_never_0_kcal() {
        let today = Date::parse("2026-05-25").unwrap();
        assert_eq!(sentence(&DaySum::nothing(today), today), "2026-05-25 (Mon, today): no meals logged yet");
        let past = DaySum::nothing(today.plus_days(-2));
        assert_eq!(sentence(&past, today), "2026-05-23 (Sat): no meals logged");
    }

    #[test]
    fn today_is_what_was_eaten_so_far() {
        let today = Date::parse("2026-05-25").unwrap();
        let sum = DaySum { meals: 1, kcal: Tenths(5_004), fat_g: Tenths(181), ..DaySum::nothing(today) };
        let said = "2026-05-25 (Mon, today): 500 kcal so far from 1 meal, 0p / 0c / 18.1f (no active phase)";
        assert_eq!(sentence(&sum, today), said);
    }
}
