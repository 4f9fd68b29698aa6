use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use calendar::{Date, DayClock, Instant, Zone};

use crate::call::{Era, Tool};
use crate::data_folder::DataFolder;
use crate::error::Error;
use crate::load::Load;
use crate::machine::Machine;
use crate::options::Options;
use crate::rounds::{self, Cell, Figures, Round};
use crate::server::{self, Prepared, Running, Synchronous};
use crate::{almanac, markdown, peers, targets};

/// One server as a whole, run with `synchronous=FULL`.
#[derive(Debug, Clone)]
pub struct Resources {
    pub made_of: String,
    pub start: Duration,
    pub idle_kb: u64,
    pub highest_kb: u64,
}

/// All figures of one run.
#[derive(Default)]
pub struct Comparison {
    pub servers: Vec<String>,
    pub figures: BTreeMap<(Cell, String), Figures>,
    pub resources: BTreeMap<String, Resources>,
}

/// Measures every cell on every server in turn, prints the section for `docs/reference/performance.md` and says which
/// targets were missed.
pub async fn run(options: &Options) -> Result<ExitCode, Error> {
    let machine = Machine::look(&options.work)?;
    let mut comparison = Comparison { servers: options.servers.clone(), ..Comparison::default() };
    measure_all(options, Synchronous::Full, &mut comparison).await?;
    if !options.full_only {
        measure_all(options, Synchronous::Normal, &mut comparison).await?;
    }
    let verdicts = targets::judge(&comparison);
    let section = markdown::comparison(options, &machine, &comparison, &verdicts);
    println!("{section}");
    if let Some(out) = &options.out {
        markdown::replace_section(out, "bench mcp", &section)?;
    }
    let missed = verdicts.iter().any(|verdict| !verdict.met);
    let fails = options.gate && missed && !machine.was_busy();
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Today in UTC, the zone of the person that the servers know.
pub fn today() -> Result<Date, Error> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    let clock = DayClock { zone: Zone::utc(), day_start_hour: 4 };
    Ok(clock.today(Instant::from_micros(i64::try_from(now.as_micros())?)))
}

async fn measure_all(options: &Options, synchronous: Synchronous, into: &mut Comparison) -> Result<(), Error> {
    let today = today()?;
    let data = DataFolder::make(&options.work)?;
    let mut servers = Vec::new();
    for name in &options.servers {
        let prepared = prepare(options, name, &data.path().join(name), synchronous)?;
        let server = server::start(prepared, today).await?;
        if name == "almanac" && synchronous == Synchronous::Normal && !server.said(almanac::SAYS_NORMAL)? {
            eprintln!("bench: almanac runs with FULL although NORMAL was asked for; it is left out of these cells");
            continue;
        }
        rounds::seed_and_prove(&server, today).await?;
        let warm_up = Load { connections: 32, time: options.round.min(Duration::from_secs(1)), calls: 20_000 };
        rounds::warm_up(&server, warm_up, today).await?;
        servers.push(server);
    }
    for cell in cells(synchronous) {
        for (server, rounds) in in_turn(options, &servers, cell, today).await? {
            into.figures.insert((cell, server), rounds::figures(&rounds));
        }
    }
    if synchronous == Synchronous::Full {
        for server in &servers {
            into.resources.insert(server.name.clone(), resources(server)?);
        }
    }
    Ok(())
}

/// A, B, C, A, B, C …: what the machine does meanwhile falls on all alike.
async fn in_turn(
    options: &Options,
    servers: &[Running],
    cell: Cell,
    today: Date,
) -> Result<BTreeMap<String, Vec<Round>>, Error> {
    let load = Load { connections: cell.connections, time: options.round, calls: options.calls };
    let mut rounds: BTreeMap<String, Vec<Round>> = BTreeMap::new();
    for _ in 0..options.rounds {
        for server in servers {
            let round = rounds::measure(server, cell, load, today).await?;
            eprintln!(
                "bench: {} {} × {} {} {}: {:.0} calls/s, {:.0} µs CPU",
                cell.tool.name(),
                cell.connections,
                cell.era.name(),
                cell.synchronous.name(),
                server.name,
                round.measured.calls_per_second(),
                round.cpu_us_per_call
            );
            rounds.entry(server.name.clone()).or_default().push(round);
        }
    }
    Ok(rounds)
}

/// Only `log_meal` waits for the disk, so only it is measured both ways.
fn cells(synchronous: Synchronous) -> Vec<Cell> {
    let tools: &[Tool] = match synchronous {
        Synchronous::Full => &[Tool::Ping, Tool::GetMeals, Tool::LogMeal],
        Synchronous::Normal => &[Tool::LogMeal],
    };
    let mut cells = Vec::new();
    for &tool in tools {
        for connections in [1, 32] {
            for era in [Era::Legacy, Era::Modern] {
                cells.push(Cell { tool, synchronous, connections, era });
            }
        }
    }
    cells
}

fn prepare(options: &Options, name: &str, data: &Path, synchronous: Synchronous) -> Result<Prepared, Error> {
    match name {
        "almanac" => almanac::prepare(&options.almanac, data, synchronous),
        "fastmcp" => peers::fastmcp(&options.work, data, synchronous),
        "ts" => peers::ts(data, synchronous),
        _ => Err(format!("{name} is no server; there are almanac, fastmcp and ts").into()),
    }
}

fn resources(server: &Running) -> Result<Resources, Error> {
    Ok(Resources {
        made_of: server.made_of.clone(),
        start: server.start,
        idle_kb: server.idle_kb,
        highest_kb: server.process.highest_kb()?,
    })
}
