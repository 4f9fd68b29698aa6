use std::fs;

use crate::error::Error;

/// One tick of `/proc/<pid>/stat` on Linux.
const TICK_US: u64 = 10_000;

/// A process and all that it started, as `/proc` shows them.
#[derive(Clone, Copy)]
pub struct ProcessTree(pub u32);

impl ProcessTree {
    /// Processor time used so far, user and system, in microseconds, ended children included.
    pub fn cpu_us(self) -> Result<u64, Error> {
        let mut ticks = 0;
        for pid in self.pids() {
            ticks += ticks_in(&fs::read_to_string(format!("/proc/{pid}/stat"))?)?;
        }
        Ok(ticks * TICK_US)
    }

    /// Memory that is resident now, in kB.
    pub fn resident_kb(self) -> Result<u64, Error> {
        self.status_kb("VmRSS:")
    }

    /// The most that was ever resident, in kB.
    pub fn highest_kb(self) -> Result<u64, Error> {
        self.status_kb("VmHWM:")
    }

    fn status_kb(self, line: &str) -> Result<u64, Error> {
        let mut sum = 0;
        for pid in self.pids() {
            sum += kb_in(&fs::read_to_string(format!("/proc/{pid}/status"))?, line)
                .ok_or_else(|| format!("/proc/{pid}/status has no {line}"))?;
        }
        Ok(sum)
    }

    fn pids(self) -> Vec<u32> {
        let mut pids = vec![self.0];
        let mut next = 0;
        while let Some(&pid) = pids.get(next) {
            pids.extend(children(pid));
            next += 1;
        }
        pids
    }
}

/// Processes that the threads of `pid` started and that still run; none when it has ended meanwhile.
fn children(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

/// utime + stime + cutime + cstime, fields 14 to 17; the name in field 2 may hold spaces.
fn ticks_in(stat: &str) -> Result<u64, Error> {
    let (_, fields) = stat.rsplit_once(')').ok_or("a line of /proc/<pid>/stat without a name")?;
    let ticks: Vec<u64> = fields.split_whitespace().skip(11).take(4).map(str::parse).collect::<Result<_, _>>()?;
    Ok(ticks.iter().sum())
}

fn kb_in(status: &str, line: &str) -> Option<u64> {
    let value = status.lines().find_map(|text| text.strip_prefix(line))?;
    value.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_counts_ended_children_and_any_name() {
        let stat = "42 (a) b) S 1 42 42 0 -1 4194560 900 80 0 0 11 7 5 3 20 0 4 0 100 1000 200";
        assert_eq!(ticks_in(stat).unwrap(), 26);
        assert!(ticks_in("").is_err());
    }

    #[test]
    fn memory_is_read_in_kilobytes() {
        assert_eq!(kb_in("Name:\tx\nVmRSS:\t   1234 kB\n", "VmRSS:"), Some(1234));
        assert_eq!(kb_in("Name:\tx\n", "VmRSS:"), None);
    }

    #[test]
    fn this_process_uses_memory_and_its_children_are_found() {
        let own = ProcessTree(std::process::id());
        assert!(own.resident_kb().unwrap() > 1_000);
        assert!(own.highest_kb().unwrap() >= own.resident_kb().unwrap() / 2);
        let mut child = std::process::Command::new("sleep").arg("5").spawn().unwrap();
        assert!(own.pids().contains(&child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
