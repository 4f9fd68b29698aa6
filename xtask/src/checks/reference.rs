//! The generated files of `docs/reference`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{program::Program, tests::build};

/// Each file, and the name the binary knows it by.
const FILES: [(&str, &str); 3] = [("openapi.json", "openapi"), ("tools.md", "tools"), ("settings.md", "settings")];

/// Writes every file anew from the binary.
pub fn write(root: &Path) -> Result<(), String> {
    let almanac = built(root)?;
    let folder = root.join("docs/reference");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    for (file, name) in FILES {
        let text = generated(&almanac, name, root)?;
        fs::write(folder.join(file), text).map_err(|error| format!("docs/reference/{file}: {error}"))?;
        println!("wrote docs/reference/{file}");
    }
    Ok(())
}

/// Refuses files that are not what the binary writes now.
pub fn check(root: &Path) -> Result<(), String> {
    let almanac = built(root)?;
    let mut faults = Vec::new();
    for (file, name) in FILES {
        let committed = fs::read_to_string(root.join("docs/reference").join(file)).unwrap_or_default();
        let current = generated(&almanac, name, root)?;
        if let Some(difference) = first_difference(&committed, &current) {
            faults.push(format!("docs/reference/{file}: {difference}; run `cargo xtask docs` and commit it"));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

fn built(root: &Path) -> Result<PathBuf, String> {
    Ok(build(root)?.join("debug/almanac"))
}

fn generated(almanac: &Path, name: &str, root: &Path) -> Result<String, String> {
    Program::new(&almanac.display().to_string(), root).args(["reference", name]).output()
}

fn first_difference(committed: &str, current: &str) -> Option<String> {
    let (mut old, mut new) = (committed.lines(), current.lines());
    for number in 1.. {
        match (old.next(), new.next()) {
            (None, None) => break,
            (old, new) if old == new => {}
            (old, new) => {
                let shown = |line: Option<&str>| line.map_or("the end".to_owned(), |line| format!("`{}`", line.trim()));
                return Some(format!("line {number} is {}, the binary writes {}", shown(old), shown(new)));
            }
        }
    }
    (committed != current).then(|| "line ends differ".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\n  c\n").as_deref(), Some("line 2 is `b`, the binary writes `c`"));
        assert_eq!(first_difference("a\n", "a\nb\n").as_deref(), Some("line 2 is the end, the binary writes `b`"));
        assert_eq!(first_difference("a", "a\n").as_deref(), Some("line ends differ"));
    }
}
