//! Threads of Linux' deadline class that had used up their time, and waited for their next period.

use std::collections::BTreeMap;

use whyslow_model::{ThreadId, ThreadState};
use whyslow_query::interval::Interval;
use whyslow_query::spans::Spans;

use crate::path::{Path, What};

/// The priority of the deadline class.
const DEADLINE: i32 = -1;

/// It takes no longer to wake up on an idle CPU, nanoseconds.
const WAKING_NS: i64 = 1_000_000;

/// When threads of that class were ready to run.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    ready: BTreeMap<ThreadId, Vec<(i64, i64)>>,
}

impl Budget {
    /// Looks at an interval of the command.
    pub(crate) fn look_at(&mut self, interval: &Interval) {
        let is_ready = interval.state == ThreadState::Ready && interval.ns() > WAKING_NS;
        if is_ready && interval.priority == Some(DEADLINE) {
            let spans = self.ready.entry(interval.thread).or_default();
            spans.push((interval.start_ns, interval.end_ns));
        }
    }

    /// Returns when the path was kept from running by that, without the time that its thread competed.
    pub(crate) fn used_up(self, path: &Path, competing: &Spans) -> Spans {
        let by_thread = self.ready.into_iter();
        let by_thread = by_thread.map(|(thread, ready)| (thread, Spans::new(ready)));
        let ready: BTreeMap<ThreadId, Spans> = by_thread.collect();
        let steps = path.steps.iter().filter(|step| step.what == What::Ready);
        let parts = steps.filter_map(|step| {
            let ready = ready.get(&step.thread?)?;
            Some(ready.cut(step.from_ns, step.to_ns))
        });
        let parts = parts.flatten();
        Spans::new(parts).without(competing)
    }
}
