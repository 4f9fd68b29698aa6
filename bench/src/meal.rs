use calendar::Date;

const NAMES: [&str; 8] = [
    "Oats with berries",
    "Cheese sandwich",
    "Lentil soup",
    "Chicken and rice",
    "Yoghurt with honey",
    "Pasta with tomatoes",
    "Apple and almonds",
    "Omelette with herbs",
];

/// Hour and minute of the five meals of a day.
const TIMES: [(u64, u64); 5] = [(7, 30), (10, 15), (12, 45), (16, 0), (19, 30)];

/// Meals of the last days, which `get_meals` lists.
pub const RECENT: u64 = 60;

const RECENT_PER_DAY: u64 = 12;

/// Days over which written meals are spread, so that a day stays as full as a person's.
const SPREAD_DAYS: u64 = 36_500;

/// Arguments of the `number`th meal that is written; no two are alike. They walk through a hundred years, five a day in
/// the order of time, ending before the days that `get_meals` lists, and begin again some minutes later.
pub fn written(number: u64, today: Date) -> String {
    let per_lap = SPREAD_DAYS * TIMES.len() as u64;
    let (lap, place) = (number / per_lap, number % per_lap);
    let day = today.plus_days(-10 - SPREAD_DAYS as i64 + (place / TIMES.len() as u64) as i64);
    let (hour, minute) = TIMES[(place % TIMES.len() as u64) as usize];
    arguments(number, day, hour * 60 + minute + lap)
}

/// Arguments of one of the [`RECENT`] meals, on the five days before today.
pub fn recent(number: u64, today: Date) -> String {
    let day = today.plus_days(-1 - (number / RECENT_PER_DAY) as i64);
    arguments(number, day, 6 * 60 + (number % RECENT_PER_DAY) * 80)
}

fn arguments(number: u64, day: Date, minute: u64) -> String {
    let name = NAMES[(number % NAMES.len() as u64) as usize];
    let (protein, carb, fat) = (20 + number % 13, 40 + number % 17, 10 + number % 7);
    let kcal = 4 * protein + 4 * carb + 9 * fat;
    format!(
        r#"{{"eaten_at":"{day}T{:02}:{:02}","kcal":{kcal},"protein_g":{protein},"carb_g":{carb},"fat_g":{fat},"name":"{name}"}}"#,
        minute / 60,
        minute % 60
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_written_meals_are_alike() {
        let today = Date::new(2026, 5, 25).unwrap();
        let meals: HashSet<String> = (0..400_000).map(|number| written(number, today)).collect();
        assert_eq!(meals.len(), 400_000);
    }

    #[test]
    fn recent_meals_lie_before_today_and_written_ones_before_them() {
        let today = Date::new(2026, 5, 25).unwrap();
        let first = recent(RECENT - 1, today);
        assert!(first.starts_with(r#"{"eaten_at":"2026-05-20T"#), "{first}");
        let last = written(182_499, today);
        assert!(last.starts_with(r#"{"eaten_at":"2026-05-14T19:30"#), "{last}");
    }
}
