//! `bench growth`: the everyday calls on an empty database, on one year, on ten years, and on ten years among 1,000
//! other people, in turn in one run. In process, through `Engine::call`, on SQLite as shipped.

mod report;
mod run;
mod world;

pub use run::run;
