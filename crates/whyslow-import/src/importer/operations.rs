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
            tid: of.tid,
            pid: of.pid,
            stack: of.stack,
            importer: self,
        };
        operations.event(&of.operation, &mut at);
        self.operations = Some(operations);
    }

    /// Returns some thread of the newest process with an id; `NONE` where none is known.
    fn thread_of_process(&self, pid: u32) -> u32 {
        let process = self.processes.latest(pid);
        let thread = process.and_then(|process| self.some_threads.get(&process));
        thread.copied().unwrap_or(NONE)
    }

    /// The trace ends at `ns`.
    pub(super) fn end_operations(&mut self, ns: i64) {
        if let Some(mut operations) = self.operations.take() {
            operations.end(&mut AtEvent {
                at: At { ns, cpu: NONE },
                tid: None,
                pid: None,
                stack: StackRef::NONE,
                importer: self,
            });
        }
    }
}

/// The importer at the time of an event.
struct AtEvent<'i, 's> {
    at: At,
    /// The thread in whose context it happened, and its process.
    tid: Option<u32>,
    pid: Option<u32>,
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

    fn event_thread(&mut self) -> u32 {
        self.thread(self.tid)
    }

    fn owner(&mut self, tid: Option<u32>) -> u32 {
        let known = self.known_thread(tid);
        match self.pid.filter(|_| known == NONE) {
            Some(pid) => self.importer.thread_of_process(pid),
            None => known,
        }
    }

    fn thread_of_process(&mut self, pid: u32) -> u32 {
        self.importer.thread_of_process(pid)
    }

    fn thread(&mut self, tid: Option<u32>) -> u32 {
        let Some(tid) = tid else {
            return NONE;
        };
        let pid = self.pid.filter(|_| self.tid == Some(tid));
        let slot = self.importer.sighted(tid, pid, self.at, Sight::Other);
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

    fn opened(&mut self, file: FileId, kind: u32) {
        if let Ok(row) = u32::try_from(file.0) {
            self.importer.files.set_opened(row, kind);
        }
    }

    fn push_cells(&mut self, table: RawTable, thread: u32, cells: &[i64]) {
        self.importer.out.push_cells(table, thread, cells);
    }

    fn problem(&mut self, kind: ProblemKind, count: u64, what: &'static str) {
        let problems = &mut self.importer.problems;
        problems.add_many(kind, count, None, None, || what.to_owned());
    }
}
