use std::collections::HashMap;

use calendar::Date;
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, PageEnds, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{Id, Tx};

use super::{Found, Meal, meal};
use crate::{number::Tenths, period::date_order, text};

const LAST_IDS: usize = 3;

/// Finds meals eaten before by words of name or notes, with typical amounts. Use it when amounts are missing or they
/// say "the usual". For one day use `get_meals`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchMeals {
    /// Words or beginnings: chick past.
    #[schemars(length(min = 1, max = 100), extend("x-quiet" = true))]
    pub query: String,
    /// First date.
    #[serde(default)]
    pub from_date: Option<Date>,
    /// Last date.
    #[serde(default)]
    pub to_date: Option<Date>,
    /// At most.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50), extend("x-quiet" = true))]
    pub limit: usize,
}

fn ten() -> usize {
    10
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct FoundMeals {
    /// Most eaten first.
    pub items: Vec<FoundName>,
    /// Names that match, also those beyond `limit`.
    pub total: usize,
    pub truncated: bool,
}

/// All meals of one name.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct FoundName {
    /// As written last; null for meals without a name whose notes match.
    pub name: Option<String>,
    pub times: usize,
    pub last_eaten_on: Date,
    pub typical: Typical,
    /// Newest first.
    pub last_ids: Vec<Id<Meal>>,
}

/// Medians.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct Typical {
    pub kcal: Tenths,
    pub protein_g: Tenths,
    pub carb_g: Tenths,
    pub fat_g: Tenths,
}

impl Operation for SearchMeals {
    const NAME: &'static str = "search_meals";
    const PATH: &'static str = "/meals/search";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::reading(Area::Journal);
    const ENTITY: &'static str = "meal";
    const ROLE: Role = Role::Read;
    const EVERYDAY: bool = true;
    const UNTRUSTED: &'static [&'static str] = &["items[].name"];
    const NARROW_BY: &'static str = "limit or more words";

    type Output = FoundMeals;

    fn example() -> Value {
        json!({"query": "soup"})
    }

    fn check(&self, _: &Call) -> Vec<FieldFault> {
        let wordless = text::words_of(&storage::fold_search(&self.query)).next().is_none();
        let wordless = wordless.then(|| FieldFault::new("query", "has no letter and no digit"));
        wordless.into_iter().chain(date_order(self.from_date, self.to_date)).collect()
    }

    fn page(output: &FoundMeals) -> Option<PageEnds> {
        Some(PageEnds::without_cursor("items", output.total - output.items.len()))
    }
}

impl Local for SearchMeals {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<FoundMeals, Failure> {
        let folded = storage::fold_search(&self.query);
        let beginnings: Vec<String> = text::words_of(&folded).map(|word| format!(" {word}")).collect();
        // The database looks for the longest word, which is the rarest; the others are looked for here.
        let longest = beginnings.iter().max_by_key(|word| word.len()).map_or("", String::as_str);
        let (from, to) = (self.from_date.unwrap_or(Date::MIN), self.to_date.unwrap_or(Date::MAX));
        let mut found = meal::find(tx, call.owner()?, from, to, &storage::like_pattern(longest)).await?;
        found.retain(|meal| beginnings.iter().all(|word| meal.words.contains(word.as_str())));

        let mut items = by_name(&found);
        let total = items.len();
        items.truncate(self.limit);
        Ok(FoundMeals { truncated: total > items.len(), items, total })
    }
}

/// Meals with equal names, however they are written, as one: the most eaten first, then the latest.
fn by_name(newest_first: &[Found]) -> Vec<FoundName> {
    let mut groups: Vec<Vec<&Found>> = Vec::new();
    let mut known: HashMap<Option<String>, usize> = HashMap::new();
    for meal in newest_first {
        let name = meal.name.as_deref().map(storage::fold_search);
        let group = *known.entry(name).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(meal),
            None => groups.push(vec![meal]),
        }
    }
    // Sorting is stable: among equals the latest stays first.
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups.iter().map(|group| named(group)).collect()
}

fn named(group: &[&Found]) -> FoundName {
    let typical = |amount: fn(&Found) -> Tenths| median(group.iter().map(|meal| amount(meal).0).collect());
    FoundName {
        name: group[0].name.clone(),
        times: group.len(),
        last_eaten_on: group[0].user_date,
        typical: Typical {
            kcal: typical(|meal| meal.kcal),
            protein_g: typical(|meal| meal.protein_g),
            carb_g: typical(|meal| meal.carb_g),
            fat_g: typical(|meal| meal.fat_g),
        },
        last_ids: group.iter().take(LAST_IDS).map(|meal| meal.id).collect(),
    }
}

/// The middle amount; between two middle ones their mean, rounded half up.
fn median(mut amounts: Vec<i64>) -> Tenths {
    amounts.sort_unstable();
    let middle = amounts.len() / 2;
    match amounts.len() % 2 {
        1 => Tenths(amounts[middle]),
        _ => Tenths((amounts[middle - 1] + amounts[middle] + 1) / 2),
    }
}

#[cfg(test)]
mod tests {
    use testkit::TestEngine;

    use super::*;
    use crate::story::Story;

    storage::on_both_engines! { every_word_begins_a_word_of_name_or_notes }

    fn found(id: i64, name: Option<&str>, date: &str, kcal: i64) -> Found {
        Found {
            id: Id::new(id),
            name: name.map(str::to_owned),
            words: String::new(),
            user_date: Date::parse(date).unwrap(),
            kcal: Tenths(kcal),
            protein_g: Tenths(10),
            carb_g: Tenths(20),
            fat_g: Tenths(30),
        }
    }

    #[test]
    fn names_are_one_however_they_are_written() {
        let meals = [
            found(5, Some("Pâté"), "2026-05-25", 4_000),
            found(4, Some("Soup"), "2026-05-24", 1_000),
            found(3, Some("pate"), "2026-05-23", 2_000),
            found(2, Some("PÂTÉ"), "2026-05-22", 9_000),
            found(1, Some("pate"), "2026-05-21", 2_000),
            found(0, None, "2026-05-20", 2_000),
        ];
        let names = by_name(&meals);
        assert_eq!(names.len(), 3);
        assert_eq!((names[0].name.as_deref(), names[0].times), (Some("Pâté"), 4));
        assert_eq!(names[0].typical.kcal, Tenths(3_000));
        assert_eq!(names[0].last_ids, [Id::new(5), Id::new(3), Id::new(2)]);
        assert_eq!(names[1].name.as_deref(), Some("Soup"));
        assert_eq!(names[2].name, None);
    }

    #[test]
    fn the_typical_amount_is_the_median() {
        assert_eq!(median(vec![9, 1, 5]), Tenths(5));
        assert_eq!(median(vec![4, 1, 2, 9]), Tenths(3));
        assert_eq!(median(vec![1, 2]), Tenths(2));
    }

    async fn every_word_begins_a_word_of_name_or_notes(engine: TestEngine) {
        let story = Story::new(engine).await;
        for (name, notes, kcal) in [
            (Some("Chicken pasta"), None, 600),
            (Some("chicken  Pasta"), Some("with pâté"), 800),
            (Some("Pasta salad"), None, 300),
            (None, Some("pasta again"), 250),
        ] {
            let mut meal = json!({"kcal": kcal, "protein_g": 0, "carb_g": kcal as f64 / 4.0, "fat_g": 0});
            meal["name"] = json!(name);
            meal["notes"] = json!(notes);
            story.call("log_meal", meal).await;
        }
        let search = |query: &str| story.call("search_meals", json!({"query": query}));
        let found = search("PAS chick").await;
        assert_eq!((&found["total"], &found["truncated"]), (&json!(2), &json!(false)));
        assert_eq!(search("pate").await["items"][0]["last_ids"], json!([2]));
        assert_eq!(search("pasta").await["total"], 4);
        assert_eq!(search("asta").await["total"], 0);
        let body = story.refused("search_meals", json!({"query": "%"})).await;
        assert_eq!(body["fields"], json!([{"field": "query", "reason": "has no letter and no digit"}]));
    }
}
