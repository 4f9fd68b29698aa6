use std::process::ExitCode;
use std::time::Duration;

use calendar::Date;

use crate::call::{Era, Tool};
use crate::comparison::today;
use crate::data_folder::DataFolder;
use crate::error::Error;
use crate::load::{self, Load};
use crate::machine::Machine;
use crate::options::Options;
use crate::rounds::{self, Cell};
use crate::server::{self, Running, Synchronous};
use crate::targets::Verdict;
use crate::{almanac, markdown};

/// Most processor time per call at 32 connections, in microseconds.
const CPU_US: [(Tool, Era, f64); 6] = [
    (Tool::Ping, Era::Legacy, 100.0),
    (Tool::Ping, Era::Modern, 120.0),
    (Tool::LogMeal, Era::Legacy, 200.0),
    (Tool::GetMeals, Era::Legacy, 300.0),
    (Tool::ListEverydayTools, Era::Legacy, 150.0),
    (Tool::ListTools, Era::Legacy, 1_000.0),
];

const IDLE_KB: u64 = 40 * 1024;
const LOADED_KB: u64 = 80 * 1024;
const START: Duration = Duration::from_millis(100);

/// Calls after which memory is read, half of them `log_meal`.
const MIXED_CALLS: u64 = 100_000;

/// `initialize` requests that must leave memory where it was, give or take [`GROWTH_KB`].
const INITIALIZES: u64 = 20_000;
const GROWTH_KB: u64 = 4 * 1024;

/// Checks the limits on one server with the binary's own settings and prints them.
pub async fn run(options: &Options) -> Result<ExitCode, Error> {
    let machine = Machine::look(&options.work)?;
    let today = today()?;
    let data = DataFolder::make(&options.work)?;
    let prepared = almanac::prepare(&options.almanac, data.path(), Synchronous::Full)?;
    let server = server::start(prepared, today).await?;
    let mut verdicts = vec![start(&server), idle(&server)];
    rounds::seed_and_prove(&server, today).await?;
    for (tool, era, limit) in CPU_US {
        verdicts.push(processor_time(options, &server, tool, era, limit, today).await?);
    }
    verdicts.push(after_mixed_calls(&server, today).await?);
    verdicts.push(after_initializes(&server, today).await?);
    report(options, &machine, &verdicts)
}

fn report(options: &Options, machine: &Machine, verdicts: &[Verdict]) -> Result<ExitCode, Error> {
    let mut lines = vec!["## Budgets of the server".to_owned(), String::new()];
    lines.push(format!("`bench budgets`, 32 connections, synchronous FULL, {}", machine.describe()));
    lines.push(String::new());
    lines.extend(markdown::verdict_list(verdicts));
    let section = lines.join("\n");
    println!("{section}");
    if let Some(out) = &options.out {
        markdown::replace_section(out, "bench budgets", &section)?;
    }
    let missed = verdicts.iter().any(|verdict| !verdict.met);
    let fails = options.gate && missed && !machine.was_busy();
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn start(server: &Running) -> Verdict {
    let sentence =
        format!("first answer {} ms after the start (at most {})", server.start.as_millis(), START.as_millis());
    Verdict { sentence, met: server.start <= START }
}

fn idle(server: &Running) -> Verdict {
    memory("idle", server.idle_kb, IDLE_KB)
}

fn memory(when: &str, kb: u64, limit_kb: u64) -> Verdict {
    let sentence = format!("resident {when}: {:.1} MB (at most {})", kb as f64 / 1024.0, limit_kb / 1024);
    Verdict { sentence, met: kb <= limit_kb }
}

async fn processor_time(
    options: &Options,
    server: &Running,
    tool: Tool,
    era: Era,
    limit: f64,
    today: Date,
) -> Result<Verdict, Error> {
    let cell = Cell { tool, synchronous: Synchronous::Full, connections: 32, era };
    let load = Load { connections: 32, time: options.round, calls: options.calls };
    let mut rounds = Vec::new();
    for _ in 0..options.rounds {
        rounds.push(rounds::measure(server, cell, load, today).await?);
    }
    let figures = rounds::figures(&rounds);
    let sentence = format!(
        "{}, {}: {:.0} µs CPU per call (at most {limit}), {:.0} calls/s",
        tool.name(),
        era.name(),
        figures.cpu_us_per_call,
        figures.calls_per_second
    );
    Ok(Verdict { sentence, met: figures.cpu_us_per_call <= limit })
}

async fn after_mixed_calls(server: &Running, today: Date) -> Result<Verdict, Error> {
    for (tool, share) in [(Tool::LogMeal, 2), (Tool::GetMeals, 4), (Tool::Ping, 4)] {
        call(server, tool, MIXED_CALLS / share, today).await?;
    }
    Ok(memory(&format!("after {MIXED_CALLS} mixed calls"), server.process.resident_kb()?, LOADED_KB))
}

async fn after_initializes(server: &Running, today: Date) -> Result<Verdict, Error> {
    call(server, Tool::Initialize, INITIALIZES / 10, today).await?;
    let before = server.process.resident_kb()?;
    call(server, Tool::Initialize, INITIALIZES, today).await?;
    let growth = server.process.resident_kb()?.saturating_sub(before);
    let sentence = format!("{growth} kB more resident after {INITIALIZES} initialize requests (at most {GROWTH_KB})");
    Ok(Verdict { sentence, met: growth <= GROWTH_KB })
}

async fn call(server: &Running, tool: Tool, calls: u64, today: Date) -> Result<(), Error> {
    let load = Load { connections: 32, time: Duration::from_secs(120), calls };
    let requests = server.requests(tool, Era::Legacy, today)?;
    load::run(&requests, server.port, load, &server.next_meal).await?;
    Ok(())
}
