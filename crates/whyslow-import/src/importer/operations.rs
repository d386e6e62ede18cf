//! Operations: what their trackers may ask the importer.

use whyslow_model::{FileId, ProblemKind, RawTable};

use super::Importer;
use super::running::Sight;
use crate::event::{Event, OperationEvent};
use crate::operations::Scene;
use whyslow_schedule::{At, NONE};
use whyslow_stacks::StackRef;

impl Importer<'_> {
    pub(super) fn operation(&mut self, event: &Event, of: &OperationEvent) {
        let (Some(ns), Some(mut operations)) = (event.time_ns, self.operations.take()) else {
            return;
        };
        let (at, _) = self.followed(ns, event.cpu);
        let mut at = AtEvent {
            at,
            stack: of.stack,
            importer: self,
        };
        operations.event(&of.operation, &mut at);
        self.operations = Some(operations);
    }

    /// The trace ends at `ns`.
    pub(super) fn end_operations(&mut self, ns: i64) {
        if let Some(mut operations) = self.operations.take() {
            operations.end(&mut AtEvent {
                at: At { ns, cpu: NONE },
                stack: StackRef::NONE,
                importer: self,
            });
        }
    }
}

/// The importer at the time of an event.
struct AtEvent<'i, 's> {
    at: At,
    stack: StackRef,
    importer: &'i mut Importer<'s>,
}

impl Scene for AtEvent<'_, '_> {
    fn ns(&self) -> i64 {
        self.at.ns
    }

    fn start_ns(&self) -> i64 {
        self.importer.start_ns.unwrap_or(self.at.ns)
    }

    fn stack(&mut self) -> i64 {
        self.importer.stacks.word(self.stack).to_column()
    }

    fn thread(&mut self, tid: Option<u32>) -> u32 {
        let Some(tid) = tid else {
            return NONE;
        };
        let slot = self.importer.sighted(tid, None, self.at, Sight::Other);
        slot.map_or(NONE, |slot| self.importer.schedule.live(slot).thread)
    }

    fn known_thread(&self, tid: Option<u32>) -> u32 {
        let slot = tid.and_then(|tid| self.importer.threads.slot(tid));
        slot.map_or(NONE, |slot| self.importer.schedule.live(slot).thread)
    }

    fn file(&self, number: u64) -> Option<FileId> {
        let row = self.importer.files.of_number(number)?;
        i32::try_from(row).ok().map(FileId)
    }

    fn push_cells(&mut self, table: RawTable, thread: u32, cells: &[i64]) {
        self.importer.out.push_cells(table, thread, cells);
    }

    fn problem(&mut self, kind: ProblemKind, count: u64, what: &'static str) {
        let problems = &mut self.importer.problems;
        problems.add_many(kind, count, None, None, || what.to_owned());
    }
}
