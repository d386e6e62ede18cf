//! What programs said at a moment: exceptions and marks. Each is a row.

use whyslow_model::tables::{ExceptionRow, MarkRow};
use whyslow_model::{ExceptionFlags, LabelId, RawRow};

use crate::tracker::{Scene, Tracker};

/// An exception was thrown; the stack of the event is where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThrownException {
    /// Name of its type.
    pub kind: Option<LabelId>,
    /// Its message.
    pub message: Option<LabelId>,
    /// Its code (HRESULT).
    pub code: i32,
    /// What else is known.
    pub flags: ExceptionFlags,
}

/// There is nothing to follow.
#[derive(Debug)]
pub struct Exceptions;

impl Tracker for Exceptions {
    type Event = ThrownException;

    fn new(_: u32) -> Self {
        Self
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let (thread, stack) = (scene.event_thread(), scene.stack());
        let mut row = RawRow::<ExceptionRow, _>::new();
        row.set(ExceptionRow::time_ns, scene.ns());
        row.set(ExceptionRow::kind, event.kind);
        row.set(ExceptionRow::message, event.message);
        row.set(ExceptionRow::code, event.code);
        row.set(ExceptionRow::flags, event.flags.0);
        row.set_provisional(ExceptionRow::stack, stack);
        scene.push(thread, &row);
    }

    fn loss(&mut self) {}

    fn end(&mut self, _: &mut dyn Scene) {}
}

/// A mark was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetMark {
    /// Its text.
    pub text: Option<LabelId>,
}

/// There is nothing to follow.
#[derive(Debug)]
pub struct Marks;

impl Tracker for Marks {
    type Event = SetMark;

    fn new(_: u32) -> Self {
        Self
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let thread = scene.event_thread();
        let mut row = RawRow::<MarkRow, _>::new();
        row.set(MarkRow::time_ns, scene.ns());
        row.set(MarkRow::text, event.text);
        scene.push(thread, &row);
    }

    fn loss(&mut self) {}

    fn end(&mut self, _: &mut dyn Scene) {}
}
