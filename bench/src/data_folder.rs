use std::path::{Path, PathBuf};

use crate::error::Error;

/// The databases of one run; the folder goes with this value, also when the run fails. Servers that write into it must
/// have ended before, so it is made before them.
pub struct DataFolder(PathBuf);

impl DataFolder {
    pub fn make(work: &Path) -> Result<Self, Error> {
        let path = work.join(format!("data-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for DataFolder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            eprintln!("bench: {} stays behind: {error}", self.0.display());
        }
    }
}
