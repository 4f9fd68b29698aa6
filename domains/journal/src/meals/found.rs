use calendar::Date;
use storage::Id;

use super::Meal;
use crate::number::Tenths;

/// A meal as the search sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub id: Id<Meal>,
    pub name: Option<String>,
    /// Folded words of name and notes, each after a space.
    pub words: String,
    pub user_date: Date,
    pub kcal: Tenths,
    pub protein_g: Tenths,
    pub carb_g: Tenths,
    pub fat_g: Tenths,
}
