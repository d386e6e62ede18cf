//! Operations on the registry: each is counted with those like it.

use whyslow_model::tables::RegistryCallRow;
use whyslow_model::{FileId, LabelId, Named, RawRow, RegistryOperation};

use crate::stretches::{Call, Span, Stretches, Sum};
use crate::tracker::{Scene, Tracker};

/// An operation on the registry ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegistryEvent {
    /// How long it took; `None` where that was not recorded.
    pub duration_ns: Option<i64>,
    /// The key.
    pub key: Option<FileId>,
    /// Name of the value.
    pub value: Option<LabelId>,
    /// What was done.
    pub operation: RegistryOperation,
    /// The result: 0, or an error.
    pub result: i32,
}

/// What operations have in common that are counted together: key, value, operation and result.
type Alike = (Option<FileId>, Option<LabelId>, i32, i32);

/// The counts.
#[derive(Debug)]
pub struct RegistryCalls {
    counts: Stretches<Alike>,
}

impl Tracker for RegistryCalls {
    type Event = RegistryEvent;

    fn new(most_open: u32) -> Self {
        Self {
            counts: Stretches::new(most_open, push),
        }
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let ns = scene.ns();
        let before = event.duration_ns.unwrap_or(0);
        let from_ns = ns.saturating_sub(before).max(scene.start_ns());
        let call = Call {
            thread: scene.event_thread(),
            from_ns,
            bytes: None,
            duration_ns: event.duration_ns.map(|_| ns.saturating_sub(from_ns)),
        };
        let alike = (event.key, event.value, event.operation.code(), event.result);
        self.counts.add(alike, &call, scene);
    }

    fn loss(&mut self) {}

    fn end(&mut self, scene: &mut dyn Scene) {
        self.counts.finish(scene);
    }
}

fn push(span: Span, &(key, value, operation, result): &Alike, sum: &Sum, scene: &mut dyn Scene) {
    let mut row = RawRow::<RegistryCallRow, _>::new();
    row.set(RegistryCallRow::from_ns, span.from_ns);
    row.set(RegistryCallRow::duration_ns, span.duration_ns);
    row.set(RegistryCallRow::key, key);
    row.set(RegistryCallRow::value, value);
    row.set(RegistryCallRow::operation, operation);
    row.set(RegistryCallRow::result, result);
    row.set(RegistryCallRow::count, sum.count);
    row.set(RegistryCallRow::time_ns, sum.time_ns);
    row.set(RegistryCallRow::longest_ns, sum.longest_ns);
    scene.push(span.thread, &row);
}
