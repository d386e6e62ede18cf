//! System calls, counted where they were made: each count becomes a row.

use whyslow_model::tables::SystemCallRow;
use whyslow_model::{RawRow, SystemCall};
use whyslow_perfdata::whyslow_events::{self, CallEnd, CallTable, SystemCalls};

use crate::tracker::{Scene, Tracker};

/// System calls of one thread that were alike, up to the time of the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedCalls {
    /// The thread.
    pub tid: u32,
    /// When the first of the thread's calls that are reported together began, or earlier.
    pub from_ns: i64,
    /// Which call; `None`: several.
    pub call: Option<SystemCall>,
    /// The error, or 0; `None`: the thread ended in the call, or several.
    pub result: Option<i32>,
    /// How many.
    pub count: i64,
    /// How many bytes they moved; `None` where they do not say.
    pub bytes: Option<i64>,
    /// Time in them, estimated where not all were timed; `None` where none was.
    pub time_ns: Option<i64>,
    /// The longest that was timed.
    pub longest_ns: Option<i64>,
    /// How many were timed.
    pub timed_count: i64,
}

impl CountedCalls {
    /// Returns what Whyslow's recorder reported about a thread.
    pub fn of(told: &SystemCalls) -> impl Iterator<Item = Self> {
        let from_ns = i64::try_from(told.from_ns).unwrap_or(0);
        let calls = told.calls.iter();
        calls.map(move |call| Self::of_one(told.tid, from_ns, call))
    }

    fn of_one(tid: u32, from_ns: i64, told: &whyslow_events::SystemCall) -> Self {
        let number = i32::from(told.number);
        let call = SystemCall(match told.table {
            CallTable::Native => number,
            CallTable::Bits32 => number + SystemCall::BITS_32,
            CallTable::X32 => number + SystemCall::X32,
        });
        let call = (told.end != CallEnd::Others).then_some(call);
        let has_bytes = call.is_some_and(SystemCall::returns_bytes);
        let is_timed = told.timed_count > 0;
        Self {
            tid,
            from_ns,
            call,
            result: (told.end == CallEnd::Returned).then_some(told.error.into()),
            count: number_of(told.count),
            bytes: has_bytes.then_some(number_of(told.result_sum)),
            time_ns: is_timed.then_some(number_of(told.time_ns)),
            longest_ns: is_timed.then_some(number_of(told.longest_ns)),
            timed_count: number_of(told.timed_count),
        }
    }
}

fn number_of(told: u64) -> i64 {
    i64::try_from(told).unwrap_or(i64::MAX)
}

/// There is nothing to follow: the counts are complete.
#[derive(Debug)]
pub struct Calls;

impl Tracker for Calls {
    type Event = CountedCalls;

    fn new(_: u32) -> Self {
        Self
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let thread = scene.known_thread(Some(event.tid));
        let from_ns = event.from_ns.clamp(scene.start_ns(), scene.ns());
        let mut row = RawRow::<SystemCallRow, _>::new();
        row.set(SystemCallRow::from_ns, from_ns);
        row.set(SystemCallRow::duration_ns, scene.ns() - from_ns);
        row.set(SystemCallRow::call, event.call.map(|call| call.0));
        row.set(SystemCallRow::result, event.result);
        row.set(SystemCallRow::count, event.count);
        row.set(SystemCallRow::bytes, event.bytes);
        row.set(SystemCallRow::time_ns, event.time_ns);
        row.set(SystemCallRow::longest_ns, event.longest_ns);
        row.set(SystemCallRow::timed_count, event.timed_count);
        scene.push(thread, &row);
    }

    fn loss(&mut self) {}

    fn end(&mut self, _: &mut dyn Scene) {}
}
