//! The containers and services that run now.
//!
//! A service may show only in the hierarchy of systemd itself (version 1), so all lines of `/proc/PID/cgroup` count.

use std::fmt;
use std::fs;

use whyslow_model::Unit;

/// Most units that a message names.
const MOST_NAMED: usize = 6;

/// A container or a service, as a user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// The id of a container or its beginning; or its name, if it has no other id.
    Container(&'a str),
    /// The name of a service, with or without `.service`.
    Service(&'a str),
}

/// Why a name does not mean one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotOne {
    /// No such unit has a process now; these do, the most similar first.
    Unknown(Vec<String>),
    /// It is the beginning of several ids.
    Several(Vec<String>),
}

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
    pub fn find(&self, wanted: Wanted<'_>) -> Result<&Unit, NotOne> {
        let same_kind = self.0.iter().map(|(unit, _)| unit);
        let same_kind = same_kind.filter(|unit| wanted.is_kind_of(unit));
        let exact = same_kind.clone().find(|unit| wanted.is_exactly(unit));
        if let Some(unit) = exact {
            return Ok(unit);
        }
        let fitting = same_kind.clone().filter(|unit| wanted.begins(unit));
        let fitting: Vec<&Unit> = fitting.collect();
        match fitting[..] {
            [unit] => Ok(unit),
            [] => Err(NotOne::Unknown(nearest(wanted.text(), same_kind))),
            _ => Err(NotOne::Several(nearest(wanted.text(), fitting.into_iter()))),
        }
    }

    /// Returns the processes of a unit.
    pub fn processes_of(&self, unit: &Unit) -> &[u32] {
        let mut all = self.0.iter();
        let found = all.find(|(known, _)| known.is(unit));
        found.map_or(&[], |(_, pids)| pids)
    }
}

impl NotOne {
    /// Returns what is wrong with the name.
    pub fn cause(&self, wanted: Wanted<'_>) -> String {
        match (self, wanted) {
            (Self::Several(_), _) => "several ids begin like this".to_owned(),
            (_, Wanted::Container(_)) => "no container with this id runs now".to_owned(),
            (_, Wanted::Service(_)) => "no service with this name runs now".to_owned(),
        }
    }

    /// Returns what the user can do.
    pub fn advice(&self, wanted: Wanted<'_>) -> String {
        let kind = match wanted {
            Wanted::Container(_) => "container",
            Wanted::Service(_) => "service",
        };
        match self {
            Self::Several(names) => format!("give more of one of {}", names.join(", ")),
            Self::Unknown(names) if names.is_empty() => {
                format!("no {kind} runs now; --process takes the name or pid of any process")
            }
            Self::Unknown(names) => format!("running now: {}", names.join(", ")),
        }
    }
}

impl<'a> Wanted<'a> {
    fn text(self) -> &'a str {
        match self {
            Self::Container(text) | Self::Service(text) => text,
        }
    }

    fn is_kind_of(self, unit: &Unit) -> bool {
        matches!(
            (self, unit),
            (Self::Container(_), Unit::Container { .. }) | (Self::Service(_), Unit::Service { .. })
        )
    }

    fn is_exactly(self, unit: &Unit) -> bool {
        match self {
            Self::Container(id) => unit.name() == id,
            Self::Service(name) => {
                let bare = name.strip_suffix(".service").unwrap_or(name);
                unit.name().strip_suffix(".service") == Some(bare)
            }
        }
    }

    fn begins(self, unit: &Unit) -> bool {
        match self {
            Self::Container(id) => {
                !id.is_empty() && unit.name().starts_with(&id.to_ascii_lowercase())
            }
            Self::Service(_) => false,
        }
    }
}

impl fmt::Display for Wanted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Container(id) => write!(f, "container {id}"),
            Self::Service(name) => write!(f, "service {name}"),
        }
    }
}

/// Returns the titles of the units, those most like `wanted` first. Ids are in full where they share their shown part.
fn nearest<'u>(wanted: &str, units: impl Iterator<Item = &'u Unit>) -> Vec<String> {
    let mut rated: Vec<_> = units
        .map(|unit| {
            let name = unit.name();
            let has_all = name.contains(wanted) && !wanted.is_empty();
            let alike = name.chars().zip(wanted.chars());
            let alike = alike.take_while(|(a, b)| a == b).count();
            (!has_all, std::cmp::Reverse(alike), unit)
        })
        .collect();
    rated.sort();
    let shown = rated.iter().take(MOST_NAMED).map(|(_, _, unit)| *unit);
    let shown: Vec<&Unit> = shown.collect();
    let is_twice = |unit: &Unit| {
        let same = shown.iter().filter(|other| other.title() == unit.title());
        same.count() > 1
    };
    let name = |unit: &&Unit| match is_twice(unit) {
        true => unit.name().to_owned(),
        false => short(unit),
    };
    shown.iter().map(name).collect()
}

/// Returns what a user has to type.
fn short(unit: &Unit) -> String {
    let title = unit.title();
    let title = title.strip_prefix("container ").unwrap_or(&title);
    title.to_owned()
}

#[cfg(test)]
mod tests;
