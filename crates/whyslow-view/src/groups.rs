//! Groups of processes that share limits: the members of each, and what a group used in some time.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use whyslow_model::tables::{GroupMemberRow, GroupReadingRow, GroupRow};
use whyslow_model::{ProcessId, Scan, TableRow, Unit};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::view::View;

/// Maximum number of ancestors searched for a group.
const MOST_ANCESTORS: usize = 64;

/// What a group may limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// CPU time.
    Cpu,
    /// Memory.
    Memory,
}

/// The groups of a trace.
#[derive(Debug, Default)]
pub struct Groups {
    groups: Vec<GroupRow>,
    /// By process, in order of time.
    members: BTreeMap<ProcessId, Vec<(i64, usize)>>,
    /// By group, in order of time.
    readings: BTreeMap<usize, Vec<GroupReadingRow>>,
}

/// What a group may use, and what it used in some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage<'a> {
    /// The group.
    pub group: &'a GroupRow,
    /// The last reading.
    pub last: &'a GroupReadingRow,
    /// Periods in which any of its threads ran.
    pub periods: Option<i64>,
    /// Periods in which it was stopped.
    pub throttled_periods: Option<i64>,
    /// How long its queues were stopped, summed over CPUs.
    pub throttled_ns: Option<i64>,
    /// Maximum memory found in use.
    pub most_memory_bytes: Option<i64>,
    /// How often it needed more memory than its limit.
    pub memory_failures: Option<i64>,
    /// How often it was above the threshold that slows it down.
    pub memory_high_events: Option<i64>,
    /// Number of processes killed because memory was short.
    pub memory_kills: Option<i64>,
    /// How long some thread could not continue because it had no CPU.
    pub cpu_stall_ns: Option<i64>,
    /// … because memory was short.
    pub memory_stall_ns: Option<i64>,
    /// … because it waited for disks.
    pub io_stall_ns: Option<i64>,
    /// Time that the host gave to other machines.
    pub steal_ns: Option<i64>,
    /// The least memory that programs could have without swapping, of the whole machine.
    pub least_available_bytes: Option<i64>,
    /// The most data that still had to be written to disks.
    pub most_dirty_bytes: Option<i64>,
    /// The most that was in the swap area.
    pub most_swapped_bytes: Option<i64>,
}

impl Groups {
    /// Reads the tables; nothing if the extract has none.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let mut all = Self::default();
        view.scan(GroupRow::SCHEMA, &Scan::default(), &mut |table| {
            all.groups.extend(table.rows::<GroupRow>());
            ControlFlow::Continue(())
        })?;
        view.scan(GroupMemberRow::SCHEMA, &Scan::default(), &mut |table| {
            for row in table.rows::<GroupMemberRow>() {
                let from = row.from_ns.unwrap_or(i64::MIN);
                let group = usize::try_from(row.process_group).unwrap_or(usize::MAX);
                all.members
                    .entry(row.process)
                    .or_default()
                    .push((from, group));
            }
            ControlFlow::Continue(())
        })?;
        view.scan(GroupReadingRow::SCHEMA, &Scan::default(), &mut |table| {
            for row in table.rows::<GroupReadingRow>() {
                let group = usize::try_from(row.process_group).unwrap_or(usize::MAX);
                all.readings.entry(group).or_default().push(row);
            }
            ControlFlow::Continue(())
        })?;
        for members in all.members.values_mut() {
            members.sort_by_key(|&(from, _)| from);
        }
        for readings in all.readings.values_mut() {
            readings.sort_by_key(|row| row.time_ns);
        }
        Ok(all)
    }

    /// Returns the groups with figures, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = &GroupRow> {
        let known = self.readings.keys();
        known.filter_map(|&group| self.groups.get(group))
    }

    /// Returns the numbers of the groups that are in a container or service.
    pub fn of_unit(&self, unit: &Unit) -> BTreeSet<i32> {
        let within = self.groups.iter().filter(|group| unit.holds(&group.path));
        within.map(|group| group.id).collect()
    }

    /// Returns the containers and services that have processes, each once.
    pub fn units(&self) -> Vec<Unit> {
        let members = self.members.values().flatten();
        let used: BTreeSet<usize> = members.map(|&(_, group)| group).collect();
        let paths = used.iter().filter_map(|&group| self.groups.get(group));
        let named = paths.flat_map(|group| Unit::all_of(&group.path));
        let mut units: Vec<Unit> = named.collect();
        // The one whose maker is known comes first.
        units.sort_by(|a, b| b.cmp(a));
        units.dedup_by(|later, kept| later.is(kept));
        units
    }

    /// Returns the group of a process at a time, for a resource.
    pub fn of(
        &self,
        facts: &Facts,
        process: ProcessId,
        resource: Resource,
        ns: i64,
    ) -> Option<&GroupRow> {
        let (mut process, mut ns) = (process, ns);
        for _ in 0..MOST_ANCESTORS {
            let members = self.members.get(&process).map_or(&[][..], Vec::as_slice);
            let before = members.iter().rev().filter(|&&(from, _)| from <= ns);
            let groups = before.filter_map(|&(_, group)| self.groups.get(group));
            let mut fitting = groups.filter(|group| resource.is_of(group));
            if let Some(group) = fitting.next() {
                return Some(group);
            }
            let row = facts.process(process)?;
            let earlier = row.predecessor.or(row.parent)?;
            ns = row.start_ns?;
            process = earlier;
        }
        None
    }

    /// Returns the groups that limit a group: itself and those around it, if they have figures,
    /// innermost first.
    pub fn limits<'a>(&'a self, group: &'a GroupRow) -> impl Iterator<Item = &'a GroupRow> {
        let mut around: Vec<&GroupRow> = self.all().filter(|other| is_in(group, other)).collect();
        around.sort_by_key(|other| std::cmp::Reverse(other.path.len()));
        around.into_iter()
    }

    /// Returns what a group used between two times, as closely as the readings allow.
    pub fn usage<'a>(&'a self, group: &'a GroupRow, (from, to): (i64, i64)) -> Option<Usage<'a>> {
        let number = usize::try_from(group.id).ok()?;
        let readings = self.readings.get(&number)?;
        let first = readings.partition_point(|row| row.time_ns <= from);
        let first = readings.get(first.saturating_sub(1)).or(readings.first())?;
        let last = readings.partition_point(|row| row.time_ns < to);
        let last = readings.get(last).or(readings.last())?;
        let grown = |of: fn(&GroupReadingRow) -> Option<i64>| {
            // A group created since then had used nothing.
            Some(of(last)?.saturating_sub(of(first).unwrap_or(0)).max(0))
        };
        let within = readings
            .iter()
            .filter(|row| (first.time_ns..=last.time_ns).contains(&row.time_ns));
        Some(Usage {
            group,
            last,
            periods: grown(|row| row.periods),
            throttled_periods: grown(|row| row.throttled_periods),
            throttled_ns: grown(|row| row.throttled_ns),
            most_memory_bytes: within.clone().filter_map(|row| row.memory_bytes).max(),
            least_available_bytes: within.clone().filter_map(|row| row.available_bytes).min(),
            most_dirty_bytes: within.clone().filter_map(|row| row.dirty_bytes).max(),
            most_swapped_bytes: within.filter_map(|row| row.swapped_bytes).max(),
            memory_failures: grown(|row| row.memory_failures),
            memory_high_events: grown(|row| row.memory_high_events),
            memory_kills: grown(|row| row.memory_kills),
            cpu_stall_ns: grown(|row| row.cpu_stall_ns),
            memory_stall_ns: grown(|row| row.memory_stall_ns),
            io_stall_ns: grown(|row| row.io_stall_ns),
            steal_ns: grown(|row| row.steal_ns),
        })
    }
}

impl Resource {
    fn is_of(self, group: &GroupRow) -> bool {
        let own = match self {
            Self::Cpu => "cpu",
            Self::Memory => "memory",
        };
        [own, "all"].contains(&group.resource.as_str())
    }
}

/// Returns whether a group is the other one, or inside it.
fn is_in(group: &GroupRow, other: &GroupRow) -> bool {
    let rest = group.path.strip_prefix(other.path.trim_end_matches('/'));
    group.resource == other.resource
        && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(id: i32, resource: &str, path: &str) -> GroupRow {
        GroupRow {
            id,
            resource: resource.to_owned(),
            path: path.to_owned(),
            name: path.to_owned(),
        }
    }

    fn reading(group: i32, time_ns: i64, throttled_ns: i64) -> GroupReadingRow {
        GroupReadingRow {
            process_group: group,
            time_ns,
            cpu_quota_ns: Some(1),
            cpu_period_ns: None,
            periods: None,
            throttled_periods: None,
            throttled_ns: Some(throttled_ns),
            cpu_shares: None,
            memory_limit_bytes: None,
            memory_high_bytes: None,
            memory_bytes: None,
            memory_failures: None,
            memory_high_events: None,
            memory_kills: None,
            cpu_stall_ns: None,
            memory_stall_ns: None,
            io_stall_ns: None,
            steal_ns: None,
            available_bytes: None,
            dirty_bytes: None,
            swapped_bytes: None,
        }
    }

    fn groups() -> Groups {
        let mut all = Groups {
            groups: vec![
                group(0, "cpu", "/"),
                group(1, "cpu", "/a"),
                group(2, "cpu", "/a/b"),
                group(3, "cpu", "/ab"),
                group(4, "memory", "/a"),
            ],
            ..Groups::default()
        };
        for (at, own) in [(0, 100), (10, 150), (20, 400)] {
            all.readings.entry(1).or_default().push(reading(1, at, own));
        }
        all.readings.entry(0).or_default().push(reading(0, 0, 0));
        all.readings.entry(3).or_default().push(reading(3, 0, 0));
        all.readings.entry(4).or_default().push(reading(4, 0, 0));
        all
    }

    #[test]
    fn units_are_those_with_processes_each_once() {
        let id = "ab".repeat(32);
        let paths = [
            format!("/default/{id}"),
            format!("/docker/{id}"),
            "/system.slice/a.service".to_owned(),
            "/system.slice/empty.service".to_owned(),
        ];
        let groups = (0..)
            .zip(&paths)
            .map(|(at, path)| group(at, "memory", path));
        let mut all = Groups {
            groups: groups.collect(),
            ..Groups::default()
        };
        for (process, group) in [(0, 0), (1, 1), (2, 2), (3, 9)] {
            all.members.insert(ProcessId(process), vec![(0, group)]);
        }
        let titles: Vec<String> = all.units().iter().map(Unit::title).collect();
        assert_eq!(titles, ["a.service", "container abababababab (docker)"]);
    }

    #[test]
    fn what_limits_a_group_is_itself_and_what_it_is_in() {
        let all = groups();
        let limits = |id: usize| all.limits(&all.groups[id]).map(|group| group.id);
        assert_eq!(Vec::from_iter(limits(2)), [1, 0]);
        assert_eq!(Vec::from_iter(limits(3)), [3, 0]);
        assert_eq!(Vec::from_iter(limits(4)), [4]);
    }

    #[test]
    fn use_is_counted_between_the_readings_around_a_time() {
        let all = groups();
        let used = |from, to| all.usage(&all.groups[1], (from, to)).unwrap().throttled_ns;
        assert_eq!(used(0, 20), Some(300));
        assert_eq!(used(-5, 99), Some(300));
        assert_eq!(used(12, 15), Some(250));
        assert_eq!(used(3, 9), Some(50));
        assert_eq!(all.usage(&all.groups[2], (0, 20)), None);
    }
}
