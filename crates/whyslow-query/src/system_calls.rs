//! Counted system calls: the rows in a scope, and their sums.

use whyslow_model::tables::{CallSampleRow, SystemCallRow};
use whyslow_model::{ProcessId, StackId, SystemCall, SystemCallResult, ThreadId};

use crate::error::QueryError;
use crate::recorded::recorded;
use crate::scope::Scope;
use crate::view::View;

/// Similar system calls of one thread.
#[derive(Debug, Clone, Copy)]
pub struct CountedCalls {
    /// The process.
    pub process: ProcessId,
    /// The thread.
    pub thread: ThreadId,
    /// The call; `None`: several.
    pub call: Option<SystemCall>,
    /// Their result; `None`: the thread ended in the call, or several results.
    pub result: Option<SystemCallResult>,
    /// When the period in which they were counted began; the same for all calls of the thread in
    /// it.
    pub from_ns: i64,
    /// Their number, time and bytes.
    pub sum: CallSum,
}

/// Sums over calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallSum {
    /// How many calls.
    pub count: i64,
    /// How many bytes they moved; `None` if they do not say.
    pub bytes: Option<i64>,
    /// Time in them; `None` if none was timed.
    pub ns: Option<i64>,
    /// The longest timed call.
    pub longest_ns: Option<i64>,
    /// How many were timed; if not all were, the time is an estimate.
    pub timed: i64,
}

impl CallSum {
    /// Returns the sum with 0 in place of negative numbers, as in a damaged row.
    #[must_use]
    pub(crate) fn or_zero(self) -> Self {
        let or_zero = |value: i64| value.max(0);
        Self {
            count: or_zero(self.count),
            bytes: self.bytes.map(or_zero),
            ns: self.ns.map(or_zero),
            longest_ns: self.longest_ns.map(or_zero),
            timed: or_zero(self.timed),
        }
    }

    /// Adds more calls.
    pub fn add(&mut self, other: &Self) {
        let both = |a: Option<i64>, b: Option<i64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (one, None) | (None, one) => one,
        };
        self.count = self.count.saturating_add(other.count);
        self.bytes = both(self.bytes, other.bytes);
        self.ns = both(self.ns, other.ns);
        self.longest_ns = self.longest_ns.max(other.longest_ns);
        self.timed = self.timed.saturating_add(other.timed);
    }

    /// Returns whether the time is an estimate.
    #[must_use]
    pub fn is_estimate(&self) -> bool {
        self.timed < self.count
    }
}

/// Passes every count of system calls in `scope` to `each`.
///
/// A count covers about a second. It belongs to the window that contains its middle, so that the
/// counts of adjacent windows add up.
pub fn counted_calls(
    view: View<'_>,
    scope: &Scope,
    mut each: impl FnMut(&CountedCalls),
) -> Result<(), QueryError> {
    recorded(view, scope, false, |row: SystemCallRow| {
        let (Some(process), Some(thread)) = (row.process, row.thread) else {
            return;
        };
        each(&CountedCalls {
            process,
            thread,
            call: row.call.map(SystemCall),
            result: row.result.map(SystemCallResult),
            from_ns: row.from_ns,
            sum: CallSum {
                count: row.count,
                bytes: row.bytes,
                ns: row.time_ns,
                longest_ns: row.longest_ns,
                timed: row.timed_count,
            }
            .or_zero(),
        });
    })
}

/// A system call whose stack was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampledCall {
    /// The process that made it.
    pub process: ProcessId,
    /// The thread that made it.
    pub thread: ThreadId,
    /// When it returned.
    pub time_ns: i64,
    /// The call.
    pub call: SystemCall,
    /// How many calls of the thread, of any kind, it represents.
    pub count: i64,
    /// Where it was made.
    pub stack: Option<StackId>,
}

/// Passes every system call in `scope` whose stack was taken to `each`, by process, thread and
/// time.
pub fn sampled_calls(
    view: View<'_>,
    scope: &Scope,
    mut each: impl FnMut(&SampledCall),
) -> Result<(), QueryError> {
    recorded(view, scope, false, |row: CallSampleRow| {
        let (Some(process), Some(thread)) = (row.process, row.thread) else {
            return;
        };
        each(&SampledCall {
            process,
            thread,
            time_ns: row.time_ns,
            call: SystemCall(row.call),
            count: row.count.clamp(0, MOST_CALLS),
            stack: row.stack,
        });
    })
}

/// Maximum number of calls that a sample represents: the sums of a table cannot overflow.
const MOST_CALLS: i64 = 1 << 32;
