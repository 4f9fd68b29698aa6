use operation::{Area, Domain, catalog::Column};
use storage::{Capture, Migration, Table};

use crate::{days, guide, meals, removed, weights};

/// The domain, as the binary lists it.
pub const DOMAIN: Domain = Domain {
    name: "journal",
    area: Area::Journal,
    operations: &[meals::OPERATIONS, days::OPERATIONS, weights::OPERATIONS],
    tables: TABLES,
    migrations: MIGRATIONS,
    statements: &[
        meals::meal::STATEMENTS,
        days::day_mark::STATEMENTS,
        weights::body_weight::STATEMENTS,
        removed::STATEMENTS,
    ],
    pinned: &[meals::meal::COUNT_PINNED],
    columns: COLUMNS,
    entities: guide::ENTITIES,
    workflows: guide::WORKFLOWS,
    resources: &[],
    instructions: guide::INSTRUCTIONS,
};

const TABLES: &[Table] =
    &[captured("meal", "meal"), captured("body_weight", "body_weight"), captured("day_mark", "day")];

const MIGRATIONS: &[Migration] = &[Migration {
    domain: "journal",
    number: 1,
    name: "meals_weights_days",
    sql: include_str!("../migrations/0001_meals_weights_days.sql"),
}];

const COLUMNS: &[Column] = &[
    Column::hidden("meal.name_folded"),
    Column::hidden("meal.words"),
    Column::flag("meal.slot_derived"),
    Column::tenths("meal.kcal", "kcal"),
    Column::tenths("meal.protein", "protein_g"),
    Column::tenths("meal.carb", "carb_g"),
    Column::tenths("meal.fat", "fat_g"),
    Column::tenths("meal.fiber", "fiber_g"),
    Column::tenths("meal.sugar", "sugar_g"),
    Column::tenths("meal.saturated_fat", "saturated_fat_g"),
    Column::tenths("meal.alcohol", "alcohol_g"),
    Column::tenths("body_weight.body_fat", "body_fat_pct"),
    Column::flag("body_weight.fasted"),
];

/// A table whose changes can be taken back.
const fn captured(name: &'static str, entity: &'static str) -> Table {
    Table { name, entity, capture: Capture::Rows { except: &[] } }
}
