use calendar::{EventTime, TimeNote};
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, Patch, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use storage::{Id, Tx};

use super::{Meal, MealSlot, Nutrients, ShownMeal, meal, nutrients::sodium_mg, warnings};
use crate::{days::TouchedDay, number::Tenths, patch, saying, text, warning::Warning};

/// Corrects a logged meal: only fields given change; scale 0.5 for "I only ate half". Past meals only when asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateMeal {
    /// Id of the meal.
    pub meal_id: Id<Meal>,
    /// Local time or date.
    #[serde(default)]
    pub eaten_at: Option<EventTime>,
    /// Energy.
    #[serde(default)]
    #[schemars(range(min = 0, max = 10000), extend("x-quiet" = true))]
    pub kcal: Option<i64>,
    /// Protein.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000), extend("x-quiet" = true))]
    pub protein_g: Option<f64>,
    /// Carbohydrate.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000), extend("x-quiet" = true))]
    pub carb_g: Option<f64>,
    /// Fat.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000), extend("x-quiet" = true))]
    pub fat_g: Option<f64>,
    /// Name.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200), extend("x-quiet" = true))]
    pub name: Patch<String>,
    /// Slot.
    #[serde(default)]
    pub slot: Patch<MealSlot>,
    /// Fibre.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000), extend("x-quiet" = true))]
    pub fiber_g: Patch<f64>,
    /// Sugar.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000), extend("x-quiet" = true))]
    pub sugar_g: Patch<f64>,
    /// Saturated fat.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000), extend("x-quiet" = true))]
    pub saturated_fat_g: Patch<f64>,
    /// Sodium.
    #[serde(default)]
    #[schemars(range(min = 0, max = 50000), extend("x-quiet" = true))]
    pub sodium_mg: Patch<f64>,
    /// Alcohol.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000), extend("x-quiet" = true))]
    pub alcohol_g: Patch<f64>,
    /// Factor.
    #[serde(default)]
    #[schemars(range(min = 0.05, max = 20), extend("x-quiet" = true))]
    pub scale: Option<f64>,
    /// All 0 is right.
    #[serde(default)]
    pub zero_ok: bool,
    /// Notes.
    #[serde(default)]
    #[schemars(length(max = 2000), extend("x-quiet" = true))]
    pub notes: Patch<String>,
    /// Known version.
    #[serde(default)]
    #[schemars(range(min = 1), extend("x-quiet" = true))]
    pub expected_version: Option<i64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct UpdatedMeal {
    pub meal: ShownMeal,
    /// Old values of what changed.
    pub before: Map<String, Value>,
    pub summary: String,
    /// Totals of every day that the update touched.
    pub days: Vec<TouchedDay>,
    pub warnings: Vec<Warning>,
}

impl Operation for UpdateMeal {
    const NAME: &'static str = "update_meal";
    const PATH: &'static str = "/meals/{meal_id}";
    const EFFECT: Effect = Effect::Changes;
    const NEEDS: Needs = Needs::writing(Area::Journal);
    const ENTITY: &'static str = "meal";
    const ROLE: Role = Role::Update;
    const EVERYDAY: bool = true;
    const UNTRUSTED: &'static [&'static str] = &["meal.name", "meal.notes", "before.name", "before.notes"];

    type Output = UpdatedMeal;

    fn example() -> Value {
        json!({"meal_id": 1, "scale": 0.5})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        let mut faults = Vec::new();
        if self.changes_nothing() {
            faults.push(FieldFault::new("meal_id", "nothing to change"));
        }
        if let Some(Err(error)) = self.eaten_at.as_ref().map(|time| call.caller.day.resolve(Some(time), call.now)) {
            faults.push(FieldFault::new("eaten_at", error.to_string()));
        }
        if let Patch::Set(name) = &self.name {
            faults.extend(text::name_fault(Some(name), 200));
        }
        if let (Some(_), Some(nutrient)) = (self.scale, self.nutrients_given().next()) {
            faults.push(FieldFault::new("scale", format!("give exactly one of scale, {nutrient}")));
        }
        faults
    }
}

impl Local for UpdateMeal {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<UpdatedMeal, Failure> {
        let owner = call.owner()?;
        let missing = || Failure::not_found("meal", self.meal_id.raw());
        let old = meal::get(tx, owner, self.meal_id).await?.ok_or_else(missing)?;
        let old_shown = ShownMeal::from(&old);
        patch::check_version(self.expected_version, old.version, &old_shown)?;

        let (mut new, note) = self.applied_to(&old, call)?;
        let faults = new.nutrients.faults(self.zero_ok || new.nutrients == old.nutrients);
        if !faults.is_empty() {
            return Err(Failure::Invalid(faults));
        }
        if new != old {
            new.version += 1;
            new.updated_at = call.now;
            meal::update(tx, owner, &new).await?;
        }
        answered(tx, call, &old, &new, note).await
    }
}

impl UpdateMeal {
    /// Names of the nutrients given, in the order of the schema.
    fn nutrients_given(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("kcal", self.kcal.is_some()),
            ("protein_g", self.protein_g.is_some()),
            ("carb_g", self.carb_g.is_some()),
            ("fat_g", self.fat_g.is_some()),
            ("fiber_g", !self.fiber_g.is_keep()),
            ("sugar_g", !self.sugar_g.is_keep()),
            ("saturated_fat_g", !self.saturated_fat_g.is_keep()),
            ("sodium_mg", !self.sodium_mg.is_keep()),
            ("alcohol_g", !self.alcohol_g.is_keep()),
        ];
        given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name)
    }

    fn changes_nothing(&self) -> bool {
        let nutrients = self.scale.is_some() || self.nutrients_given().next().is_some();
        let words = !self.name.is_keep() || !self.slot.is_keep() || !self.notes.is_keep();
        !nutrients && !words && self.eaten_at.is_none()
    }

    /// The row as it would be, and what to say about how its new time was read.
    fn applied_to(&self, old: &Meal, call: &Call) -> Result<(Meal, Option<TimeNote>), Failure> {
        let mut new = old.clone();
        new.nutrients = self.nutrients_of(old.nutrients);
        match &self.name {
            Patch::Keep => {}
            Patch::Clear => new.name = None,
            Patch::Set(name) => new.name = Some(identity::one_line(name)),
        }
        match &self.notes {
            Patch::Keep => {}
            Patch::Clear => new.notes = None,
            Patch::Set(notes) => new.notes = text::notes(notes),
        }
        if !self.slot.is_keep() {
            new.slot = self.slot.clone().apply(None);
            new.slot_derived = false;
        }
        let Some(time) = &self.eaten_at else { return Ok((new, None)) };
        let day = &call.caller.day;
        let moment =
            day.resolve(Some(time), call.now).map_err(|error| Failure::invalid("eaten_at", error.to_string()))?;
        new.pin(&moment, day);
        Ok((new, moment.note))
    }

    fn nutrients_of(&self, old: Nutrients) -> Nutrients {
        if let Some(factor) = self.scale {
            return old.times(factor);
        }
        let amount = |given: Option<f64>, old: Tenths| given.map_or(old, Tenths::of);
        let patched = |given: &Patch<f64>, old: Option<Tenths>| match given {
            Patch::Keep => old,
            Patch::Clear => None,
            Patch::Set(value) => Some(Tenths::of(*value)),
        };
        Nutrients {
            kcal: self.kcal.map_or(old.kcal, |kcal| Tenths(kcal * 10)),
            protein_g: amount(self.protein_g, old.protein_g),
            carb_g: amount(self.carb_g, old.carb_g),
            fat_g: amount(self.fat_g, old.fat_g),
            fiber_g: patched(&self.fiber_g, old.fiber_g),
            sugar_g: patched(&self.sugar_g, old.sugar_g),
            saturated_fat_g: patched(&self.saturated_fat_g, old.saturated_fat_g),
            alcohol_g: patched(&self.alcohol_g, old.alcohol_g),
            sodium_mg: match self.sodium_mg {
                Patch::Keep => old.sodium_mg,
                Patch::Clear => None,
                Patch::Set(value) => Some(sodium_mg(value)),
            },
        }
    }
}

async fn answered(
    tx: &mut Tx,
    call: &Call,
    old: &Meal,
    new: &Meal,
    note: Option<TimeNote>,
) -> Result<UpdatedMeal, Failure> {
    let owner = call.owner()?;
    let sum = meal::day_sum(tx, owner, new.user_date).await?;
    let mut days = vec![sum.touched()];
    if old.user_date != new.user_date {
        days.push(meal::day_sum(tx, owner, old.user_date).await?.touched());
    }
    let meal = ShownMeal::from(new);
    let before = patch::before(&ShownMeal::from(old), &meal)?;
    let date = saying::date(new.user_date, call.today());
    let (kcal, macros, total) = (new.nutrients.kcal, new.nutrients.macros(), sum.against_target());
    let summary = match before.is_empty() {
        true => format!("Meal for {date} is unchanged: {kcal} kcal, {macros}; day total: {total}"),
        false => {
            let was = was(old, new, call);
            format!("Updated meal for {date}: now {kcal} kcal, {macros}{was}; day total: {total}")
        }
    };
    Ok(UpdatedMeal { meal, before, summary, days, warnings: warnings::of(tx, owner, new, note).await? })
}

/// ` (was 500 kcal, on 2026-05-24 (Sun, yesterday))`: what of the old meal the numbers and the date no longer show.
fn was(old: &Meal, new: &Meal, call: &Call) -> String {
    let mut was = Vec::new();
    if old.nutrients.kcal != new.nutrients.kcal {
        was.push(format!("{} kcal", old.nutrients.kcal));
    }
    if old.user_date != new.user_date {
        was.push(format!("on {}", saying::date(old.user_date, call.today())));
    }
    if was.is_empty() { String::new() } else { format!(" (was {})", was.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::{Story, codes};
    use testkit::TestEngine;

    storage::on_both_engines! { half_of_it_is_half_of_every_nutrient, b8_what_is_left_out_stays, a_field_is_emptied_by_null_or_by_name, a_moved_meal_is_pinned_again_and_both_days_are_told, o13_a_patch_meets_the_rules_of_a_new_meal, a_factor_and_a_nutrient_exclude_each_other, an_update_for_an_older_version_is_refused_with_the_current_meal, saving_an_unchanged_meal_changes_nothing }

    async fn pizza(engine: TestEngine) -> Story {
        let story = Story::new(engine).await;
        let pizza = json!({"eaten_at": "2026-05-24T19:00", "name": "Pizza", "kcal": 800, "protein_g": 33, "carb_g": 90,
            "fat_g": 34, "fiber_g": 5, "sodium_mg": 1501, "notes": "two slices"});
        story.call("log_meal", pizza).await;
        story
    }

    async fn half_of_it_is_half_of_every_nutrient(engine: TestEngine) {
        let story = pizza(engine).await;
        let answer = story.call("update_meal", json!({"meal_id": 1, "scale": 0.5})).await;
        let meal = &answer["meal"];
        assert_eq!((&meal["kcal"], &meal["protein_g"], &meal["fiber_g"]), (&json!(400), &json!(16.5), &json!(2.5)));
        assert_eq!((&meal["sodium_mg"], &meal["version"]), (&json!(751), &json!(2)));
        let before = json!({"kcal": 800, "protein_g": 33, "carb_g": 90, "fat_g": 34, "fiber_g": 5, "sodium_mg": 1501});
        assert_eq!(answer["before"], before);
        assert_eq!(
            answer["summary"],
            "Updated meal for 2026-05-24 (Sun, yesterday): now 400 kcal, 16.5p / 45c / 17f (was 800 kcal); \
             day total: 400 kcal (no active phase)"
        );
        assert_eq!(answer["days"][0]["day_totals"]["kcal"], 400);
    }

    async fn b8_what_is_left_out_stays(engine: TestEngine) {
        let story = pizza(engine).await;
        let answer = story.call("update_meal", json!({"meal_id": 1, "name": "Calzone"})).await;
        assert_eq!(answer["before"], json!({"name": "Pizza"}));
        let meal = &answer["meal"];
        assert_eq!(
            (&meal["kcal"], &meal["notes"], &meal["slot"]),
            (&json!(800), &json!("two slices"), &json!("dinner"))
        );
    }

    async fn a_field_is_emptied_by_null_or_by_name(engine: TestEngine) {
        let story = pizza(engine).await;
        let answer = story.call("update_meal", json!({"meal_id": 1, "fiber_g": null, "clear": ["notes"]})).await;
        assert_eq!(answer["before"], json!({"fiber_g": 5, "notes": "two slices"}));
        assert_eq!((answer["meal"].get("fiber_g"), answer["meal"].get("notes")), (None, None));
        let both = story.refused("update_meal", json!({"meal_id": 1, "name": "x", "clear": ["name"]})).await;
        assert_eq!(both["fields"][0], json!({"field": "name", "reason": "give exactly one of name, clear"}));
        let kcal = story.refused("update_meal", json!({"meal_id": 1, "kcal": null})).await;
        assert_eq!(kcal["fields"][0], json!({"field": "kcal", "reason": "cannot be cleared"}));
    }

    async fn a_moved_meal_is_pinned_again_and_both_days_are_told(engine: TestEngine) {
        let story = pizza(engine).await;
        let answer = story.call("update_meal", json!({"meal_id": 1, "eaten_at": "2026-05-25T08:30"})).await;
        let meal = &answer["meal"];
        assert_eq!((&meal["user_date"], &meal["slot"]), (&json!("2026-05-25"), &json!("breakfast")));
        let days: Vec<_> = answer["days"].as_array().unwrap().iter().map(|day| &day["date"]).collect();
        assert_eq!(days, ["2026-05-25", "2026-05-24"]);
        assert_eq!(answer["days"][1]["day_totals"]["kcal"], 0);
        assert!(answer["summary"].as_str().unwrap().contains("(was on 2026-05-24 (Sun, yesterday))"));
        let day = story.call("update_meal", json!({"meal_id": 1, "eaten_at": "2026-05-23"})).await;
        assert_eq!((&day["meal"]["slot"], codes(&day)), (&Value::Null, vec!["time_assumed"]));
    }

    async fn o13_a_patch_meets_the_rules_of_a_new_meal(engine: TestEngine) {
        let story = pizza(engine).await;
        let large = story.refused("update_meal", json!({"meal_id": 1, "scale": 20})).await;
        let reason = "must be ≤ 10000";
        assert_eq!(large["fields"][0], json!({"field": "kcal", "reason": reason}));
        let zeros = json!({"meal_id": 1, "kcal": 0, "protein_g": 0, "carb_g": 0, "fat_g": 0});
        assert_eq!(story.refused("update_meal", zeros).await["fields"][0]["field"], "kcal");
        let future = story.refused("update_meal", json!({"meal_id": 1, "eaten_at": "2026-05-26"})).await;
        assert_eq!(future["fields"][0]["reason"], "is in the future");
        let warned = story.call("update_meal", json!({"meal_id": 1, "kcal": 2000})).await;
        assert_eq!(codes(&warned), ["energy_mismatch"]);
    }

    async fn a_factor_and_a_nutrient_exclude_each_other(engine: TestEngine) {
        let story = pizza(engine).await;
        let body = story.refused("update_meal", json!({"meal_id": 1, "scale": 2, "fat_g": 3})).await;
        assert_eq!(body["fields"], json!([{"field": "scale", "reason": "give exactly one of scale, fat_g"}]));
        let body = story.refused("update_meal", json!({"meal_id": 1})).await;
        assert_eq!(body["fields"], json!([{"field": "meal_id", "reason": "nothing to change"}]));
    }

    async fn an_update_for_an_older_version_is_refused_with_the_current_meal(engine: TestEngine) {
        let story = pizza(engine).await;
        story.call("update_meal", json!({"meal_id": 1, "kcal": 750, "expected_version": 1})).await;
        let body = story.refused("update_meal", json!({"meal_id": 1, "kcal": 700, "expected_version": 1})).await;
        assert_eq!((&body["error"], &body["current"]["version"]), (&json!("version_conflict"), &json!(2)));
        assert_eq!(body["current"]["kcal"], 750);
    }

    async fn saving_an_unchanged_meal_changes_nothing(engine: TestEngine) {
        let story = pizza(engine).await;
        let same = json!({"meal_id": 1, "kcal": 800, "carb_g": 90, "notes": "two slices"});
        let answer = story.call("update_meal", same).await;
        assert_eq!((&answer["before"], &answer["meal"]["version"]), (&json!({}), &json!(1)));
        assert!(answer["summary"].as_str().unwrap().contains("is unchanged"));
    }
}
