//! Goroutines of Go programs: what each did, and for how long, as the recorder saw it.

use whyslow_model::tables::GoroutineRow;
use whyslow_model::{GoroutineState, RawRow};

use crate::tracker::{Scene, Tracker};

/// A goroutine did one thing until now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenGoroutine {
    /// The first thread of its process.
    pub tid: u32,
    /// Its number in the process.
    pub id: i64,
    /// Since when.
    pub from_ns: i64,
    /// How many goroutines it represents.
    pub count: i64,
    /// What it did.
    pub state: GoroutineState,
}

/// There is nothing to follow.
#[derive(Debug)]
pub struct Goroutines;

impl Tracker for Goroutines {
    type Event = SeenGoroutine;

    fn new(_: u32) -> Self {
        Self
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let thread = scene.known_thread(Some(event.tid));
        let (now_ns, stack) = (scene.ns(), scene.stack());
        // It may have begun before the trace starts.
        let from_ns = event.from_ns.max(scene.start_ns()).min(now_ns);
        let mut row = RawRow::<GoroutineRow, _>::new();
        row.set(GoroutineRow::from_ns, from_ns);
        row.set(GoroutineRow::duration_ns, now_ns - from_ns);
        row.set(GoroutineRow::goroutine, event.id);
        row.set(GoroutineRow::state, event.state as i32);
        row.set(GoroutineRow::count, event.count);
        if event.state == GoroutineState::Waiting {
            row.set_provisional(GoroutineRow::stack, stack);
        }
        scene.push(thread, &row);
    }

    fn loss(&mut self) {}

    fn end(&mut self, _: &mut dyn Scene) {}
}
