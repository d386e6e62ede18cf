//! How much memory processes have, as Whyslow's recorder reports it.

use whyslow_perfdata::whyslow_events::ProcessMemory;
use whyslow_stacks::StackRef;

use crate::event::{EventKind, OperationEvent};
use crate::operations::{MemoryFigures, Operation, ProcessMemoryEvent};

/// Returns what a process has now. Figures beyond all memory are left out.
pub(super) fn memory_of(told: &ProcessMemory) -> EventKind {
    let bytes = |figure: Option<u64>| figure.and_then(|bytes| i64::try_from(bytes).ok());
    EventKind::Operation(OperationEvent {
        pid: Some(told.pid),
        tid: None,
        operation: Operation::from(ProcessMemoryEvent {
            pid: told.pid,
            figures: MemoryFigures {
                resident: bytes(told.resident),
                private: bytes(told.anonymous),
                file: bytes(told.file),
                shared: bytes(told.shared),
                swapped: bytes(told.swapped),
                committed: None,
                peak: bytes(told.peak),
            },
        }),
        stack: StackRef::NONE,
    })
}
