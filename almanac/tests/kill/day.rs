use std::collections::BTreeMap;

use serde_json::Value;

use crate::{running::Running, writer::Write};

/// One user-day as the server tells it.
pub struct Day {
    pub date: String,
    /// Meal by its name.
    pub meals: BTreeMap<String, Value>,
    pub totals: Value,
}

impl Day {
    /// Reads every page of the day's meals and its totals.
    pub fn read(running: &Running, date: &str) -> Self {
        let mut meals = BTreeMap::new();
        for meal in running.list(&format!("/meals?from_date={date}&to_date={date}")) {
            let name = meal["name"].as_str().expect("a name").to_owned();
            assert!(meals.insert(name, meal.clone()).is_none(), "written twice: {meal}");
        }
        let totals = running.get(&format!("/signals/macros?date={date}"))["day_totals"].clone();
        Self { date: date.to_owned(), meals, totals }
    }

    /// The day's totals are the sums of its meals, and every meal is whole.
    pub fn assert_whole(&self, writes: &[Write]) {
        let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("no number: {value}"));
        let mut kcal = 0.0;
        for (name, meal) in &self.meals {
            let write =
                writes.iter().find(|write| write.name() == *name).unwrap_or_else(|| panic!("nobody wrote {meal}"));
            assert_eq!(meal["kcal"], write.kcal(), "{meal}");
            assert_eq!(
                (number(&meal["protein_g"]), number(&meal["carb_g"]), number(&meal["fat_g"])),
                (1.0, 2.0, 3.0),
                "{meal}"
            );
            kcal += number(&meal["kcal"]);
        }
        let count = f64::from(u32::try_from(self.meals.len()).expect("few meals"));
        assert_eq!(number(&self.totals["kcal"]), kcal, "{}", self.date);
        assert_eq!(number(&self.totals["protein_g"]), count, "{}", self.date);
        assert_eq!(number(&self.totals["carb_g"]), 2.0 * count, "{}", self.date);
        assert_eq!(number(&self.totals["fat_g"]), 3.0 * count, "{}", self.date);
    }
}
