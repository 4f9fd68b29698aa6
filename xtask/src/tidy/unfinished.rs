//! Nothing half done, and nothing of the machine it was written on.

use std::path::Path;

use super::tree::File;

/// In code: what a test run would not notice.
const CODE: [(&str, &str); 5] = [
    ("todo!(", "is not done"),
    ("unimplemented!(", "is not done"),
    ("dbg!(", "prints for its author only"),
    ("#[ignore", "a test that does not run tests nothing"),
    ("has no logic yet", "is not written yet"),
];

/// Anywhere: notes to oneself, and the words of the template of an operation.
const TEXT: [(&str, &str); 4] = [
    ("TODO", "belongs into an issue"),
    ("FIXME", "belongs into an issue"),
    ("XXX", "belongs into an issue"),
    ("Says in one sentence what a caller gets", "say it"),
];

/// The rules and their tests name what they look for; so does the template.
fn is_about_it(path: &str) -> bool {
    path.starts_with("xtask/src/tidy/") || path.starts_with("xtask/src/scaffold/")
}

pub fn check(file: &File, root: &Path) -> Vec<String> {
    if is_about_it(&file.path) {
        return Vec::new();
    }
    let code: &[(&str, &str)] = if file.is_rust() { &CODE } else { &[] };
    let machine = machine_path(root);
    let mut findings = Vec::new();
    for (number, line) in file.lines() {
        let hits = code.iter().chain(&TEXT).filter(|(text, _)| holds(line, text));
        findings
            .extend(hits.map(|(text, why)| file.finding(number, &format!("`{}` {why}", text.trim_end_matches('(')))));
        if machine.as_ref().is_some_and(|path| line.contains(path.as_str())) {
            findings.push(file.finding(number, "names a folder of the machine it was written on"));
        }
    }
    findings
}

/// Whether `line` holds `text` as words of its own (`XXX`, not `XXXL`).
fn holds(line: &str, text: &str) -> bool {
    line.match_indices(text).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + text.len()..].chars().next();
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !word(before) && (!word(after) || text.ends_with(['(', 'e']))
    })
}

/// The folder that holds the checkout, where it is none that every machine has.
fn machine_path(root: &Path) -> Option<String> {
    let parent = root.parent()?.to_str()?;
    let everywhere = ["/", "/tmp", "/root", "/home", "/opt", "/srv", "/usr/src", "/var/tmp", "/builds"];
    (!everywhere.contains(&parent)).then(|| format!("{parent}/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&File::new(path, text), Path::new("/home/ada/almanac")).len()
    }

    #[test]
    fn unfinished_code_and_notes_to_oneself_are_found() {
        assert_eq!(found("a.rs", "todo!()\nunimplemented!(\"x\")\n#[ignore = \"slow\"]\n// TODO: more\n"), 4);
        assert_eq!(found("README.md", "FIXME\n"), 1);
    }

    #[test]
    fn words_that_only_look_like_it_are_not() {
        assert_eq!(found("a.rs", "let size = \"XXXL\"; // METODOLOGIA\n"), 0);
        assert_eq!(found("README.md", "`todo!()` is refused\n"), 0);
    }

    #[test]
    fn the_folder_of_the_checkout_is_no_part_of_the_repository() {
        assert_eq!(found("a.sh", "cd /home/ada/almanac\n"), 1);
        assert_eq!(check(&File::new("a.sh", "/tmp/x"), Path::new("/tmp/almanac")).len(), 0);
    }
}
