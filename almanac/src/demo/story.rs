//! What the demo person does on each day.

use serde_json::{Value, json};

use super::{
    dice::Dice,
    dishes::{BREAKFASTS, DINNERS, Dish, LUNCHES, SNACKS},
};

/// One call, at a minute of its day.
#[derive(Debug, PartialEq)]
pub struct Step {
    /// Minutes after midnight.
    pub minute: i64,
    pub operation: &'static str,
    pub input: Value,
}

/// Days that the story has.
pub const DAYS: i64 = 90;
const START_KG: f64 = 84.2;
/// A slow loss, as somebody has who eats a little less than they spend.
const LOSS_KG_A_DAY: f64 = 0.038;

/// The calls of one day. The last day ends after breakfast.
pub fn day(number: i64, dice: &mut Dice) -> Vec<Step> {
    let mut steps = Vec::new();
    let weighed = dice.percent(75);
    let trend = START_KG - LOSS_KG_A_DAY * number as f64;
    let weight = ((trend + 0.7 * dice.swing()) * 10.0).round() / 10.0;
    if weighed || number == 0 {
        steps.push(Step { minute: 425, operation: "log_weight", input: json!({"weight": weight, "unit": "kg"}) });
    }
    steps.push(meal(460, BREAKFASTS, dice));
    steps.push(meal(770, LUNCHES, dice));
    if dice.percent(60) {
        steps.push(meal(970, SNACKS, dice));
    }
    if dice.percent(92) {
        steps.push(meal(1180, DINNERS, dice));
    } else {
        steps.push(Step { minute: 1350, operation: "mark_day_partial", input: json!({}) });
    }
    if number == DAYS - 1 {
        steps.retain(|step| step.minute < 500);
    }
    steps
}

fn meal(minute: i64, dishes: &[Dish], dice: &mut Dice) -> Step {
    let dish = dice.pick(dishes);
    let helping = 1.0 + 0.25 * dice.swing();
    let grams = |value: f64| (value * helping * 10.0).round() / 10.0;
    let input = json!({
        "name": dish.name,
        "kcal": (dish.kcal * helping).round() as i64,
        "protein_g": grams(dish.protein_g),
        "carb_g": grams(dish.carb_g),
        "fat_g": grams(dish.fat_g),
    });
    Step { minute: minute + i64::from(dice.below(40)), operation: "log_meal", input }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn story() -> Vec<Step> {
        let mut dice = Dice::new(1);
        (0..DAYS).flat_map(|number| day(number, &mut dice)).collect()
    }

    #[test]
    fn the_story_is_the_same_every_time() {
        assert_eq!(story(), story());
    }

    #[test]
    fn the_energy_of_a_meal_agrees_with_its_macros() {
        for step in story().into_iter().filter(|step| step.operation == "log_meal") {
            let of = |name: &str| step.input[name].as_f64().unwrap();
            let sum = 4.0 * (of("protein_g") + of("carb_g")) + 9.0 * of("fat_g");
            assert!((sum / of("kcal") - 1.0).abs() < 0.15, "{step:?}");
        }
    }

    #[test]
    fn steps_of_a_day_are_in_order_and_the_last_day_is_young() {
        let mut dice = Dice::new(1);
        for number in 0..DAYS {
            let steps = day(number, &mut dice);
            assert!(steps.windows(2).all(|pair| pair[0].minute < pair[1].minute), "{steps:?}");
            assert!(number < DAYS - 1 || steps.iter().all(|step| step.minute < 500));
        }
    }
}
