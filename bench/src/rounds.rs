use std::sync::Arc;

use calendar::Date;
use serde_json::Value;

use crate::call::{Era, Tool};
use crate::client::Client;
use crate::error::Error;
use crate::load::{self, Load, Measured};
use crate::meal;
use crate::server::{Running, Synchronous};

/// One row of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    pub tool: Tool,
    pub synchronous: Synchronous,
    pub connections: usize,
    pub era: Era,
}

/// One measured round of one server.
pub struct Round {
    pub measured: Measured,
    pub cpu_us_per_call: f64,
}

/// What the rounds of a cell say together.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Median of the rounds, as are the latencies.
    pub calls_per_second: f64,
    pub p50_us: f64,
    pub p99_us: f64,
    /// Least of the rounds: processor time of the server, user and system.
    pub cpu_us_per_call: f64,
    pub bytes_per_call: u64,
}

/// Loads one server and reads the processor time that it took.
pub async fn measure(server: &Running, cell: Cell, load: Load, today: Date) -> Result<Round, Error> {
    let requests = server.requests(cell.tool, cell.era, today)?;
    let before = server.process.cpu_us()?;
    let measured = load::run(&requests, server.port, load, &server.next_meal)
        .await
        .map_err(|error| format!("{} at {} {}: {error}", server.name, cell.era.name(), cell.tool.name()))?;
    let cpu_us = server.process.cpu_us()? - before;
    if measured.calls == 0 {
        return Err(format!("{} answered nothing in time", server.name).into());
    }
    Ok(Round { cpu_us_per_call: cpu_us as f64 / measured.calls as f64, measured })
}

/// The figures of at least one round.
pub fn figures(rounds: &[Round]) -> Figures {
    let median_of = |value: fn(&Round) -> f64| median(rounds.iter().map(value).collect());
    Figures {
        calls_per_second: median_of(|round| round.measured.calls_per_second()),
        p50_us: median_of(|round| round.measured.p50_us.into()),
        p99_us: median_of(|round| round.measured.p99_us.into()),
        cpu_us_per_call: rounds.iter().map(|round| round.cpu_us_per_call).fold(f64::INFINITY, f64::min),
        bytes_per_call: rounds.last().map_or(0, |round| round.measured.bytes_per_call()),
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

/// Writes the meals that `get_meals` lists and checks what each tool answers in both eras.
pub async fn seed_and_prove(server: &Running, today: Date) -> Result<(), Error> {
    let mut client = Client::connect(server.port).await?;
    let seed = server.requests(Tool::LogRecentMeal, Era::Legacy, today)?;
    for number in 0..meal::RECENT {
        client.call(seed.request(number)?).await?;
    }
    for era in [Era::Legacy, Era::Modern] {
        for tool in [Tool::Ping, Tool::GetMeals, Tool::LogMeal] {
            let number = server.next_meal.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let body = client.call(server.requests(tool, era, today)?.request(number)?).await?;
            prove(tool, &serde_json::from_slice(&body)?)
                .map_err(|what| format!("{} answers {} {}: {what}", server.name, era.name(), tool.name()))?;
        }
    }
    Ok(())
}

/// The answer is what the tool promises, once as an object and once as its text.
fn prove(tool: Tool, answer: &Value) -> Result<(), String> {
    let object = &answer["result"]["structuredContent"];
    let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
    let same = serde_json::from_str::<Value>(text).is_ok_and(|parsed| parsed == *object);
    let right = match tool {
        Tool::Ping => object["ok"] == true,
        Tool::GetMeals => object["items"].as_array().is_some_and(|items| items.len() == 50),
        _ => object["id"].is_u64() && object["day_totals"]["kcal"].as_f64().is_some_and(|kcal| kcal > 0.0),
    };
    if same && right { Ok(()) } else { Err(answer.to_string()) }
}

/// Lets just-in-time compilers and caches settle.
pub async fn warm_up(server: &Running, load: Load, today: Date) -> Result<(), Error> {
    for tool in [Tool::Ping, Tool::GetMeals, Tool::LogMeal] {
        for era in [Era::Legacy, Era::Modern] {
            let requests = server.requests(tool, era, today)?;
            load::run(&requests, server.port, load, &Arc::clone(&server.next_meal)).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(calls: u64, p99_us: u32, cpu_us_per_call: f64) -> Round {
        let measured = Measured { calls, seconds: 2.0, p50_us: 1, p99_us, bytes: calls * 10 };
        Round { measured, cpu_us_per_call }
    }

    #[test]
    fn the_median_of_the_rounds_counts_and_the_least_processor_time() {
        let figures = figures(&[round(100, 9, 30.0), round(300, 5, 20.0), round(200, 7, 40.0)]);
        assert_eq!(figures.calls_per_second, 100.0);
        assert_eq!(figures.p99_us, 7.0);
        assert_eq!(figures.cpu_us_per_call, 20.0);
        assert_eq!(figures.bytes_per_call, 10);
        assert_eq!(median(vec![1.0, 4.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn an_answer_whose_halves_differ_is_no_proof() {
        let answer = |text: &str| {
            serde_json::json!({"result": {"content": [{"type": "text", "text": text}],
            "structuredContent": {"ok": true}}})
        };
        assert!(prove(Tool::Ping, &answer(r#"{"ok":true}"#)).is_ok());
        assert!(prove(Tool::Ping, &answer("{}")).is_err());
        assert!(prove(Tool::GetMeals, &answer(r#"{"ok":true}"#)).is_err());
    }
}
