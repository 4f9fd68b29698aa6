//! Where the data lies.

use std::path::PathBuf;

use storage::DatabaseUrl;

use super::Settings;

impl Settings {
    /// The data folder. `Err` when neither it nor a home folder is known.
    pub fn data_folder(&self) -> Result<PathBuf, String> {
        let folder = self.data.clone().or_else(data_folder);
        folder.ok_or_else(|| "No data folder is known; name one with --data or ALMANAC_DATA.".into())
    }

    /// The database, in the data folder unless told otherwise.
    pub fn database_url(&self) -> Result<DatabaseUrl, String> {
        match &self.database {
            Some(text) => {
                text.parse().map_err(|error: storage::Error| format!("The database setting cannot be used: {error}."))
            }
            None => Ok(DatabaseUrl::Sqlite(self.data_folder()?.join("almanac.db"))),
        }
    }
}

/// `almanac` in the platform's folder for data.
pub(super) fn data_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let platform = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    platform.map(|platform| platform.join("almanac"))
}
