//! Groups of processes: those that Whyslow's recorder found, and the moves that the kernel reports.

use whyslow_model::tables::GroupReadingRow;
use whyslow_perfdata::whyslow_events::{GroupFigure, GroupKind, GroupMember, GroupReading};
use whyslow_perfdata::{Record, Sample, TraceFormat};
use whyslow_settle::Resource;

use super::{Frontend, time};
use crate::error::Error;
use crate::event::{Event, EventKind};
use crate::payload::perf::{Place, place};

/// Maximum number of hierarchies on a machine that limit something.
const MOST_HIERARCHIES: usize = 16;

/// Fields of `cgroup:cgroup_attach_task`.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoveFields {
    root: Place,
    pid: Place,
    path: Place,
}

impl MoveFields {
    pub(super) fn of(format: &TraceFormat) -> Option<Self> {
        Some(Self {
            root: place(format, "dst_root")?,
            pid: place(format, "pid")?,
            path: place(format, "dst_path")?,
        })
    }
}

impl Frontend<'_> {
    pub(super) fn group_member(&mut self, member: &GroupMember) -> Result<(), Error> {
        let resource = resource(member.kind);
        let hierarchy = (member.hierarchy, resource);
        let known = &mut self.session.hierarchies;
        if !known.contains(&hierarchy) && known.len() < MOST_HIERARCHIES {
            known.push(hierarchy);
        }
        let path = String::from_utf8_lossy(&member.path);
        let Some(group) = self.importer.group(resource, &path) else {
            return Ok(());
        };
        let pid = member.pid;
        // It was there before the recording.
        let event = Event {
            time_ns: None,
            cpu: None,
            kind: EventKind::GroupMember { pid, group },
        };
        Ok(self.importer.event(&event)?)
    }

    pub(super) fn group_move(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        fields: &MoveFields,
    ) -> Result<(), Error> {
        let endian = self.session.endian;
        let number = |place: Place| u32::try_from(place.read(sample.raw, endian)?).ok();
        let (Some(hierarchy), Some(pid), Some(path)) = (
            number(fields.root),
            number(fields.pid),
            fields.path.text(sample.raw, endian),
        ) else {
            return self.bad_payload(record);
        };
        let of_hierarchy = |&(known, resource): &(u32, Resource)| {
            let is_it = known == hierarchy;
            is_it.then_some(resource)
        };
        let resources: Vec<_> = self
            .session
            .hierarchies
            .iter()
            .filter_map(of_hierarchy)
            .collect();
        for resource in resources {
            if let Some(group) = self.importer.group(resource, &path) {
                self.event(record, EventKind::GroupMember { pid, group })?;
            }
        }
        Ok(())
    }

    pub(super) fn group_reading(&mut self, record: &Record<'_>, reading: &GroupReading) {
        let at_ns = i64::try_from(reading.at_ns).ok().or_else(|| time(record));
        let path = String::from_utf8_lossy(&reading.path);
        let group = self.importer.group(resource(reading.kind), &path);
        if let (Some(at_ns), Some(group)) = (at_ns, group) {
            let row = row(group, at_ns, &reading.figures);
            self.importer.group_reading(row);
        }
    }
}

fn resource(kind: GroupKind) -> Resource {
    match kind {
        GroupKind::Cpu => Resource::Cpu,
        GroupKind::Memory => Resource::Memory,
        GroupKind::Unified => Resource::All,
    }
}

fn row(group: u32, time_ns: i64, figures: &[(GroupFigure, u64)]) -> GroupReadingRow {
    let told = |wanted: GroupFigure| {
        let value = figures.iter().find(|(figure, _)| *figure == wanted);
        value.and_then(|&(_, value)| i64::try_from(value).ok())
    };
    GroupReadingRow {
        process_group: group.cast_signed(),
        time_ns,
        cpu_quota_ns: told(GroupFigure::CpuQuotaNs),
        cpu_period_ns: told(GroupFigure::CpuPeriodNs),
        periods: told(GroupFigure::Periods),
        throttled_periods: told(GroupFigure::ThrottledPeriods),
        throttled_ns: told(GroupFigure::ThrottledNs),
        cpu_shares: told(GroupFigure::CpuShares),
        memory_limit_bytes: told(GroupFigure::MemoryLimit),
        memory_high_bytes: told(GroupFigure::MemoryHigh),
        memory_bytes: told(GroupFigure::MemoryUsage),
        memory_failures: told(GroupFigure::MemoryFailures),
        memory_high_events: told(GroupFigure::MemoryHighEvents),
        memory_kills: told(GroupFigure::MemoryKills),
        cpu_stall_ns: told(GroupFigure::CpuStallNs),
        memory_stall_ns: told(GroupFigure::MemoryStallNs),
        io_stall_ns: told(GroupFigure::IoStallNs),
        steal_ns: told(GroupFigure::StealNs),
        available_bytes: told(GroupFigure::MemoryAvailable),
        dirty_bytes: told(GroupFigure::MemoryDirty),
        swapped_bytes: told(GroupFigure::MemorySwapped),
    }
}
