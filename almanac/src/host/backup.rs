use std::path::{Path, PathBuf};

use cli::Complaint;
use serde_json::{Value, json};
use storage::{DatabaseUrl, Storage};

use crate::{
    config::Settings,
    house::{self, misconfigured},
};

/// `almanac backup FILE`: copies the database as it stands, also while it is served.
pub async fn backup(settings: &Settings, file: &Path) -> Result<Value, Complaint> {
    sqlite_file(settings, "backed up with pg_dump")?;
    if file.exists() {
        let message = format!("{} is there already; a backup overwrites nothing.", file.display());
        return Err(Complaint::of("file_exists", &message, 6));
    }
    let engine = house::open(settings, &house::base_url(settings)).await?;
    let copied = engine.storage().backup(file).await;
    house::close(engine).await;
    copied.map_err(|error| Complaint::of("unavailable", &error.to_string(), 1))?;
    Ok(json!({
        "file": file.display().to_string(),
        "summary": "The database alone. Tokens in it keep working; there is no key file to keep beside it.",
    }))
}

/// `almanac restore FILE`: puts a backup in the place of the database, which nobody may have open.
pub async fn restore(settings: &Settings, file: &Path) -> Result<Value, Complaint> {
    let database = sqlite_file(settings, "restored with pg_restore")?;
    house::make_folder_of(&database)?;
    let (from, to) = (file.to_owned(), database.clone());
    let restored = tokio::task::spawn_blocking(move || Storage::restore(&from, &to)).await;
    let restored = restored.map_err(|error| Complaint::of("internal", &error.to_string(), 1))?;
    restored.map_err(|error| Complaint::of("unavailable", &error.to_string(), 1))?;
    Ok(json!({
        "database": database.display().to_string(),
        "summary": format!("Restored from {}. Numbers given since the backup are not given again.", file.display()),
    }))
}

fn sqlite_file(settings: &Settings, otherwise: &str) -> Result<PathBuf, Complaint> {
    match settings.database_url().map_err(|sentence| misconfigured(&sentence))? {
        DatabaseUrl::Sqlite(path) => Ok(path),
        DatabaseUrl::Postgres(_) => Err(misconfigured(&format!("A PostgreSQL database is {otherwise}."))),
    }
}
