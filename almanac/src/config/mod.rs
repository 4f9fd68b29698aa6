//! Every setting, once: its words, its flag, its environment variables, its place in a file.

mod base_url;
mod database;
mod declare;
mod file;
mod forms;
mod given;
mod settings;

pub use base_url::BaseUrl;
pub use declare::Setting;
pub use forms::{Anonymous, LogForm, LogLevel};
pub use given::{Faults, Given};
pub use settings::{ALL, Settings};
