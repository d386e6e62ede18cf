//! Where decoded events go: the queue in front of the importer, and helpers for building events.

use whyslow_etl::{Clock, FileTime, Record};
use whyslow_model::{FileId, LabelId, ProblemKind};
use whyslow_settle::{Module, ModuleId, TextId};
use whyslow_stacks::{HalfRef, NodeId, Root, StackRef};

use super::late_stacks::{LateKeys, LateStacks};
use super::queue::{Owner, Queue};
use crate::error::Error;
use crate::event::{Event, EventKind, OperationEvent};
use crate::importer::Importer;
use crate::operations::Operation;

/// The narrow side of an import: trackers push neutral events here and intern what those refer to.
#[derive(Debug)]
pub(super) struct Emitter<'s> {
    clock: Clock,
    /// Records of the current file say on which CPU they were written.
    has_cpus: bool,
    queue: Queue,
    late_stacks: LateStacks,
    /// The newest key of our own for a half of a stack.
    newest_key: u64,
    importer: Importer<'s>,
}

impl<'s> Emitter<'s> {
    /// Returns an emitter that passes events with these time stamps to an importer. At most about
    /// `most_late` events wait for late stacks that never come.
    pub(super) fn new(clock: Clock, importer: Importer<'s>, most_late: u32) -> Self {
        Self {
            clock,
            has_cpus: true,
            queue: Queue::new(clock.frequency()),
            late_stacks: LateStacks::new(clock.frequency(), most_late),
            newest_key: 0,
            importer,
        }
    }

    /// Sets whether the file of the next record has a stream of records for each CPU.
    pub(super) fn set_has_cpus(&mut self, has_cpus: bool) {
        self.has_cpus = has_cpus;
    }

    /// Returns the nanoseconds of a raw time.
    pub(super) fn ns(&self, raw_time: i64) -> i64 {
        self.clock.ns(raw_time)
    }

    /// Returns the nanoseconds of a time of the wall clock.
    pub(super) fn wall_ns(&self, time: FileTime) -> i64 {
        let zero = self.clock.unix_ns(self.clock.start());
        time.unix_ns().saturating_sub(zero)
    }

    /// Returns the clock of the trace.
    pub(super) fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns ticks in a second of raw time.
    pub(super) fn frequency(&self) -> i64 {
        self.clock.frequency()
    }

    /// Returns the CPU that a record was written on; `None` where records do not say.
    pub(super) fn cpu(&self, record: &Record<'_>) -> Option<u32> {
        self.has_cpus.then_some(u32::from(record.cpu))
    }

    /// Queues an event of a record's time and CPU.
    pub(super) fn push(&mut self, record: &Record<'_>, kind: EventKind) {
        let event = Event {
            time_ns: Some(self.ns(record.raw_time)),
            cpu: self.cpu(record),
            kind,
        };
        self.queue.push(record.raw_time, event);
    }

    /// Queues an operation in the context of a thread and its process, where these are known. Its
    /// stack may follow.
    pub(super) fn push_operation(
        &mut self,
        record: &Record<'_>,
        (tid, pid): (Option<u32>, Option<u32>),
        operation: Operation,
    ) {
        let event = OperationEvent {
            tid,
            pid,
            stack: StackRef::NONE,
            operation,
        };
        self.push(record, EventKind::Operation(event));
    }

    /// Queues a fact that held at another time.
    pub(super) fn push_at(&mut self, ns: i64, kind: EventKind) {
        self.queue.push(i64::MIN, without_cpu(Some(ns), kind));
    }

    /// Queues a fact that has held since before the trace.
    pub(super) fn push_untimed(&mut self, kind: EventKind) {
        self.queue.push(i64::MIN, without_cpu(None, kind));
    }

    /// Queues a fact that has held since before the trace, behind the events up to a record.
    pub(super) fn push_untimed_behind(&mut self, record: &Record<'_>, kind: EventKind) {
        self.queue.push(record.raw_time, without_cpu(None, kind));
    }

    /// Queues an event at the end of the trace, behind all others.
    pub(super) fn push_at_end(&mut self, kind: EventKind) {
        let newest = self.queue.newest();
        let ns = newest.map(|newest| self.ns(newest));
        self.queue
            .push(newest.unwrap_or(i64::MIN), without_cpu(ns, kind));
    }

    /// Queues an event of a raw time and CPU.
    pub(super) fn push_of(&mut self, raw_time: i64, cpu: u32, kind: EventKind) {
        let event = self.event_of(raw_time, cpu, kind);
        self.queue.push(raw_time, event);
    }

    /// Queues an event that comes late, at its place among the others.
    pub(super) fn insert_of(&mut self, raw_time: i64, cpu: u32, kind: EventKind) {
        let event = self.event_of(raw_time, cpu, kind);
        self.queue.insert(raw_time, event);
    }

    fn event_of(&self, raw_time: i64, cpu: u32, kind: EventKind) -> Event {
        Event {
            time_ns: Some(self.ns(raw_time)),
            cpu: Some(cpu),
            kind,
        }
    }

    /// Holds back events later than a raw time, because an event of that time is still to come.
    pub(super) fn hold(&mut self, from: i64) {
        self.queue.hold(from);
    }

    /// Returns the stack of the queued event that a stack record names, for the caller to complete.
    pub(super) fn stack(&mut self, owner: Owner) -> Option<&mut StackRef> {
        let kind = self.queue.owner(owner)?;
        self.late_stacks.saw_stack(kind);
        kind.stack_mut()
    }

    /// Returns the keys of the event that a late stack record names, for the caller to define.
    pub(super) fn late_keys(&mut self, owner: Owner) -> Option<LateKeys> {
        self.late_stacks.find(owner)
    }

    /// Returns a new key of our own for a half of a stack.
    pub(super) fn new_key(&mut self) -> u64 {
        self.newest_key += 1;
        self.newest_key
    }

    /// Returns whether events of a raw time have left the queue without their stacks.
    pub(super) fn has_gone(&self, raw_time: i64) -> bool {
        self.queue.has_gone(raw_time)
    }

    /// Returns the id of a text; `None` for an empty one, or at the limit.
    pub(super) fn text(&mut self, text: &str) -> Option<TextId> {
        match text {
            "" => None,
            text => self.importer.text(text),
        }
    }

    /// Returns the id of a text, even an empty one; `None` at the limit.
    pub(super) fn any_text(&mut self, text: &str) -> Option<TextId> {
        self.importer.text(text)
    }

    /// Returns the file with a path, or what represents it beyond the limit.
    pub(super) fn file(&mut self, path: &str) -> Option<FileId> {
        self.importer.file(path)
    }

    /// Notes that there is such a file, not only its name.
    pub(super) fn exists(&mut self, file: FileId) {
        self.importer.file_exists(file);
    }

    /// Returns a new file whose path is not known yet.
    pub(super) fn unnamed_file(&mut self) -> Option<FileId> {
        self.importer.unnamed_file()
    }

    /// Gives a file its path, which became known late.
    pub(super) fn set_file_path(&mut self, file: FileId, path: &str) {
        self.importer.set_file_path(file, path);
    }

    /// Returns the number of a text that rows refer to, or `None` at a limit.
    pub(super) fn label(&mut self, text: &str) -> Option<LabelId> {
        self.importer.label(text)
    }

    /// Gives a text that rows refer to its final form, which became known late.
    pub(super) fn set_label(&mut self, label: LabelId, text: &str) {
        self.importer.set_label(label, text);
    }

    /// Returns the id of a module, or `None` at the limit.
    pub(super) fn module(&mut self, module: Module) -> Option<ModuleId> {
        self.importer.module(module)
    }

    /// Returns a module, to complete it.
    pub(super) fn module_mut(&mut self, module: ModuleId) -> Option<&mut Module> {
        self.importer.module_mut(module)
    }

    /// Returns the stack half with these frames, leaf first; `None` at the limit.
    pub(super) fn stack_node(&mut self, root: Root, frames: &[u64]) -> Option<NodeId> {
        self.importer.stack_node(root, frames)
    }

    /// Returns whether a path is that of a program.
    pub(super) fn is_path_of_program(&self, path: TextId) -> bool {
        self.importer.is_path_of_program(path)
    }

    /// Counts a record whose payload is too short.
    pub(super) fn bad(&mut self, record: &Record<'_>, what: &str) {
        let bytes = record.payload().len();
        let problems = self.importer.problems();
        problems.add(ProblemKind::BadRecord, Some(record.offset), || {
            format!("{what} of {bytes} bytes, which is too short")
        });
    }

    /// Counts a record with impossible contents.
    pub(super) fn impossible(&mut self, record: &Record<'_>, what: &str) {
        let problems = self.importer.problems();
        problems.add(ProblemKind::BadRecord, Some(record.offset), || {
            what.to_owned()
        });
    }

    /// Counts what is left out because of a limit.
    pub(super) fn refuse(&mut self, what: &str) {
        let problems = self.importer.problems();
        problems.add(ProblemKind::LimitReached, None, || what.to_owned());
    }

    /// Notes the time of a record.
    #[inline]
    pub(super) fn tick(&mut self, raw_time: i64) {
        self.queue.tick(raw_time);
    }

    /// Hands on the events that have waited long enough.
    #[inline]
    pub(super) fn hand_on(&mut self) -> Result<(), Error> {
        while let Some((raw_time, mut event)) = self.queue.due() {
            let (late, key) = (&mut self.late_stacks, &mut self.newest_key);
            late.take(raw_time, &mut event, key);
            self.importer.event(&event)?;
        }
        let Some(newest) = self.queue.newest() else {
            return Ok(());
        };
        while let Some(keys) = self.late_stacks.expired(newest) {
            for key in [keys.kernel, keys.user] {
                let half = HalfRef::Absent;
                let kind = EventKind::StackDefinition { key, half };
                self.importer.event(&without_cpu(None, kind))?;
            }
        }
        Ok(())
    }

    /// Passes on an event at once, after all that were queued.
    pub(super) fn hand_on_late(&mut self, ns: i64, kind: EventKind) -> Result<(), Error> {
        Ok(self.importer.event(&without_cpu(Some(ns), kind))?)
    }

    /// Hands on all events; returns the newest time stamp.
    pub(super) fn drain(&mut self) -> Result<Option<i64>, Error> {
        let newest = self.queue.newest();
        while let Some(event) = self.queue.pop() {
            self.importer.event(&event)?;
        }
        Ok(newest)
    }

    /// Returns the importer, to end it.
    pub(super) fn into_importer(self) -> Importer<'s> {
        self.importer
    }
}

fn without_cpu(time_ns: Option<i64>, kind: EventKind) -> Event {
    Event {
        time_ns,
        cpu: None,
        kind,
    }
}
