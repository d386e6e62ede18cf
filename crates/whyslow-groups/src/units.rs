//! The containers and services that run now.
//!
//! A service may show only in the hierarchy of systemd itself (version 1), so all lines of `/proc/PID/cgroup` count.

use std::fs;

use whyslow_model::{NotOne, Unit, WantedUnit};

/// The units that have processes, each with their pids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunningUnits(Vec<(Unit, Vec<u32>)>);

impl RunningUnits {
    /// Looks at all processes.
    pub fn now() -> Self {
        let mut found = Self::default();
        let entries = fs::read_dir("/proc").into_iter().flatten();
        for entry in entries.filter_map(Result::ok) {
            let pid = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok());
            if let Some(pid) = pid {
                // It may have ended meanwhile.
                let text = fs::read_to_string(entry.path().join("cgroup"));
                found.add(pid, &text.unwrap_or_default());
            }
        }
        found
    }

    /// Adds a process whose `/proc/PID/cgroup` is `text`.
    pub(crate) fn add(&mut self, pid: u32, text: &str) {
        let paths = text.lines().filter_map(|line| line.splitn(3, ':').nth(2));
        for unit in paths.flat_map(Unit::all_of) {
            match self.0.iter_mut().find(|(known, _)| known.is(&unit)) {
                Some((_, pids)) if pids.last() == Some(&pid) => {}
                Some((_, pids)) => pids.push(pid),
                None => self.0.push((unit, vec![pid])),
            }
        }
    }

    /// Returns the one unit that is meant.
    ///
    /// # Errors
    /// When none is, or several are.
    pub fn find(&self, wanted: WantedUnit<'_>) -> Result<&Unit, NotOne> {
        wanted.among(self.0.iter().map(|(unit, _)| unit))
    }

    /// Returns the processes of a unit.
    pub fn processes_of(&self, unit: &Unit) -> &[u32] {
        let mut all = self.0.iter();
        let found = all.find(|(known, _)| known.is(unit));
        found.map_or(&[], |(_, pids)| pids)
    }
}

#[cfg(test)]
mod tests;
