use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use crate::error::Error;

/// More waiting work per core than this before the start, and the figures gate nothing.
const BUSY: f64 = 1.5;

/// Where and when the figures were taken.
pub struct Machine {
    pub cpu: String,
    pub cores: usize,
    pub memory_gb: u64,
    pub kernel: String,
    /// Load average of the minute before the start.
    pub load: f64,
    /// Median time of a 4 kB append with `fdatasync`, in microseconds.
    pub sync_us: u64,
}

impl Machine {
    pub fn look(work: &Path) -> Result<Self, Error> {
        let cpu_info = fs::read_to_string("/proc/cpuinfo")?;
        let memory = fs::read_to_string("/proc/meminfo")?;
        let total_kb: u64 = value_of(&memory, "MemTotal").unwrap_or("0").trim_end_matches(" kB").parse()?;
        let load = fs::read_to_string("/proc/loadavg")?;
        Ok(Self {
            cpu: value_of(&cpu_info, "model name").unwrap_or("unknown processor").to_owned(),
            cores: std::thread::available_parallelism()?.get(),
            memory_gb: total_kb.div_ceil(1 << 20),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease")?.trim().to_owned(),
            load: load.split(' ').next().unwrap_or("0").parse()?,
            sync_us: sync_us(work)?,
        })
    }

    pub fn was_busy(&self) -> bool {
        self.load > BUSY * self.cores as f64
    }

    /// One sentence for the report.
    pub fn describe(&self) -> String {
        let busy =
            if self.was_busy() { " The machine was busy before the start: the figures gate nothing." } else { "" };
        format!(
            "{} × {}, {} GB, Linux {}; a 4 kB append with fdatasync takes {} µs; load average before the start {:.2}.{busy}",
            self.cores, self.cpu, self.memory_gb, self.kernel, self.sync_us, self.load
        )
    }
}

fn value_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once(':').map(|(_, value)| value.trim())
}

fn sync_us(work: &Path) -> Result<u64, Error> {
    fs::create_dir_all(work)?;
    let path = work.join("sync-probe");
    let mut file = File::create(&path)?;
    let mut times = Vec::new();
    for _ in 0..51 {
        let started = Instant::now();
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
        times.push(started.elapsed().as_micros() as u64);
    }
    fs::remove_file(path)?;
    times.sort_unstable();
    Ok(times[times.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(load: f64) -> Machine {
        Machine { cpu: "x".into(), cores: 2, memory_gb: 1, kernel: "6".into(), load, sync_us: 1 }
    }

    #[test]
    fn a_busy_machine_says_so() {
        assert!(!machine(3.0).was_busy());
        assert!(machine(3.01).was_busy());
        assert!(machine(3.01).describe().contains("gate nothing"));
    }

    #[test]
    fn a_value_is_found_by_its_name() {
        assert_eq!(value_of("a : 1\nmodel name\t: Fast CPU\n", "model name"), Some("Fast CPU"));
    }
}
