//! REST and the command line.

mod asking;
mod command_line;
mod demo;
mod faults;
mod front;
mod host_commands;
mod journeys;
mod openapi;
mod settings;
