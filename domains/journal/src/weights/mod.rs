//! What a person weighs.

pub mod body_weight;
mod delete_weight;
mod get_weight_trend;
mod limits;
mod log_weight;
mod shown;
mod update_weight;

pub use body_weight::BodyWeight;
pub use delete_weight::{DeleteWeight, DeletedWeight};

use operation::{Listed, local};

pub const OPERATIONS: &[Listed] = &[
    local::<delete_weight::DeleteWeight>,
    local::<get_weight_trend::GetWeightTrend>,
    local::<log_weight::LogWeight>,
    local::<update_weight::UpdateWeight>,
];
