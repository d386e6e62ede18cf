//! Groups of processes: the members of each, and what they used.

use whyslow_model::tables::GroupReadingRow;
use whyslow_settle::{Member, Resource};

use super::Importer;
use crate::event::Event;

impl Importer<'_> {
    /// Returns the number of a group of processes, or `None` at the limit.
    pub fn group(&mut self, resource: Resource, path: &str) -> Option<u32> {
        let path = self.texts.intern(path)?;
        self.groups.group(resource, path)
    }

    /// Takes the figures of a group of processes, at a time on the trace's clock.
    pub fn group_reading(&mut self, reading: GroupReadingRow) {
        self.groups.add_reading(reading);
    }

    /// Puts a process in a group from now on. Moves of single threads are not followed.
    pub(super) fn group_member(&mut self, event: &Event, pid: u32, group: u32) {
        let process = match event.time_ns {
            Some(_) => self.processes.living(pid),
            None => self.process_of(pid, None),
        };
        if let Some(process) = process {
            self.groups.add_member(Member {
                process,
                from_ns: event.time_ns,
                group,
            });
        }
    }
}
