//! Where requests to disks are found in a recording.

mod etw;
mod perf;

use whyslow_model::Capability;
use whyslow_operations::{DiskEvent, DiskPhase, DiskRequest, RequestKey};

use super::source::Source;

/// Where requests to disks are found in a recording.
pub(super) const SOURCE: Source = Source {
    used_for: "disk requests",
    capability: Capability::DiskIo,
    tracepoints: perf::TRACEPOINTS,
    kernel_events: etw::KERNEL_EVENTS,
    provider_events: etw::PROVIDER_EVENTS,
};
