use std::{
    path::Path,
    time::{Duration, Instant},
};

use super::{
    soak::SOAK,
    steps::{STEPS, Step},
};

/// What came of one step.
struct Outcome {
    name: &'static str,
    took: Duration,
    result: Result<Vec<String>, String>,
}

/// Everything that must hold before a change is taken, or the steps that `only` names (`tidy,fmt`).
pub fn test(root: &Path, only: Option<&str>) -> Result<(), String> {
    run(root, &STEPS, only)
}

/// What takes longer than a change should wait, or the steps that `only` names.
pub fn soak(root: &Path, only: Option<&str>) -> Result<(), String> {
    run(root, &SOAK, only)
}

/// All chosen steps are run, then `Err` if one failed.
fn run(root: &Path, steps: &'static [Step], only: Option<&str>) -> Result<(), String> {
    let outcomes: Vec<Outcome> = chosen(steps, only)?.into_iter().map(|step| ran(step, root)).collect();
    let failed: Vec<&str> = outcomes.iter().filter(|outcome| outcome.result.is_err()).map(|o| o.name).collect();
    print!("\n{}", summary(&outcomes));
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

fn chosen(steps: &'static [Step], only: Option<&str>) -> Result<Vec<&'static Step>, String> {
    let Some(only) = only else { return Ok(steps.iter().collect()) };
    only.split(',')
        .map(|name| {
            steps.iter().find(|step| step.name == name).ok_or_else(|| {
                let known: Vec<&str> = steps.iter().map(|step| step.name).collect();
                format!("there is no step `{name}`; steps: {}", known.join(", "))
            })
        })
        .collect()
}

#[expect(clippy::disallowed_methods, reason = "measures how long a step took")]
fn ran(step: &Step, root: &Path) -> Outcome {
    println!("\n━━━ {} · {}", step.name, step.what);
    let start = Instant::now();
    let result = (step.run)(root);
    if let Err(fault) = &result {
        println!("{fault}");
    }
    Outcome { name: step.name, took: start.elapsed(), result }
}

fn summary(outcomes: &[Outcome]) -> String {
    let total: Duration = outcomes.iter().map(|outcome| outcome.took).sum();
    let mut text = format!("━━━ summary · {:.0} s\n", total.as_secs_f64());
    for Outcome { name, took, result } in outcomes {
        let mark = if result.is_ok() { "ok    " } else { "FAILED" };
        text += &format!("{mark} {name:<12} {:>7.1} s\n", took.as_secs_f64());
    }
    for outcome in outcomes {
        match &outcome.result {
            Err(fault) => text += &format!("\n{}: {fault}\n", outcome.name),
            Ok(counted) => counted.iter().for_each(|line| text += &format!("{}: {}\n", outcome.name, line.trim())),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_chosen_by_name_and_an_unknown_one_is_refused() {
        let names =
            |only| chosen(&STEPS, Some(only)).map(|steps| steps.iter().map(|step| step.name).collect::<Vec<_>>());
        assert_eq!(names("tidy,fmt").unwrap(), ["tidy", "fmt"]);
        assert!(names("tidy,browser").unwrap_err().contains("no step `browser`"));
    }

    #[test]
    fn the_summary_names_what_failed_and_what_was_counted() {
        let outcome = |name, result| Outcome { name, took: Duration::from_secs(2), result };
        let text = summary(&[
            outcome("unit", Ok(vec!["Summary [1s] 9 tests run: 9 passed".into()])),
            outcome("tidy", Err("2 findings".into())),
        ]);
        assert!(text.contains("ok     unit             2.0 s"), "{text}");
        assert!(text.contains("FAILED tidy"), "{text}");
        assert!(text.contains("unit: Summary [1s] 9 tests run: 9 passed"), "{text}");
        assert!(text.contains("tidy: 2 findings"), "{text}");
    }
}
