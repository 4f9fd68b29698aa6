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

/// Lists logged meals, newest first; the last 7 days by default. For what the person usually eats use `search_meals`,
/// for sums `get_macros_for_date`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetMeals {
    /// First user-day.
    #[serde(default)]
    pub from_date: Option<Date>,
    /// Last user-day, included.
    #[serde(default)]
    pub to_date: Option<Date>,
    /// First local time.
    #[serde(default)]
    pub from: Option<EventTime>,
    /// End, not included.
    #[serde(default)]
    pub to: Option<EventTime>,
    /// The last n days.
    #[serde(default)]
    #[schemars(range(min = 1, max = 3650), extend("x-quiet" = true))]
    pub from_days_ago: Option<i64>,
    /// Part of a name.
    #[serde(default)]
    #[schemars(length(min = 1, max = 100), extend("x-quiet" = true))]
    pub query: Option<String>,
    /// Meals per page.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: i64,
    /// `next_cursor` of the last page.
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
