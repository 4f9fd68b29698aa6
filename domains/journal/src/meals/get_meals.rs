use calendar::{Date, EventTime, Instant};
use operation::{Area, Call, Cursor, Effect, Failure, FieldFault, Local, Needs, Operation, Page, PageEnds, Role};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use storage::Tx;

use super::{
    ShownMeal,
    meal::{self, Filter, Place},
};
use crate::period::Asked;

const DEFAULT_DAYS: i64 = 7;

/// Lists logged meals, newest first; by default the last 7 days. For usual meals use `search_meals`, for sums
/// `get_macros_for_date`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetMeals {
    /// First date.
    #[serde(default)]
    pub from_date: Option<Date>,
    /// Last date.
    #[serde(default)]
    pub to_date: Option<Date>,
    /// Start, local time.
    #[serde(default)]
    pub from: Option<EventTime>,
    /// End, local time.
    #[serde(default)]
    pub to: Option<EventTime>,
    /// Last n days.
    #[serde(default)]
    #[schemars(range(min = 1, max = 3650), extend("x-quiet" = true))]
    pub from_days_ago: Option<i64>,
    /// Part of a name.
    #[serde(default)]
    #[schemars(length(min = 1, max = 100), extend("x-quiet" = true))]
    pub query: Option<String>,
    /// At most.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 200), extend("x-quiet" = true))]
    pub limit: i64,
    /// next_cursor of last page.
    #[serde(default)]
    pub cursor: Option<Cursor>,
}

fn fifty() -> i64 {
    50
}

impl Operation for GetMeals {
    const NAME: &'static str = "get_meals";
    const PATH: &'static str = "/meals";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::reading(Area::Journal);
    const ENTITY: &'static str = "meal";
    const ROLE: Role = Role::Read;
    const EVERYDAY: bool = true;
    const UNTRUSTED: &'static [&'static str] = &["items[].name", "items[].notes"];

    type Output = Page<ShownMeal>;

    fn example() -> Value {
        json!({"from_days_ago": 7})
    }

    fn check(&self, _: &Call) -> Vec<FieldFault> {
        self.asked().faults()
    }

    fn page(output: &Page<ShownMeal>) -> Option<PageEnds> {
        Some(output.ends())
    }
}

impl Local for GetMeals {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Page<ShownMeal>, Failure> {
        let owner = call.owner()?;
        let filter = Filter {
            period: self.asked().period(call, DEFAULT_DAYS),
            name: self.query.as_deref().map(|query| storage::like_pattern(&storage::fold_search(query))),
        };
        let meals = meal::list(tx, owner, &filter, self.place()?, self.limit + 1).await?;
        let total = meal::count(tx, owner, &filter).await?;
        let items = meals.iter().map(ShownMeal::from).collect();
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        Ok(Page::new(items, limit, total, |meal: &ShownMeal| {
            let (date, at, id) = meal.place;
            vec![json!(date), json!(at), json!(id)]
        }))
    }
}

impl GetMeals {
    fn asked(&self) -> Asked<'_> {
        Asked {
            from_date: self.from_date,
            to_date: self.to_date,
            from: self.from.as_ref(),
            to: self.to.as_ref(),
            from_days_ago: self.from_days_ago,
        }
    }

    /// The place after which the page starts; before every meal on the first one.
    fn place(&self) -> Result<Place, Failure> {
        let Some(cursor) = &self.cursor else { return Ok((Date::MAX, Instant::MAX, i64::MAX)) };
        serde_json::from_value(Value::Array(cursor.key()?)).map_err(|error| Failure::internal(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Story;
    use testkit::TestEngine;

    storage::on_both_engines! { the_last_seven_user_days_are_listed_newest_first, a_range_is_given_in_one_kind_of_words, part_of_a_name_is_found_whatever_its_accents, o15_a_cut_list_says_so, o17_changing_the_zone_moves_no_meal }

    async fn week(engine: TestEngine) -> Story {
        let story = Story::new(engine).await;
        for (time, name) in [
            ("2026-05-10T12:00", "Old soup"),
            ("2026-05-19T03:59", "Night soup"),
            ("2026-05-19T12:00", "Pâté"),
            ("2026-05-24", "Sunday roast"),
            ("2026-05-25T02:00", "Late snack"),
            ("2026-05-25T08:00", "Porridge 50%"),
        ] {
            let meal = json!({"eaten_at": time, "name": name, "kcal": 100, "protein_g": 0, "carb_g": 25, "fat_g": 0});
            story.call("log_meal", meal).await;
        }
        story
    }

    fn names(answer: &Value) -> Vec<&str> {
        answer["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
    }

    async fn the_last_seven_user_days_are_listed_newest_first(engine: TestEngine) {
        let story = week(engine).await;
        let answer = story.call("get_meals", json!({})).await;
        assert_eq!(names(&answer), ["Porridge 50%", "Late snack", "Sunday roast", "Pâté"]);
        assert_eq!((&answer["total"], &answer["truncated"]), (&json!(4), &json!(false)));
        let item = &answer["items"][1];
        assert_eq!(
            (&item["user_date"], &item["eaten_at"]),
            (&json!("2026-05-24"), &json!("2026-05-25T02:00:00-04:00"))
        );
        assert_eq!((&item["source"], &item["version"], &item["kcal"]), (&json!("api"), &json!(1), &json!(100)));
    }

    async fn a_range_is_given_in_one_kind_of_words(engine: TestEngine) {
        let story = week(engine).await;
        let by_date = story.call("get_meals", json!({"from_date": "2026-05-18", "to_date": "2026-05-19"})).await;
        assert_eq!(names(&by_date), ["Pâté", "Night soup"]);
        let by_moment = story.call("get_meals", json!({"from": "2026-05-19T03:59", "to": "2026-05-19T12:00"})).await;
        assert_eq!(names(&by_moment), ["Night soup"], "the end is not included");
        let open = story.call("get_meals", json!({"to_date": "2026-05-18"})).await;
        assert_eq!(names(&open), ["Night soup", "Old soup"]);
        let today = story.call("get_meals", json!({"from_days_ago": 1})).await;
        assert_eq!(names(&today), ["Porridge 50%"]);

        let both = story.refused("get_meals", json!({"from_date": "2026-05-18", "to": "2026-05-19T12:00"})).await;
        let reason = "give exactly one of from_date, from, from_days_ago";
        assert_eq!(both["fields"], json!([{"field": "from_date", "reason": reason}]));
        let backwards = story.refused("get_meals", json!({"from_date": "2026-05-19", "to_date": "2026-05-18"})).await;
        assert_eq!(backwards["fields"][0]["field"], "to_date");
    }

    async fn part_of_a_name_is_found_whatever_its_accents(engine: TestEngine) {
        let story = week(engine).await;
        let find = |query: &str| story.call("get_meals", json!({"from_days_ago": 30, "query": query}));
        assert_eq!(names(&find("PATE").await), ["Pâté"]);
        assert_eq!(names(&find("soup").await), ["Night soup", "Old soup"]);
        assert_eq!(names(&find("0%").await), ["Porridge 50%"]);
        assert_eq!(find("_").await["total"], 0);
    }

    async fn o15_a_cut_list_says_so(engine: TestEngine) {
        let story = week(engine).await;
        let answer = story.call("get_meals", json!({"from_days_ago": 30, "limit": 2})).await;
        assert_eq!(names(&answer).len(), 2);
        assert_eq!((&answer["total"], &answer["truncated"]), (&json!(6), &json!(true)));
    }

    async fn o17_changing_the_zone_moves_no_meal(engine: TestEngine) {
        let mut story = week(engine).await;
        let before = story.call("get_meals", json!({"from_days_ago": 30})).await;
        story.zone("Asia/Tokyo").await;
        let after = story.call("get_meals", json!({"from_days_ago": 30})).await;
        assert_eq!(before["items"], after["items"]);
    }
}
