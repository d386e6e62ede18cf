//! System calls with the place that made them: samples by count.

use whyslow_model::RawRow;
use whyslow_model::tables::CallSampleRow;

use crate::tracker::{Scene, Tracker};

/// A system call that returned, whose stack was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampledCall {
    /// The thread.
    pub tid: u32,
    /// Number of the call.
    pub call: i32,
    /// How many calls of the thread it represents.
    pub count: i64,
}

/// There is nothing to follow.
#[derive(Debug)]
pub struct CallSamples;

impl Tracker for CallSamples {
    type Event = SampledCall;

    fn new(_: u32) -> Self {
        Self
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let thread = scene.known_thread(Some(event.tid));
        let stack = scene.stack();
        let mut row = RawRow::<CallSampleRow, _>::new();
        row.set(CallSampleRow::time_ns, scene.ns());
        row.set(CallSampleRow::call, event.call);
        row.set(CallSampleRow::count, event.count);
        row.set_provisional(CallSampleRow::stack, stack);
        scene.push(thread, &row);
    }

    fn loss(&mut self) {}

    fn end(&mut self, _: &mut dyn Scene) {}
}
