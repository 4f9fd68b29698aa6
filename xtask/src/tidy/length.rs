//! Files stay short enough to read at once.

use super::tree::File;

/// Lines that no source file may exceed.
const LIMIT: usize = 600;
/// Lines that nine of ten source files stay within.
const USUAL: usize = 250;

fn is_source(file: &File) -> bool {
    [".rs", ".py", ".mjs", ".sh", ".sql"].iter().any(|end| file.path.ends_with(end))
}

pub fn check(file: &File) -> Option<String> {
    let lines = file.text.lines().count();
    (is_source(file) && lines > LIMIT).then(|| format!("{}: {lines} lines; {LIMIT} is the most", file.path))
}

/// One line on how long the Rust files are: median, p90, longest.
pub fn report(files: &[File]) -> String {
    let mut lengths: Vec<(usize, &str)> = files
        .iter()
        .filter(|file| file.is_rust())
        .map(|file| (file.text.lines().count(), file.path.as_str()))
        .collect();
    lengths.sort_unstable();
    let at = |share: usize| lengths.get(lengths.len().saturating_sub(1) * share / 100).map_or(0, |(lines, _)| *lines);
    let longest = lengths.last().map_or(String::new(), |(lines, path)| format!("{lines} ({path})"));
    format!("{} Rust files: median {} lines, p90 {} (aim: {USUAL}), longest {longest}", lengths.len(), at(50), at(90))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_file_beyond_the_limit_is_found() {
        assert!(check(&File::new("a.rs", &"\n".repeat(LIMIT))).is_none());
        assert!(check(&File::new("a.rs", &"\n".repeat(LIMIT + 1))).is_some());
        assert!(check(&File::new("docs/reference/openapi.json", &"\n".repeat(LIMIT + 1))).is_none());
    }

    #[test]
    fn the_report_has_the_ninetieth_percentile() {
        let files: Vec<File> = (1..=11).map(|n| File::new(&format!("{n}.rs"), &"\n".repeat(n))).collect();
        assert_eq!(report(&files), "11 Rust files: median 6 lines, p90 10 (aim: 250), longest 11 (11.rs)");
    }
}
