//! The tables of groups of processes.

use whyslow_model::tables::{GroupMemberRow, GroupReadingRow, GroupRow};

use super::Settled;
use crate::groups::name_of;

impl Settled {
    pub(super) fn group_rows(&self) -> impl Iterator<Item = GroupRow> {
        let rows = (0..).zip(&self.groups.all);
        rows.map(|(id, &(resource, path))| {
            let path = self.texts.get(path);
            GroupRow {
                id,
                resource: resource.name().to_owned(),
                path: path.to_owned(),
                name: name_of(path),
            }
        })
    }

    pub(super) fn group_member_rows(&self) -> Vec<GroupMemberRow> {
        let members = self.groups.members.iter();
        let row = members.filter_map(|member| {
            Some(GroupMemberRow {
                process: self.order.process_id(member.process)?,
                from_ns: self.since_start(member.from_ns),
                process_group: member.group.cast_signed(),
            })
        });
        let mut rows: Vec<_> = row.collect();
        rows.sort_by_key(|row| (row.process, row.from_ns, row.process_group));
        rows
    }

    pub(super) fn group_reading_rows(&self) -> Vec<GroupReadingRow> {
        let readings = self.groups.readings.iter();
        let row = readings.map(|reading| {
            let time_ns = reading.time_ns.clamp(self.start_ns, self.end_ns);
            GroupReadingRow {
                time_ns: time_ns.saturating_sub(self.start_ns),
                ..reading.clone()
            }
        });
        let mut rows: Vec<_> = row.collect();
        rows.sort_by_key(|row| (row.process_group, row.time_ns));
        rows
    }
}
