//! What a frontend tells of the trace as a whole.

use whyslow_model::Capabilities;
use whyslow_model::tables::{EventCountRow, FactRow, SCHEMA_VERSION, TraceRow};

/// Facts of the trace, the machine and the recording.
#[derive(Debug, Clone)]
pub struct TraceFacts {
    /// The row of the `trace` table; start, length and lost events are filled in by import.
    pub trace: TraceRow,
    /// More facts, as key and value.
    pub facts: Vec<FactRow>,
    /// What the recording holds.
    pub capabilities: Capabilities,
    /// What kinds of events stood in the source.
    pub event_counts: Vec<EventCountRow>,
    /// Wall-clock time minus the trace's clock, in nanoseconds.
    pub unix_offset_ns: Option<i64>,
}

impl Default for TraceFacts {
    fn default() -> Self {
        Self {
            trace: TraceRow {
                trace_id: String::new(),
                schema_version: SCHEMA_VERSION,
                tool_version: String::new(),
                source: String::new(),
                source_bytes: 0,
                host: None,
                os: None,
                arch: None,
                cpu_name: None,
                cpus: None,
                memory_bytes: None,
                start_unix_ns: None,
                duration_ns: 0,
                zone: None,
                utc_offset_s: None,
                boot_unix_ns: None,
                boot_id: None,
                clock: None,
                clock_start_ns: 0,
                sample_period_ns: None,
                lost_events: 0,
                lost_buffers: None,
                recorder: None,
                command: None,
                test_case: None,
                measured_ms: None,
            },
            facts: Vec::new(),
            capabilities: Capabilities::default(),
            event_counts: Vec::new(),
            unix_offset_ns: None,
        }
    }
}
