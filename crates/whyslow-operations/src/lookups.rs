//! Names that the C library looked up: each call becomes a row.

use whyslow_model::tables::NameLookupRow;
use whyslow_model::{LabelId, RawRow};

use crate::tracker::{Scene, Tracker};

/// A look-up that ended at the time of the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameLookup {
    /// The thread.
    pub tid: u32,
    /// When it began.
    pub from_ns: i64,
    /// The name.
    pub name: Option<LabelId>,
    /// The type of record, where only that was looked up.
    pub record_type: Option<u16>,
    /// 0, or the number of the error.
    pub result: i32,
}

/// There is nothing to follow.
#[derive(Debug)]
pub struct Lookups;

impl Tracker for Lookups {
    type Event = NameLookup;

    fn new(_: u32) -> Self {
        Self
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let thread = scene.owner(Some(event.tid));
        let from_ns = event.from_ns.clamp(scene.start_ns(), scene.ns());
        let mut row = RawRow::<NameLookupRow, _>::new();
        row.set(NameLookupRow::time_ns, from_ns);
        row.set(NameLookupRow::duration_ns, scene.ns() - from_ns);
        row.set(NameLookupRow::name, event.name);
        row.set(NameLookupRow::record_type, event.record_type.map(i32::from));
        row.set(NameLookupRow::result, event.result);
        scene.push(thread, &row);
    }

    fn loss(&mut self) {}

    fn end(&mut self, _: &mut dyn Scene) {}
}
