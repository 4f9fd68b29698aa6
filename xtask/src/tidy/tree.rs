use std::{fs, path::Path, process::Command};

/// A text file of the repository.
#[derive(Debug, Clone)]
pub struct File {
    /// Below the root, `/` between its parts.
    pub path: String,
    pub text: String,
}

impl File {
    #[cfg(test)]
    pub fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// `log_meal` of `domains/journal/src/meals/log_meal.rs`.
    pub fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.split_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Whether it lists what lies beside or below it. Below `tests/`, `mod.rs` may be all there is.
    pub fn is_contents(&self) -> bool {
        self.path.contains("/src/") && (self.path.ends_with("/mod.rs") || self.path.ends_with("/src/lib.rs"))
    }

    /// The lines with their numbers, from 1.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    pub fn finding(&self, line: usize, rule: &str) -> String {
        format!("{}:{line}: {rule}", self.path)
    }
}

/// Every text file that git knows or would take.
pub fn files(root: &Path) -> Result<Vec<File>, String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cannot run git: {error}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut files: Vec<File> = names
        .split('\0')
        .filter(|name| !name.is_empty())
        .filter_map(|name| fs::read_to_string(root.join(name)).ok().map(|text| File { path: name.to_owned(), text }))
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    Ok(files)
}
