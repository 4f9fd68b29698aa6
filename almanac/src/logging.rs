//! The log, on standard error only.

use crate::config::{LogForm, Settings};

pub fn begin(settings: &Settings) {
    let builder = tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(settings.log_level.0);
    match settings.log {
        LogForm::Text => builder.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).init(),
        LogForm::Json => builder.json().flatten_event(true).init(),
    }
}
