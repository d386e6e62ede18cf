//! What goroutines of Go programs did.

use whyslow_model::GoroutineState as State;
use whyslow_perfdata::whyslow_events::{Goroutine, GoroutineState, UserStackEnd};
use whyslow_perfdata::{Endian, Record, Sample};

use super::{Frontend, time};
use crate::event::{EventKind, OperationEvent};
use crate::operations::{Operation, SeenGoroutine};
use whyslow_stacks::StackRef;

impl Frontend<'_> {
    /// Returns what a goroutine has done until now.
    pub(super) fn goroutine(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        endian: Endian,
    ) -> Option<(Option<i64>, EventKind)> {
        let told = Goroutine::decode(sample.raw, endian)?;
        let seen = SeenGoroutine {
            tid: u32::try_from(sample.tid()?).ok()?,
            id: i64::try_from(told.id).ok()?,
            from_ns: i64::try_from(told.from_ns).ok()?,
            count: told.stands_for.into(),
            state: match told.state {
                GoroutineState::Waiting => State::Waiting,
                GoroutineState::Ready => State::Ready,
                GoroutineState::Running => State::Running,
                GoroutineState::SystemCall => State::SystemCall,
            },
        };
        // The innermost frame alone is the same for all of them.
        let has_stack = !sample.callchain.is_empty() && told.end != UserStackEnd::Skipped;
        let stack = match has_stack {
            false => StackRef::NONE,
            true => self.chains.stack(&mut self.importer, sample.callchain),
        };
        let operation = EventKind::Operation(OperationEvent {
            pid: None,
            tid: Some(seen.tid),
            operation: Operation::from(seen),
            stack: StackRef {
                user: stack.user,
                ..StackRef::NONE
            },
        });
        Some((time(record), operation))
    }
}
