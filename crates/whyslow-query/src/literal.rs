//! Literal traces with the tables that the writer of an extract adds to them.

use whyslow_model::MemoryTrace;
use whyslow_testkit::Literal;

use crate::rollup::RollUps;

/// A literal trace as an extract holds it.
pub(crate) trait RolledUp {
    /// Returns the trace with its roll-ups.
    fn trace(&self, name: &str) -> MemoryTrace;
}

impl RolledUp for Literal {
    fn trace(&self, name: &str) -> MemoryTrace {
        let mut trace = self.raw(name);
        let rollups = RollUps::compute(&trace).expect("roll-ups");
        trace.put(rollups.methods);
        trace.put(rollups.timeline);
        trace
    }
}
