use std::{
    ffi::OsStr,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

/// A program run for the developer to see: its command line is printed, its output goes through.
pub struct Program {
    command: Command,
    line: String,
}

impl Program {
    pub fn new(program: &str, root: &Path) -> Self {
        let mut command = Command::new(program);
        command.current_dir(root);
        Self { command, line: program.to_owned() }
    }

    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        for arg in args {
            self.line.push(' ');
            self.line.push_str(&arg.as_ref().to_string_lossy());
            self.command.arg(arg);
        }
        self
    }

    pub fn arg(self, arg: impl AsRef<OsStr>) -> Self {
        self.args([arg])
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// `Err` when it cannot be run or does not succeed.
    pub fn run(mut self) -> Result<(), String> {
        println!("$ {}", self.line);
        let status = self.command.stdin(Stdio::null()).status().map_err(|error| format!("{}: {error}", self.line))?;
        if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", self.line)) }
    }

    /// Runs it and keeps the lines of its standard error or output for which `keep` holds; everything is shown.
    pub fn run_keeping(
        mut self,
        of_stderr: bool,
        keep: impl Fn(&str) -> bool + Send + 'static,
    ) -> (Vec<String>, Result<(), String>) {
        println!("$ {}", self.line);
        let piped = if of_stderr { self.command.stderr(Stdio::piped()) } else { self.command.stdout(Stdio::piped()) };
        let mut child = match piped.stdin(Stdio::null()).spawn() {
            Ok(child) => child,
            Err(error) => return (Vec::new(), Err(format!("{}: {error}", self.line))),
        };
        let (sender, lines) = mpsc::channel();
        let (out, err) = (child.stdout.take(), child.stderr.take());
        thread::spawn(move || if of_stderr { pass_on(err, keep, &sender) } else { pass_on(out, keep, &sender) });
        let outcome = match child.wait() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("`{}` failed ({status})", self.line)),
            Err(error) => Err(format!("{}: {error}", self.line)),
        };
        // A process that a failed test left behind may hold the pipe open: its last words are not waited for.
        let kept = std::iter::from_fn(|| lines.recv_timeout(Duration::from_secs(2)).ok()).collect();
        (kept, outcome)
    }

    /// Its standard output.
    pub fn output(mut self) -> Result<String, String> {
        let output = self
            .command
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("{}: {error}", self.line))?;
        if !output.status.success() {
            return Err(format!("`{}` failed ({})", self.line, output.status));
        }
        String::from_utf8(output.stdout).map_err(|error| format!("{}: {error}", self.line))
    }
}

fn pass_on(stream: Option<impl Read>, keep: impl Fn(&str) -> bool, kept: &mpsc::Sender<String>) {
    for line in stream.map(BufReader::new).into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
        println!("{line}");
        if keep(&line) && kept.send(line).is_err() {
            return;
        }
    }
}

/// Where `PATH` has a program.
pub fn found(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(program)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_and_a_process_left_behind_is_not_waited_for() {
        let script = "echo one; echo two; sleep 30 & exit 3";
        let shell = Program::new("sh", Path::new("/")).args(["-c", script]);
        let (kept, outcome) = shell.run_keeping(false, |line| line.starts_with('t'));
        assert_eq!(kept, ["two"]);
        assert!(outcome.unwrap_err().contains("exit status: 3"));
    }
}
