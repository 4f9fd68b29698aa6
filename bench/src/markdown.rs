use std::fs;
use std::path::Path;

use crate::comparison::Comparison;
use crate::error::Error;
use crate::machine::Machine;
use crate::options::Options;
use crate::targets::Verdict;

/// The section of `bench mcp`.
pub fn comparison(options: &Options, machine: &Machine, comparison: &Comparison, verdicts: &[Verdict]) -> String {
    let mut lines = vec![
        "## MCP calls beside two peers".to_owned(),
        String::new(),
        format!("`cargo xtask bench mcp`, {}", machine.describe()),
        format!(
            "{} rounds of {} s per cell and server, in turn; calls/s and latencies are medians of the rounds, CPU is the \
             least of them. Every call is authenticated; each `log_meal` writes another meal.",
            options.rounds,
            options.round.as_secs_f64()
        ),
        String::new(),
    ];
    lines.extend(resources(comparison));
    lines.push(String::new());
    lines.extend(cells(comparison));
    lines.push(String::new());
    lines.extend(verdict_list(verdicts));
    lines.join("\n")
}

/// A list with `met` or `missed` before each sentence.
pub fn verdict_list(verdicts: &[Verdict]) -> Vec<String> {
    let line =
        |verdict: &Verdict| format!("- {}: {}", if verdict.met { "met" } else { "**missed**" }, verdict.sentence);
    verdicts.iter().map(line).collect()
}

fn resources(comparison: &Comparison) -> Vec<String> {
    let mut lines = table(&["server", "made of", "start ms", "resident idle MB", "highest MB"]);
    for name in &comparison.servers {
        if let Some(server) = comparison.resources.get(name) {
            lines.push(format!(
                "| {name} | {} | {} | {:.1} | {:.1} |",
                server.made_of,
                server.start.as_millis(),
                server.idle_kb as f64 / 1024.0,
                server.highest_kb as f64 / 1024.0
            ));
        }
    }
    lines
}

fn cells(comparison: &Comparison) -> Vec<String> {
    let mut lines = table(&[
        "call",
        "synchronous",
        "connections",
        "era",
        "server",
        "calls/s",
        "p50 ms",
        "p99 ms",
        "CPU µs",
        "answer bytes",
    ]);
    for ((cell, server), figures) in &comparison.figures {
        lines.push(format!(
            "| {} | {} | {} | {} | {server} | {:.0} | {:.2} | {:.2} | {:.0} | {} |",
            cell.tool.name(),
            cell.synchronous.name(),
            cell.connections,
            cell.era.name(),
            figures.calls_per_second,
            figures.p50_us / 1000.0,
            figures.p99_us / 1000.0,
            figures.cpu_us_per_call,
            figures.bytes_per_call
        ));
    }
    lines
}

/// The two first lines of a table.
pub fn table(columns: &[&str]) -> Vec<String> {
    vec![format!("| {} |", columns.join(" | ")), format!("|{}", "---|".repeat(columns.len()))]
}

/// Puts `section` in the place of the one between the marks of `name`, or at the end of the file.
pub fn replace_section(path: &Path, name: &str, section: &str) -> Result<(), Error> {
    let before = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "# Performance\n".to_owned(),
        Err(error) => return Err(error.into()),
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, with_section(&before, name, section))?;
    Ok(())
}

fn with_section(text: &str, name: &str, section: &str) -> String {
    let (begin, end) = (format!("<!-- {name}: begin -->"), format!("<!-- {name}: end -->"));
    let block = format!("{begin}\n{}\n{end}", section.trim());
    match (text.find(&begin), text.find(&end)) {
        (Some(from), Some(to)) if from < to => format!("{}{block}{}", &text[..from], &text[to + end.len()..]),
        _ => format!("{}\n\n{block}\n", text.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_in_its_place_and_else_added() {
        let first = with_section("# Performance\n", "a", "one");
        assert_eq!(first, "# Performance\n\n<!-- a: begin -->\none\n<!-- a: end -->\n");
        let second = with_section(&first, "b", "two");
        let replaced = with_section(&second, "a", "three");
        assert_eq!(replaced, second.replace("one", "three"));
        assert!(replaced.ends_with("<!-- b: begin -->\ntwo\n<!-- b: end -->\n"));
    }
}
