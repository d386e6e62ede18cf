//! Where the groups are, and who is in them.
//!
//! Only groups with a limit are read, and the roots, which represent the machine: on most machines all
//! others have nothing to report.

use std::path::{Path, PathBuf};

use rustix::time::{ClockId, clock_gettime};
use whyslow_perfdata::whyslow_events::{GroupKind, GroupMember, GroupReading};
use whyslow_proc::mountinfo;

use crate::figures;

/// Most directories that one round looks at.
const MOST_GROUPS: usize = 4096;
/// Deepest nesting that is looked at.
const MOST_DEPTH: usize = 24;

/// A tree of groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hierarchy {
    kind: GroupKind,
    /// As the kernel numbers them; 0 is version 2.
    number: u32,
    mount: PathBuf,
}

/// The readings of groups, and how much was left out.
#[derive(Clone, Debug, Default)]
pub struct GroupReadings {
    /// In order of time.
    pub readings: Vec<GroupReading>,
    /// Times that a tree had more groups than are looked at.
    pub cut_looks: u64,
    /// Times that were left out, because there are too many readings.
    pub left_out: u64,
}

/// All trees of groups that limit CPU time or memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchies(Vec<Hierarchy>);

impl Hierarchies {
    /// Finds out what is mounted.
    pub fn find() -> Self {
        let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let mounts = mountinfo::of_process(std::process::id());
        let mut found = Self::parse(&mounts, &text("/proc/self/cgroup"));
        // Beside version 1, version 2 often has no resources left to limit.
        found.0.retain(|hierarchy| {
            let controllers = hierarchy.mount.join("cgroup.controllers");
            let controllers = std::fs::read_to_string(controllers).unwrap_or_default();
            let limits = |name: &str| ["cpu", "memory"].contains(&name);
            hierarchy.kind != GroupKind::Unified || controllers.split_whitespace().any(limits)
        });
        found
    }

    /// Reads `/proc/PID/mountinfo` and `/proc/PID/cgroup`.
    fn parse(mounts: &str, own: &str) -> Self {
        let mut found = Self::default();
        for mount in mountinfo::mounts(mounts) {
            let place = unescape(mount.at);
            let controllers = || mount.options.split(',');
            let kinds: &[(GroupKind, &str)] = match mount.kind {
                "cgroup2" => &[(GroupKind::Unified, "")],
                "cgroup" => &[(GroupKind::Cpu, "cpu"), (GroupKind::Memory, "memory")],
                _ => &[],
            };
            for &(kind, controller) in kinds {
                let is_new = found.0.iter().all(|known| known.kind != kind);
                let is_of = controller.is_empty() || controllers().any(|one| one == controller);
                let number = number_of(own, controller);
                if let Some(number) = number.filter(|_| is_new && is_of) {
                    found.0.push(Hierarchy {
                        kind,
                        number,
                        mount: place.clone(),
                    });
                }
            }
        }
        found
    }

    /// The groups that a process is in now.
    pub fn members(&self, pid: u32) -> Vec<GroupMember> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap_or_default();
        self.members_in(pid, &text)
    }

    fn members_in(&self, pid: u32, text: &str) -> Vec<GroupMember> {
        let of = |hierarchy: &Hierarchy| {
            let mut lines = text.lines().filter_map(|line| line.split_once(':'));
            let (_, rest) = lines.find(|(number, _)| number.parse() == Ok(hierarchy.number))?;
            let (_, path) = rest.split_once(':')?;
            Some(GroupMember {
                pid,
                kind: hierarchy.kind,
                hierarchy: hierarchy.number,
                path: path.as_bytes().to_vec(),
            })
        };
        self.0.iter().filter_map(of).collect()
    }

    /// Reads the figures of the roots and of all groups with a limit.
    pub fn read(&self) -> GroupReadings {
        let mut found = GroupReadings::default();
        let readings = &mut found.readings;
        for (number, hierarchy) in self.0.iter().enumerate() {
            let mut figures = figures::read(&hierarchy.mount, hierarchy.kind);
            if number == 0 {
                figures.extend(figures::of_machine());
            }
            readings.push(hierarchy.reading(b"/".to_vec(), figures));
            let (directories, is_cut) = directories(&hierarchy.mount, MOST_GROUPS);
            found.cut_looks += u64::from(is_cut);
            for path in directories {
                let figures = figures::read(&hierarchy.mount.join(&path), hierarchy.kind);
                if figures.iter().any(|(figure, _)| figures::is_limit(*figure)) {
                    let path = Path::new("/").join(&path);
                    readings.push(
                        hierarchy.reading(path.into_os_string().into_encoded_bytes(), figures),
                    );
                }
            }
        }
        found
    }
}

impl Hierarchy {
    fn reading(
        &self,
        path: Vec<u8>,
        figures: Vec<(whyslow_perfdata::whyslow_events::GroupFigure, u64)>,
    ) -> GroupReading {
        GroupReading {
            kind: self.kind,
            hierarchy: self.number,
            at_ns: now_ns(),
            path,
            figures,
        }
    }
}

/// Now, on the recording's clock.
fn now_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    let ns = time.tv_sec.saturating_mul(1_000_000_000) + time.tv_nsec;
    u64::try_from(ns).unwrap_or(0)
}

/// The number of the hierarchy that has a controller, or (empty) of version 2.
fn number_of(own: &str, controller: &str) -> Option<u32> {
    own.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (number, controllers) = (parts.next()?, parts.next()?);
        let has = controllers.split(',').any(|one| one == controller);
        (has).then(|| number.parse().ok()).flatten()
    })
}

/// The directories below `root`, each relative to it, and whether there are more than `most`.
fn directories(root: &Path, most: usize) -> (Vec<PathBuf>, bool) {
    let mut found = Vec::new();
    let mut open = vec![(PathBuf::new(), 0)];
    while let Some((path, depth)) = open.pop() {
        let Ok(entries) = std::fs::read_dir(root.join(&path)) else {
            continue;
        };
        let is_directory =
            |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|of| of.is_dir());
        for entry in entries.filter_map(Result::ok).filter(is_directory) {
            if found.len() == most {
                return (found, true);
            }
            let path = path.join(entry.file_name());
            if depth < MOST_DEPTH {
                open.push((path.clone(), depth + 1));
            }
            found.push(path);
        }
    }
    (found, false)
}

/// A path as `mountinfo` writes it: blanks are `\040`.
fn unescape(text: &str) -> PathBuf {
    let mut path = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        path.push_str(before);
        let code = after
            .get(..3)
            .and_then(|code| u8::from_str_radix(code, 8).ok());
        match code {
            Some(code) => {
                path.push(char::from(code));
                rest = after.get(3..).unwrap_or_default();
            }
            None => {
                path.push('\\');
                rest = after;
            }
        }
    }
    path.push_str(rest);
    path.into()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
