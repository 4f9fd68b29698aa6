//! The log, on standard error only.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::{Layer as _, filter::Targets, fmt, layer::SubscriberExt as _, util::SubscriberInitExt as _};

use crate::config::{LogForm, Settings};

/// Crates of our own. What others log below a warning may hold what people wrote: protocol messages, SQL values.
const OWN: [&str; 12] = [
    "account",
    "almanac",
    "cli",
    "door",
    "engine",
    "identity",
    "journal",
    "mcp",
    "operation",
    "remote",
    "rest",
    "storage",
];

/// Begins to log in the form and at the level of the settings.
pub fn begin(settings: &Settings) {
    let level = settings.log_level.0;
    let targets = Targets::new().with_default(level.min(LevelFilter::WARN)).with_targets(OWN.map(|name| (name, level)));
    // The protocol library reports each answer that a cancelled request no longer needs as an error; failures of calls
    // and messages are told by our layers.
    let targets = targets.with_target("rmcp::service", LevelFilter::OFF);
    let layer = fmt::layer().with_writer(std::io::stderr);
    let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let layer = match settings.log {
        LogForm::Text => layer.with_ansi(terminal).boxed(),
        LogForm::Json => layer.json().flatten_event(true).boxed(),
    };
    tracing_subscriber::registry().with(layer.with_filter(targets)).init();
}
