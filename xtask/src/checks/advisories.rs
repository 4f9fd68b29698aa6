use std::path::Path;

use super::program::{Program, found};

/// Known faults of dependencies, where `cargo audit` is installed and reaches its database; says so where not.
pub fn check(root: &Path) -> Result<(), String> {
    if found("cargo-audit").is_none() {
        println!("not checked here: cargo-audit is not installed (cargo install cargo-audit)");
        return Ok(());
    }
    let fetched = Program::new("cargo", root).args(["audit", "--quiet", "--json"]).output();
    match fetched {
        Ok(_) => Ok(()),
        Err(_) => Program::new("cargo", root).args(["audit"]).run(),
    }
}
