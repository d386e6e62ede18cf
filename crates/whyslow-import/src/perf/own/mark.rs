//! Marks, as Whyslow's recorder reports them.

use whyslow_marks::spelling;
use whyslow_perfdata::Record;
use whyslow_perfdata::whyslow_events::Mark;
use whyslow_stacks::StackRef;

use super::super::{Frontend, time};
use crate::error::Error;
use crate::event::{Event, EventKind, OperationEvent};
use crate::operations::{Operation, SetMark};

impl Frontend<'_> {
    pub(super) fn mark(&mut self, record: &Record<'_>, told: &Mark) -> Result<(), Error> {
        let mut text = spelling::text(&told.text);
        if told.is_cut && !text.ends_with('…') {
            text.push('…');
        }
        let mark = SetMark {
            text: self.importer.label(&text),
        };
        let operation = OperationEvent {
            pid: Some(told.pid),
            tid: Some(told.tid),
            operation: Operation::from(mark),
            stack: StackRef::NONE,
        };
        let event = Event {
            time_ns: time(record).map(|ns| ns.min(self.whole_to_ns)),
            cpu: record.cpu,
            kind: EventKind::Operation(operation),
        };
        Ok(self.importer.event(&event)?)
    }
}
