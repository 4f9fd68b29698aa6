use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{
    Connection,
    backup::{Backup, StepResult},
};

use crate::fault::{Fault, FaultKind};

/// What `restore` adds to every id counter: ids given since the backup was made are not given again.
const ID_LEAP: i64 = 1_000_000;

const BUSY_PAUSE: Duration = Duration::from_millis(20);

/// Makes an empty file that only its owner can read, as SQLite's logs beside it then are too; one that exists stays as
/// it is.
pub(crate) fn create_private(path: &Path) -> Result<(), Fault> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(cause) if cause.kind() != ErrorKind::AlreadyExists => {
            Err(Fault::unavailable(format!("{}: {cause}", path.display())))
        }
        _ => Ok(()),
    }
}

/// Copies the database as it stands to `to`; the file appears under its name only when it is whole and on disk.
pub(crate) fn backup(from: &Connection, to: &Path) -> Result<(), Fault> {
    let part = beside(to, ".part");
    remove_if_there(&part)?;
    copy(from, &part)?;
    put_in_place(&part, to)
}

fn copy(from: &Connection, to: &Path) -> Result<(), Fault> {
    create_private(to)?;
    let mut copy = Connection::open(to)?;
    let backup = Backup::new(from, &mut copy)?;
    // All pages in one step, which is one read transaction: writers go on meanwhile.
    while !matches!(backup.step(-1)?, StepResult::Done) {
        std::thread::sleep(BUSY_PAUSE);
    }
    drop(backup);
    // One file, without a log beside it, until it is opened again.
    copy.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
    copy.close().map_err(|(_, cause)| cause)?;
    Ok(())
}

/// `almanac.db` → `almanac.db.before-7`: the database as it was after its first 7 migrations.
pub(crate) fn backup_before_migration(from: &Connection, path: &Path, migrations: usize) -> Result<(), Fault> {
    let mut to = beside(path, &format!(".before-{}", migrations + 1));
    for again in 2.. {
        if !to.exists() {
            break;
        }
        to = beside(path, &format!(".before-{}-{again}", migrations + 1));
    }
    tracing::info!(file = %to.display(), "writing a backup before migrating");
    backup(from, &to)
}

/// Puts the backup `from` in place of the database `to`, which nobody may have open.
pub(crate) fn restore(from: &Path, to: &Path) -> Result<(), Fault> {
    if !from.is_file() {
        return Err(Fault::unavailable(format!("{} is no file", from.display())));
    }
    let part = beside(to, ".part");
    remove_if_there(&part)?;
    let source = Connection::open_with_flags(from, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    copy(&source, &part)?;
    drop(source);
    let copy = Connection::open(&part)?;
    let problems = problems(&copy)?;
    if let Some(problem) = problems.first() {
        return Err(Fault::unavailable(format!("{} is damaged: {problem}", from.display())));
    }
    if !copy.table_exists(None, "id_block")? {
        return Err(Fault::unavailable(format!("{} is no backup of Almanac", from.display())));
    }
    copy.execute("UPDATE id_block SET next = next + ?1", [ID_LEAP])?;
    copy.close().map_err(|(_, cause)| cause)?;
    must_be_idle(to)?;
    put_in_place(&part, to)
}

/// Leaving WAL needs every other connection gone; it also folds the log into the file.
fn must_be_idle(path: &Path) -> Result<(), Fault> {
    if !path.exists() {
        return Ok(());
    }
    let open = Connection::open(path)?;
    open.busy_timeout(Duration::from_millis(200))?;
    let mode = open.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get::<_, String>(0));
    match mode.map_err(Fault::from) {
        Ok(mode) if mode != "delete" => Err(in_use(path)),
        Err(fault) if fault.kind == FaultKind::Contended => Err(in_use(path)),
        // A damaged database is a reason to restore one.
        _ => Ok(()),
    }
}

fn in_use(path: &Path) -> Fault {
    Fault::unavailable(format!("{} is in use; stop the server first", path.display()))
}

/// What is wrong with the database; empty when nothing is.
pub(crate) fn problems(connection: &Connection) -> Result<Vec<String>, Fault> {
    let mut check = connection.prepare("PRAGMA quick_check")?;
    let found = check.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    let mut problems: Vec<String> = found.into_iter().filter(|line| line != "ok").collect();
    let mut check = connection.prepare("SELECT DISTINCT \"table\", parent FROM pragma_foreign_key_check")?;
    let mut rows = check.query([])?;
    while let Some(row) = rows.next()? {
        let (child, parent): (String, String) = (row.get(0)?, row.get(1)?);
        problems.push(format!("a row of {child} refers to no row of {parent}"));
    }
    Ok(problems)
}

fn put_in_place(part: &Path, to: &Path) -> Result<(), Fault> {
    let failed = |cause: std::io::Error| Fault::unavailable(format!("{}: {cause}", to.display()));
    File::open(part).and_then(|file| file.sync_all()).map_err(failed)?;
    for log in ["-wal", "-shm"] {
        remove_if_there(&beside(to, log))?;
    }
    fs::rename(part, to).map_err(failed)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

fn remove_if_there(path: &Path) -> Result<(), Fault> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != ErrorKind::NotFound => {
            Err(Fault::unavailable(format!("{}: {cause}", path.display())))
        }
        _ => Ok(()),
    }
}
