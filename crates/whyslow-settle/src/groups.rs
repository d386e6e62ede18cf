//! Groups of processes that share limits: the members of each, and what it used.

use std::collections::HashMap;

use whyslow_model::Unit;
use whyslow_model::tables::GroupReadingRow;

use crate::text::TextId;

/// Maximum number of groups.
const MOST_GROUPS: usize = 1 << 16;
/// Maximum number of readings.
const MOST_READINGS: usize = 1 << 20;
/// Maximum number of memberships.
const MOST_MEMBERS: usize = 1 << 20;

/// What a group limits, as in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resource {
    /// CPU time.
    Cpu,
    /// Memory.
    Memory,
    /// Both, and more.
    All,
}

impl Resource {
    /// Returns the table's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::All => "all",
        }
    }
}

/// A process is in a group from a time on.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// The process's entry.
    pub process: u32,
    /// Since when; `None` is since before the trace.
    pub from_ns: Option<i64>,
    /// The group's number.
    pub group: u32,
}

/// All groups of a trace.
#[derive(Debug, Default)]
pub struct Groups {
    /// What each limits, and its path, by number.
    pub all: Vec<(Resource, TextId)>,
    /// The members of groups.
    pub members: Vec<Member>,
    /// The readings, with times of the trace's clock.
    pub readings: Vec<GroupReadingRow>,
    by_path: HashMap<(Resource, TextId), u32>,
    /// What was left out because of a limit.
    pub refused: u64,
}

impl Groups {
    /// Returns the number of a group; `None` at the limit.
    pub fn group(&mut self, resource: Resource, path: TextId) -> Option<u32> {
        if let Some(&known) = self.by_path.get(&(resource, path)) {
            return Some(known);
        }
        let number = u32::try_from(self.all.len()).ok();
        let Some(number) = number.filter(|_| self.all.len() < MOST_GROUPS) else {
            self.refused += 1;
            return None;
        };
        self.all.push((resource, path));
        self.by_path.insert((resource, path), number);
        Some(number)
    }

    /// Adds that a process is in a group.
    pub fn add_member(&mut self, member: Member) {
        match self.members.len() < MOST_MEMBERS {
            true => self.members.push(member),
            false => self.refused += 1,
        }
    }

    /// Adds the figures of a group.
    pub fn add_reading(&mut self, reading: GroupReadingRow) {
        match self.readings.len() < MOST_READINGS {
            true => self.readings.push(reading),
            false => self.refused += 1,
        }
    }
}

/// Returns the usual name of a group: its container, its service, or the last part of its path.
pub(crate) fn name_of(path: &str) -> String {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let Some(last) = parts.next_back() else {
        return "machine".to_owned();
    };
    // What is inside a container or service has a name of its own.
    let unit = Unit::all_of(path).pop();
    let around = path.strip_suffix(last).unwrap_or(path);
    match unit.filter(|unit| !unit.holds(around)) {
        Some(unit) => unit.title(),
        None => last.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_called_what_people_call_them() {
        let id = "0123456789abcdef".repeat(4);
        let check = |path: &str, name: &str| assert_eq!(name_of(path), name);
        check("/", "machine");
        check("/system.slice/nginx.service", "nginx.service");
        check(
            "/user.slice/user-1000.slice/session-3.scope",
            "session-3.scope",
        );
        check(&format!("/docker/{id}"), "container 0123456789ab (docker)");
        check(
            &format!("/system.slice/docker-{id}.scope"),
            "container 0123456789ab (docker)",
        );
        check(
            &format!("/kubepods.slice/kubepods-pod7.slice/cri-containerd-{id}.scope"),
            "container 0123456789ab (kubernetes)",
        );
        check(
            &format!("/machine.slice/libpod-{id}.scope"),
            "container 0123456789ab (podman)",
        );
        check("/lxc.payload.web", "container web (lxc)");
        check(&format!("/docker/{id}/inner"), "inner");
        check("/a/whyslow-case-quota", "whyslow-case-quota");
        // Cut in the middle of a letter, so it is not an id.
        check("/docker/ä", "ä");
    }

    #[test]
    fn a_group_is_one_of_its_resource_and_path() {
        let mut texts = crate::text::Texts::new(1 << 20);
        let (a, b) = (texts.intern("/a").unwrap(), texts.intern("/b").unwrap());
        let mut groups = Groups::default();
        assert_eq!(groups.group(Resource::Cpu, a), Some(0));
        assert_eq!(groups.group(Resource::Memory, a), Some(1));
        assert_eq!(groups.group(Resource::Cpu, b), Some(2));
        assert_eq!(groups.group(Resource::Cpu, a), Some(0));
        assert_eq!(groups.all.len(), 3);
    }
}
