use std::{
    ffi::OsString,
    fs::{self, File},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use super::{debian, program::found};

/// A PostgreSQL server of our own on a free port of this machine, with its data in a new folder. It is stopped and
/// its data removed when this is dropped.
pub struct Postgres {
    server: Child,
    binaries: PathBuf,
    data: PathBuf,
    port: u16,
}

/// What the server says, in its data folder.
const LOG: &str = "server.log";

impl Postgres {
    /// Starts a server, durable as in earnest (fsync on). Installs PostgreSQL when it is missing and root may.
    pub fn start(root: &Path) -> Result<Self, String> {
        let binaries = match binaries() {
            Some(binaries) => binaries,
            None => {
                debian::install(&["postgresql"], root)?;
                binaries().ok_or("the package postgresql brought no initdb")?
            }
        };
        let data = std::env::temp_dir().join(format!("almanac-postgres-{}", std::process::id()));
        let _ = fs::remove_dir_all(&data);
        fs::create_dir_all(&data).map_err(|error| format!("{}: {error}", data.display()))?;
        if debian::is_root() {
            done(Command::new("chown").arg("postgres:").arg(&data))?;
        }
        let initdb = ["--username=almanac", "--auth=trust", "--encoding=UTF8", "--locale=C", "--pgdata"];
        done(as_server_user(&binaries.join("initdb")).args(initdb).arg(&data))?;
        let port = free_port()?;
        let log = File::create(data.join(LOG)).map_err(|error| format!("{}: {error}", data.display()))?;
        let server = as_server_user(&binaries.join("postgres"))
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(&data)
            .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=400"])
            .args(["-c", "log_min_messages=fatal", "-c", "fsync=on"])
            .stdin(Stdio::null())
            .stderr(log)
            .spawn()
            .map_err(|error| format!("cannot start postgres: {error}"))?;
        let mut started = Self { server, binaries, data, port };
        started.wait_until_ready()?;
        Ok(started)
    }

    /// For `ALMANAC_TEST_POSTGRES`: a superuser's URL, whose server the tests make their databases in.
    pub fn url(&self) -> String {
        format!("postgres://almanac@127.0.0.1:{}/postgres", self.port)
    }

    /// `PATH` with `psql` of this server's version behind what is there.
    pub fn path_with_clients(&self) -> OsString {
        let mut path = std::env::var_os("PATH").unwrap_or_default();
        path.push(":");
        path.push(&self.binaries);
        path
    }

    fn wait_until_ready(&mut self) -> Result<(), String> {
        for _ in 0..300 {
            if let Ok(Some(status)) = self.server.try_wait() {
                let said = fs::read_to_string(self.data.join(LOG)).unwrap_or_default();
                return Err(format!("postgres ended at once ({status}): {said}"));
            }
            let ready = Command::new(self.binaries.join("pg_isready"))
                .args(["-q", "-h", "127.0.0.1", "-U", "almanac", "-p", &self.port.to_string()])
                .status();
            if ready.is_ok_and(|status| status.success()) {
                return Ok(());
            }
            sleep(Duration::from_millis(100));
        }
        Err("postgres was not ready after 30 s".to_owned())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let stopped = as_server_user(&self.binaries.join("pg_ctl"))
            .args(["stop", "--silent", "--mode=immediate", "--pgdata"])
            .arg(&self.data)
            .status();
        if !stopped.is_ok_and(|status| status.success()) {
            let _ = self.server.kill();
        }
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.data);
    }
}

/// The folder of the server's programs: that of `initdb` on `PATH`, else Debian's newest.
fn binaries() -> Option<PathBuf> {
    let on_path = found("initdb").and_then(|initdb| Some(fs::canonicalize(initdb).ok()?.parent()?.to_path_buf()));
    on_path.filter(|folder| is_complete(folder)).or_else(newest_of_debian)
}

fn newest_of_debian() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let numbered =
        |entry: fs::DirEntry| Some((entry.file_name().to_str()?.parse::<u32>().ok()?, entry.path().join("bin")));
    let folders = versions.filter_map(Result::ok).filter_map(numbered).filter(|(_, folder)| is_complete(folder));
    folders.max().map(|(_, folder)| folder)
}

fn is_complete(folder: &Path) -> bool {
    ["initdb", "postgres", "pg_ctl", "pg_isready"].iter().all(|program| folder.join(program).is_file())
}

/// PostgreSQL refuses to run as root: then it runs as the package's own user, and ends when we do.
fn as_server_user(program: &Path) -> Command {
    if !debian::is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--init-groups", "--pdeathsig=INT", "--"]).arg(program);
    command.current_dir("/");
    command
}

fn done(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

fn free_port() -> Result<u16, String> {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|error| format!("no free port: {error}"))
}
