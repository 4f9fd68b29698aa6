use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::Error;

const USAGE: &str = "usage: bench mcp|budgets|growth [--almanac PATH] [--servers almanac,fastmcp,ts] [--seconds 5] [--rounds 3] \
                     [--calls 1000000] [--work DIR] [--out FILE] [--gate] [--full-only]";

pub enum Command {
    /// Almanac beside its peers.
    Mcp,
    /// Almanac against the limits of its specification.
    Budgets,
    /// The same calls on more and more data.
    Growth,
}

/// What to run and for how long.
pub struct Options {
    pub command: Command,
    /// The release binary.
    pub almanac: PathBuf,
    pub servers: Vec<String>,
    /// Length of one measured round.
    pub round: Duration,
    pub rounds: usize,
    /// Most calls of one round.
    pub calls: u64,
    /// Databases, logs and the peers' Python packages; on a real disk, since commits are measured.
    pub work: PathBuf,
    /// A Markdown file whose section of this benchmark is replaced.
    pub out: Option<PathBuf>,
    /// Fail when a target is missed (never on a machine that was busy at the start).
    pub gate: bool,
    /// Leave out the runs with `synchronous=NORMAL`.
    pub full_only: bool,
}

impl Options {
    pub fn read(mut args: impl Iterator<Item = String>) -> Result<Self, Error> {
        let command = match args.next().as_deref() {
            Some("mcp") => Command::Mcp,
            Some("budgets") => Command::Budgets,
            Some("growth") => Command::Growth,
            _ => return Err(USAGE.into()),
        };
        let mut options = Self::defaults(command)?;
        while let Some(flag) = args.next() {
            match flag.as_str() {
                "--gate" => options.gate = true,
                "--full-only" => options.full_only = true,
                _ => options.set(&flag, &args.next().ok_or_else(|| format!("{flag} needs a value\n{USAGE}"))?)?,
            }
        }
        Ok(options)
    }

    fn defaults(command: Command) -> Result<Self, Error> {
        let binary = std::env::current_exe()?;
        let target = binary.parent().and_then(Path::parent).ok_or("the benchmark has no target folder")?;
        Ok(Self {
            command,
            almanac: binary.with_file_name("almanac"),
            servers: ["almanac", "ts", "fastmcp"].map(String::from).to_vec(),
            round: Duration::from_secs(5),
            rounds: 3,
            calls: 1_000_000,
            work: target.join("bench"),
            out: None,
            gate: false,
            full_only: false,
        })
    }

    fn set(&mut self, flag: &str, value: &str) -> Result<(), Error> {
        match flag {
            "--almanac" => self.almanac = value.into(),
            "--servers" => self.servers = value.split(',').map(String::from).collect(),
            "--seconds" => self.round = Duration::try_from_secs_f64(value.parse()?)?.min(Duration::from_secs(60)),
            "--rounds" => self.rounds = value.parse::<usize>()?.clamp(1, 20),
            "--calls" => self.calls = value.parse::<u64>()?.clamp(1, 5_000_000),
            "--work" => self.work = value.into(),
            "--out" => self.out = Some(value.into()),
            _ => return Err(format!("{flag} is unknown\n{USAGE}").into()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Options, Error> {
        Options::read(text.split(' ').map(String::from))
    }

    #[test]
    fn flags_change_what_is_run() {
        let options = read("mcp --servers almanac,ts --seconds 0.5 --rounds 1 --gate").unwrap();
        assert_eq!(options.servers, ["almanac", "ts"]);
        assert_eq!(options.round, Duration::from_millis(500));
        assert_eq!((options.rounds, options.gate, options.full_only), (1, true, false));
    }

    #[test]
    fn a_run_is_bounded_whatever_was_asked_for() {
        let options = read("mcp --seconds 9999 --rounds 9999 --calls 99999999999").unwrap();
        assert_eq!((options.round.as_secs(), options.rounds, options.calls), (60, 20, 5_000_000));
    }

    #[test]
    fn an_unknown_flag_or_command_is_refused() {
        for text in ["", "rest", "mcp --loud 1", "mcp --rounds", "mcp --seconds -1"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
