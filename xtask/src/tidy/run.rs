use std::path::Path;

use super::{contents, imports, length, lock_files, names, operations, sql, tree, unfinished};
use crate::metadata;

/// Checks the repository at `root` against every rule; `Err` lists what breaks one.
pub fn run(root: &Path) -> Result<(), String> {
    let files = tree::files(root)?;
    let packages = metadata::packages(root, None)?;
    let mut findings = imports::check(&packages);
    for file in &files {
        findings.extend(contents::check(file));
        findings.extend(length::check(file));
        findings.extend(lock_files::check(file));
        findings.extend(names::check(file));
        findings.extend(sql::check(file));
        findings.extend(unfinished::check(file, root));
    }
    findings.extend(operations::check(&files));
    println!("{}", length::report(&files));
    if findings.is_empty() {
        println!("tidy: {} files, nothing to say", files.len());
        Ok(())
    } else {
        Err(format!("{}\n{} findings", findings.join("\n"), findings.len()))
    }
}
