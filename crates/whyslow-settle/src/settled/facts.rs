//! What a frontend says about the trace as a whole.

use whyslow_model::tables::{EventCountRow, FactRow, SCHEMA_VERSION, TraceRow};
use whyslow_model::{Capabilities, TableRow};

/// Facts about the trace, the machine and the recording.
#[derive(Debug, Clone)]
pub struct TraceFacts {
    /// The row of the `trace` table; start, length and lost events are filled in by import.
    pub trace: TraceRow,
    /// More facts, as key and value.
    pub facts: Vec<FactRow>,
    /// What the recording holds.
    pub capabilities: Capabilities,
    /// The kinds of events in the source.
    pub event_counts: Vec<EventCountRow>,
    /// Wall-clock time minus the trace's clock, in nanoseconds.
    pub unix_offset_ns: Option<i64>,
}

impl Default for TraceFacts {
    fn default() -> Self {
        Self {
            trace: TraceRow {
                schema_version: SCHEMA_VERSION,
                ..TraceRow::unknown()
            },
            facts: Vec::new(),
            capabilities: Capabilities::default(),
            event_counts: Vec::new(),
            unix_offset_ns: None,
        }
    }
}
