//! Edits of the lists that name things: a line among its like, an entry in a bracketed list.

use std::{
    io::Write,
    process::{Command, Stdio},
};

/// Adds `line` among the lines that start as `like` does, in order; before everything else but the file's own doc
/// comment when there are none.
pub fn with_line(text: &str, like: &str, line: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.contains(&line) {
        return text.to_owned();
    }
    let word = |line: &str| line.trim_start_matches("pub ").to_owned();
    let alike = |candidate: &&str| word(candidate).starts_with(like);
    let at = lines
        .iter()
        .position(|candidate| alike(candidate) && word(candidate) > word(line))
        .or_else(|| lines.iter().rposition(alike).map(|last| last + 1));
    let (at, gap) = match at {
        Some(at) => (at, false),
        None => {
            (lines.iter().position(|line| !line.starts_with("//!") && !line.is_empty()).unwrap_or(lines.len()), true)
        }
    };
    let mut out: Vec<&str> = lines[..at].to_vec();
    out.push(line);
    if gap && at < lines.len() {
        out.push("");
    }
    out.extend(&lines[at..]);
    out.join("\n") + "\n"
}

/// Adds `entry` at the end of the list that `head` opens (`head` ends with `[`). `None`: there is no such list.
pub fn with_entry(text: &str, head: &str, entry: &str) -> Option<String> {
    let start = text.find(head)? + head.len();
    let end = start + closing(&text[start..])?;
    let list = text[start..end].trim_end().trim_end_matches(',');
    if list.split(',').any(|present| present.trim() == entry) {
        return Some(text.to_owned());
    }
    let added = if list.trim().is_empty() { entry.to_owned() } else { format!("{list}, {entry}") };
    Some(format!("{}{added}{}", &text[..start], &text[end..]))
}

/// Where the bracket that is open at the start of `text` closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.char_indices()
        .find(|(_, c)| {
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            depth == 0
        })
        .map(|(at, _)| at)
}

/// The text as rustfmt has it with the settings of the folder we run for.
pub fn formatted(text: &str, root: &std::path::Path) -> Result<String, String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run rustfmt: {error}"))?;
    let mut stdin = child.stdin.take().ok_or("rustfmt takes no input")?;
    stdin.write_all(text.as_bytes()).map_err(|error| format!("rustfmt: {error}"))?;
    drop(stdin);
    let output = child.wait_with_output().map_err(|error| format!("rustfmt: {error}"))?;
    if output.status.success() {
        String::from_utf8(output.stdout).map_err(|error| format!("rustfmt: {error}"))
    } else {
        Err("rustfmt refuses the file".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_among_its_like_in_order() {
        let text = "//! Meals.\n\nmod delete_meal;\npub mod meal;\n\nuse x;\n";
        assert_eq!(
            with_line(text, "mod ", "mod get_meals;"),
            "//! Meals.\n\nmod delete_meal;\nmod get_meals;\npub mod meal;\n\nuse x;\n"
        );
        assert_eq!(
            with_line(text, "mod ", "mod update_meal;"),
            "//! Meals.\n\nmod delete_meal;\npub mod meal;\nmod update_meal;\n\nuse x;\n"
        );
    }

    #[test]
    fn a_first_line_goes_below_the_doc_comment() {
        assert_eq!(with_line("//! Meals.\n\nuse x;\n", "mod ", "mod a;"), "//! Meals.\n\nmod a;\n\nuse x;\n");
    }

    #[test]
    fn an_entry_is_added_once() {
        let head = "OPERATIONS: &[Listed] = &[";
        let once = with_entry("const OPERATIONS: &[Listed] = &[\n    local::<A>,\n];\n", head, "local::<B>").unwrap();
        assert_eq!(once, "const OPERATIONS: &[Listed] = &[\n    local::<A>, local::<B>];\n");
        assert_eq!(with_entry(&once, head, "local::<B>").unwrap(), once);
        assert_eq!(with_entry("fn main() {}", head, "local::<B>"), None);
    }

    #[test]
    fn an_empty_list_takes_its_first_entry() {
        assert_eq!(with_entry("a: &[]", "a: &[", "b").unwrap(), "a: &[b]");
    }
}
