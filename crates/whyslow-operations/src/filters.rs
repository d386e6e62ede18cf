//! Calls of mini-filters' routines: each is counted with those like it.

use whyslow_model::tables::FilterCallRow;
use whyslow_model::{FileId, FileOperation, FilterPhase, Named, RawRow};

use crate::stretches::{Call, Span, Stretches, Sum};
use crate::tracker::{Scene, Tracker};

/// A routine of a mini-filter returned; the stack of the event is the routine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilterEvent {
    /// How long it took.
    pub duration_ns: i64,
    /// The file.
    pub file: Option<FileId>,
    /// What is done with the file.
    pub operation: FileOperation,
    /// It saw the request after the file system, not before.
    pub is_after: bool,
}

/// What calls have in common that are counted together: file, operation, phase and routine.
type Alike = (Option<FileId>, i32, i32, i64);

/// The counts.
#[derive(Debug)]
pub struct FilterCalls {
    counts: Stretches<Alike>,
}

impl Tracker for FilterCalls {
    type Event = FilterEvent;

    fn new(most_open: u32) -> Self {
        Self {
            counts: Stretches::new(most_open, push),
        }
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let phase = match event.is_after {
            true => FilterPhase::After,
            false => FilterPhase::Before,
        };
        let routine = scene.stack();
        let ns = scene.ns();
        let from_ns = ns.saturating_sub(event.duration_ns).max(scene.start_ns());
        let call = Call {
            thread: scene.event_thread(),
            from_ns,
            bytes: None,
            duration_ns: Some(ns.saturating_sub(from_ns)),
        };
        let alike = (event.file, event.operation.code(), phase.code(), routine);
        self.counts.add(alike, &call, scene);
    }

    fn loss(&mut self) {}

    fn end(&mut self, scene: &mut dyn Scene) {
        self.counts.finish(scene);
    }
}

fn push(span: Span, &(file, operation, phase, routine): &Alike, sum: &Sum, scene: &mut dyn Scene) {
    let mut row = RawRow::<FilterCallRow, _>::new();
    row.set(FilterCallRow::from_ns, span.from_ns);
    row.set(FilterCallRow::duration_ns, span.duration_ns);
    row.set(FilterCallRow::file, file);
    row.set(FilterCallRow::operation, operation);
    row.set(FilterCallRow::phase, phase);
    row.set(FilterCallRow::count, sum.count);
    row.set(FilterCallRow::time_ns, sum.time_ns.unwrap_or(0));
    row.set(FilterCallRow::longest_ns, sum.longest_ns.unwrap_or(0));
    row.set_provisional(FilterCallRow::stack, routine);
    scene.push(span.thread, &row);
}
