use std::{path::Path, process::Command};

use super::program::{Program, found};

/// Installs Debian packages, where root may; otherwise `Err` names them.
pub fn install(packages: &[&str], root: &Path) -> Result<(), String> {
    if !is_root() || found("apt-get").is_none() {
        return Err(format!("missing: install the Debian packages {0} (apt-get install {0})", packages.join(" ")));
    }
    let apt = || Program::new("apt-get", root).env("DEBIAN_FRONTEND", "noninteractive");
    apt().args(["update", "-qq"]).run()?;
    apt().args(["install", "-qq", "-y", "--no-install-recommends"]).args(packages).run()
}

pub fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
