//! What a person ate.

mod delete_meal;
mod found;
mod get_meals;
mod log_meal;
pub mod meal;
mod nutrients;
mod search_meals;
mod shown;
mod slot;
mod update_meal;
mod warnings;

pub use delete_meal::{DeleteMeal, DeletedMeal};
pub use found::Found;
pub use log_meal::{LogMeal, LoggedMeal};
pub use meal::Meal;
pub use nutrients::Nutrients;
pub use shown::ShownMeal;
pub use slot::MealSlot;

use operation::{Listed, local, repeatable};

pub const OPERATIONS: &[Listed] = &[
    local::<delete_meal::DeleteMeal>,
    local::<get_meals::GetMeals>,
    repeatable::<log_meal::LogMeal>,
    local::<search_meals::SearchMeals>,
    local::<update_meal::UpdateMeal>,
];
