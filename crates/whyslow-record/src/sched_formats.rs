//! The tracepoints of the scheduler, and how they look on this machine.

use crate::open::OpenEvents;
use crate::rights;
use crate::switch_layout::SwitchLayout;
use crate::tracepoints::Tracepoints;
use crate::waking_layout::WakingLayout;

impl OpenEvents {
    /// Finds the tracepoints, and how those look that are always needed.
    pub(crate) fn find_tracepoints(&mut self) {
        let mut tracepoints = match Tracepoints::find() {
            Ok(tracepoints) => tracepoints,
            Err(error) => return self.missing.push(rights::no_tracefs(&error)),
        };
        // Should it fail, opening its event says why.
        let _ = tracepoints.id("sched", "sched_switch");
        let format = tracepoints.format("sched", "sched_switch");
        self.switch_layout = format.and_then(SwitchLayout::parse);
        let _ = tracepoints.id("sched", "sched_waking");
        let format = tracepoints.format("sched", "sched_waking");
        self.waking_layout = format.and_then(WakingLayout::parse);
        self.tracepoints = Some(tracepoints);
    }

    /// The id of the side-band's records on the first CPU.
    pub(crate) fn side_band(&self) -> u64 {
        let first = self.events.first().and_then(|event| event.ids.first());
        first.copied().unwrap_or(0)
    }
}
