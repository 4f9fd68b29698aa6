//! The command line: every operation as a subcommand, on the local database or on a remote server.

mod commands;
mod complaint;
mod flags;
mod given;
mod listing;
mod output;
mod place;
mod table;

pub use commands::{command_name, commands, grouped_help};
pub use complaint::Complaint;
pub use given::input;
pub use listing::listing;
pub use output::{Form, form_of, output_argument, shown};
pub use place::Place;
pub use table::table;
