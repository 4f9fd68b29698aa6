use std::{collections::BTreeMap, process::ExitCode, time::Duration};

use serde_json::{Value, json};

use super::world::World;
use crate::{machine::Machine, options::Options};

/// Most that a call may take, as a multiple of its time on the smaller database.
const MOST: f64 = 1.3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    LogMeal,
    MacrosToday,
    WeightTrend,
}

impl Call {
    pub const ALL: [Call; 3] = [Call::LogMeal, Call::MacrosToday, Call::WeightTrend];

    fn operation(self) -> &'static str {
        match self {
            Self::LogMeal => "log_meal",
            Self::MacrosToday => "get_macros_today",
            Self::WeightTrend => "get_weight_trend",
        }
    }

    pub fn next(self, world: &World) -> (&'static str, Value) {
        let input = if self == Self::LogMeal { world.next_meal() } else { json!({}) };
        (self.operation(), input)
    }
}

/// Times of every call, per world.
#[derive(Default)]
pub struct Figures(BTreeMap<(Call, String), Vec<Duration>>);

impl Figures {
    pub fn add(&mut self, world: &str, call: Call, times: Vec<Duration>, counts: bool) {
        if counts {
            self.0.entry((call, world.to_owned())).or_default().extend(times);
        }
    }

    fn median_us(&self, call: Call, world: &str) -> f64 {
        let mut times = self.0.get(&(call, world.to_owned())).cloned().unwrap_or_default();
        times.sort();
        times.get(times.len() / 2).map_or(f64::NAN, |time| time.as_secs_f64() * 1e6)
    }

    /// Pairs of worlds whose ratio is bounded, per call.
    fn ratios(&self) -> Vec<(Call, &'static str, &'static str, f64)> {
        let grown = "ten years, 1,000 people beside";
        let mut pairs = Vec::new();
        for call in Call::ALL {
            pairs.push((call, grown, "one year"));
            if call != Call::WeightTrend {
                pairs.push((call, grown, "empty"));
            }
        }
        pairs
            .into_iter()
            .map(|(call, big, small)| (call, big, small, self.median_us(call, big) / self.median_us(call, small)))
            .collect()
    }

    pub fn section(&self, machine: &Machine, options: &Options) -> String {
        let worlds = ["empty", "one year", "ten years", "ten years, 1,000 people beside"];
        let mut lines = vec![
            "## The same call on more and more data".to_owned(),
            String::new(),
            format!("`cargo xtask bench growth`, {}", machine.describe()),
            format!(
                "Medians in µs of {} rounds in turn, in process, on SQLite with `synchronous=FULL`; a year has 4,015 rows.",
                options.rounds
            ),
            String::new(),
            format!("| call | {} |", worlds.join(" | ")),
            format!("|---|{}", "---|".repeat(worlds.len())),
        ];
        for call in Call::ALL {
            let times: Vec<String> = worlds.iter().map(|world| format!("{:.0}", self.median_us(call, world))).collect();
            lines.push(format!("| `{}` | {} |", call.operation(), times.join(" | ")));
        }
        lines.push(String::new());
        for (call, big, small, ratio) in self.ratios() {
            let word = if ratio <= MOST { "met" } else { "**missed**" };
            lines.push(format!("- {word}: `{}`, {big} ÷ {small} = {ratio:.2} (at most {MOST})", call.operation()));
        }
        lines.join("\n")
    }

    /// Failure where a bound is missed and `gates` says that this counts.
    pub fn verdict(&self, gates: bool) -> ExitCode {
        let missed = self.ratios().iter().any(|(.., ratio)| *ratio > MOST);
        if missed && gates { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}
