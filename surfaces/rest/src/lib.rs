//! The REST surface: every operation at `/api/v1`, by its path and effect, and the OpenAPI document of all of them.

mod answer;
mod caller;
mod claim;
mod front;
mod health;
mod input;
mod json;
pub mod openapi;
mod query;
mod refusal;
mod routes;
mod settings;
mod surface;

pub use claim::gate;
pub use settings::{Flood, Reach, Settings};
pub use surface::router;
