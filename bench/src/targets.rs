use crate::call::{Era, Tool};
use crate::comparison::Comparison;
use crate::rounds::{Cell, Figures};
use crate::server::Synchronous;

/// A target and whether this run met it.
pub struct Verdict {
    pub sentence: String,
    pub met: bool,
}

/// What Almanac must reach beside one peer, for `log_meal` at 32 connections with `synchronous=FULL`.
struct Peer {
    name: &'static str,
    /// Times its calls per second.
    calls: f64,
    /// Its processor time per call divided by this.
    cpu: f64,
}

const PEERS: [Peer; 2] = [Peer { name: "ts", calls: 5.0, cpu: 4.0 }, Peer { name: "fastmcp", calls: 15.0, cpu: 10.0 }];

/// Resident memory of each peer divided by this.
const MEMORY: f64 = 4.0;

/// Every target whose servers were measured.
pub fn judge(comparison: &Comparison) -> Vec<Verdict> {
    PEERS.iter().flat_map(|peer| judge_beside(comparison, peer)).collect()
}

fn judge_beside(comparison: &Comparison, peer: &Peer) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let name = peer.name;
    for era in [Era::Legacy, Era::Modern] {
        let cell = Cell { tool: Tool::LogMeal, synchronous: Synchronous::Full, connections: 32, era };
        let Some((own, other)) = pair(comparison, cell, name) else { continue };
        let era = era.name();
        let calls = own.calls_per_second / other.calls_per_second;
        verdicts.push(Verdict {
            sentence: format!("log_meal, {era}: {calls:.1} × the calls/s of {name} (at least {} ×)", peer.calls),
            met: calls >= peer.calls,
        });
        let cpu = own.cpu_us_per_call / other.cpu_us_per_call;
        verdicts.push(Verdict {
            sentence: format!("log_meal, {era}: {cpu:.3} × the CPU of {name} (at most 1/{})", peer.cpu),
            met: cpu <= 1.0 / peer.cpu,
        });
    }
    verdicts.extend(every_cell(comparison, name));
    verdicts.extend(memory(comparison, name));
    verdicts
}

fn pair<'a>(comparison: &'a Comparison, cell: Cell, peer: &str) -> Option<(&'a Figures, &'a Figures)> {
    let of = |server: &str| comparison.figures.get(&(cell, server.to_owned()));
    Some((of("almanac")?, of(peer)?))
}

fn every_cell(comparison: &Comparison, peer: &str) -> Option<Verdict> {
    let cells: Vec<Cell> =
        comparison.figures.keys().filter(|(_, server)| server == peer).map(|(cell, _)| *cell).collect();
    let pairs: Vec<_> = cells.into_iter().filter_map(|cell| pair(comparison, cell, peer)).collect();
    if pairs.is_empty() {
        return None;
    }
    let better = |(own, other): &&(&Figures, &Figures)| {
        own.calls_per_second > other.calls_per_second && own.p99_us < other.p99_us
    };
    let met = pairs.iter().filter(better).count();
    let sentence = format!("more calls/s and a lower p99 than {peer} in {met} of {} cells (in all)", pairs.len());
    Some(Verdict { sentence, met: met == pairs.len() })
}

fn memory(comparison: &Comparison, peer: &str) -> Option<Verdict> {
    let (own, other) = (comparison.resources.get("almanac")?, comparison.resources.get(peer)?);
    let share = own.highest_kb as f64 / other.highest_kb as f64;
    let sentence = format!("{share:.2} × the highest resident memory of {peer} (at most 1/{MEMORY})");
    Some(Verdict { sentence, met: share <= 1.0 / MEMORY })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::comparison::Resources;

    fn comparison(own: (f64, f64, u64), ts: (f64, f64, u64)) -> Comparison {
        let mut comparison = Comparison::default();
        for (server, (calls_per_second, cpu_us_per_call, highest_kb)) in [("almanac", own), ("ts", ts)] {
            let figures = Figures {
                calls_per_second,
                p50_us: 1.0,
                p99_us: 1e6 / calls_per_second,
                cpu_us_per_call,
                bytes_per_call: 1,
            };
            let cell = Cell { tool: Tool::LogMeal, synchronous: Synchronous::Full, connections: 32, era: Era::Legacy };
            comparison.figures.insert((cell, server.to_owned()), figures);
            let resources = Resources { made_of: String::new(), start: Duration::ZERO, idle_kb: 1, highest_kb };
            comparison.resources.insert(server.to_owned(), resources);
        }
        comparison
    }

    #[test]
    fn a_target_is_met_at_its_limit_and_missed_beyond_it() {
        let met = judge(&comparison((5_000.0, 100.0, 25), (1_000.0, 400.0, 100)));
        assert_eq!(met.len(), 4);
        assert!(met.iter().all(|verdict| verdict.met));
        let missed = judge(&comparison((900.0, 101.0, 26), (1_000.0, 400.0, 100)));
        assert!(missed.iter().all(|verdict| !verdict.met));
    }

    #[test]
    fn a_server_that_was_not_run_is_not_judged() {
        assert!(judge(&Comparison::default()).is_empty());
    }
}
