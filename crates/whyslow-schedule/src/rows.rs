//! The rows of the thread-state table, built from stretches of a thread's life.
//!
//! ```text
//!      out             wake          in
//!  ────┤ waiting        ┤ ready       ├────   a wait
//!  ────┤ ready                        ├────   preempted, or new
//!  ────┤ waiting  ┤ unknown           ├────   events were lost: it may have run then
//!  ────┤ waiting  ┤ unknown ┤ waiting ┤ …     … but waited when it was woken afterwards
//! ```
//!
//! Empty intervals make no row.

use whyslow_model::tables::{RawTableRow, ThreadStateRow};
use whyslow_model::{
    NULL_I64, Named, OwnerRef, RawRow, RawTable, RowSink, SinkError, StateFlags, TableRow,
    ThreadState, WaitReason, WakerKind,
};

use super::occupancy::Split;
use super::off::Off;
use super::sites::Sites;
use whyslow_settle::NONE;

/// Where rows go, and their totals.
pub struct Output<'s> {
    sink: &'s mut dyn RowSink,
    error: Option<SinkError>,
    /// Stacks for rows without one.
    pub sites: Sites,
    /// Switches are recorded; without them no state is known, and there are no rows.
    pub has_states: bool,
    /// Rows pushed, per table.
    pub rows: [u64; RawTable::COUNT],
    /// Time in state `unknown`.
    pub unknown_ns: i64,
    /// Time in any state.
    pub covered_ns: i64,
}

impl std::fmt::Debug for Output<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output")
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl<'s> Output<'s> {
    /// Returns an output to `sink`.
    pub fn new(sink: &'s mut dyn RowSink) -> Self {
        Self {
            sink,
            error: None,
            sites: Sites::default(),
            has_states: true,
            rows: [0; RawTable::COUNT],
            unknown_ns: 0,
            covered_ns: 0,
        }
    }

    /// Pushes one row; an error is kept for [`Output::check`].
    pub fn push<R: RawTableRow>(&mut self, thread: u32, row: &RawRow<R, R::Cells>) {
        self.push_cells(R::TABLE, thread, row.cells());
    }

    /// Pushes one row of a table, given as numbers.
    pub fn push_cells(&mut self, table: RawTable, thread: u32, cells: &[i64]) {
        self.rows[table.index()] += 1;
        if let Err(error) = self.sink.push(table, OwnerRef(thread), cells) {
            self.error.get_or_insert(error);
        }
    }

    /// Returns the first error since the last call.
    ///
    /// # Errors
    /// When the sink could not take a row.
    pub fn check(&mut self) -> Result<(), SinkError> {
        self.error.take().map_or(Ok(()), Err)
    }

    /// Pushes a running interval, and what the system accounts to it.
    pub fn running(
        &mut self,
        thread: u32,
        cpu: u32,
        span: Span,
        off: &Off,
        accounted_ns: Option<i64>,
    ) {
        let mut row = Row::new(span, ThreadState::Running, cpu);
        row.leaving(off);
        row.row.set(ThreadStateRow::cpu_ns, accounted_ns);
        let recorder_ns = off.recorder_ns.filter(|_| accounted_ns.is_some());
        row.row.set(ThreadStateRow::recorder_ns, recorder_ns);
        row.push(self, thread);
    }

    /// Pushes an interval about which nothing is known.
    pub fn unknown(&mut self, thread: u32, span: Span) {
        Row::new(span, ThreadState::Unknown, NONE).push(self, thread);
    }

    /// Pushes an interval off the CPU about which nothing else is known.
    pub fn off_cpu(&mut self, thread: u32, span: Span) {
        Row::new(span, ThreadState::OffCpu, NONE).push(self, thread);
    }

    /// Pushes the rows of a stretch off the CPU.
    pub fn away(&mut self, thread: u32, away: &Away) {
        let mut away = *away;
        self.sites.complete(&mut away.off);
        let (away, off) = (&away, &away.off);
        let good = away.good_ns.clamp(away.from_ns, away.until_ns);
        let wake_ns = match off.wake {
            _ if off.is_runnable() => away.from_ns,
            Some(wake) => wake.at_ns.clamp(away.from_ns, good),
            None => good,
        };
        let wait_from_ns = self.before_gap(thread, away, wake_ns);
        let mut flags = off.flags;
        if wait_from_ns > away.from_ns {
            // It may be a different wait from the one it left the CPU for.
            flags = flags.with(StateFlags::APPROXIMATE_STACK);
        }
        let wait = Span {
            from_ns: wait_from_ns,
            to_ns: wake_ns,
            flags,
        };
        let mut row = Row::new(wait, away.wait_state(), away.cpu);
        row.off(off);
        row.object(off);
        row.flag(
            away,
            off.wake.is_none() && away.is_wake_missing,
            StateFlags::NO_WAKE_UP,
        );
        row.push(self, thread);
        let ready = Span {
            from_ns: wake_ns,
            to_ns: good,
            flags: off.flags,
        };
        let mut row = Row::new(ready, ThreadState::Ready, away.cpu);
        row.off(off);
        row.flag(away, false, StateFlags::default());
        row.split(away.split);
        row.push(self, thread);
        let flags = StateFlags::AFTER_LOSS;
        let mut row = Row::new(
            Span {
                from_ns: good,
                to_ns: away.until_ns,
                flags,
            },
            ThreadState::Unknown,
            NONE,
        );
        row.flag(away, false, StateFlags::default());
        row.push(self, thread);
    }

    /// Pushes the wait up to where events were lost before the wake-up, and that time as unknown;
    /// returns when it certainly waited again.
    fn before_gap(&mut self, thread: u32, away: &Away, wake_ns: i64) -> i64 {
        let Some((from_ns, to_ns)) = away.gap.filter(|gap| gap.1 <= wake_ns) else {
            return away.from_ns;
        };
        let off = Off {
            wake: None,
            ..away.off
        };
        let wait = Span {
            from_ns: away.from_ns,
            to_ns: from_ns,
            flags: off.flags,
        };
        let mut row = Row::new(wait, away.wait_state(), away.cpu);
        row.off(&off);
        row.flag(away, false, StateFlags::default());
        row.push(self, thread);
        let gap = Span {
            from_ns,
            to_ns,
            flags: StateFlags::AFTER_LOSS,
        };
        let mut row = Row::new(gap, ThreadState::Unknown, NONE);
        row.flag(away, false, StateFlags::default());
        row.push(self, thread);
        to_ns
    }
}

/// An interval and its flags.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// Its start.
    pub from_ns: i64,
    /// Its end.
    pub to_ns: i64,
    /// Its flags.
    pub flags: StateFlags,
}

/// A finished stretch off the CPU.
#[derive(Debug, Clone, Copy)]
pub struct Away {
    /// Why, and what ended it.
    pub off: Off,
    /// When the thread left.
    pub from_ns: i64,
    /// When it was back, or when it or the trace ended.
    pub until_ns: i64,
    /// Up to when this is what really happened.
    pub good_ns: i64,
    /// When events were lost before it was woken.
    pub gap: Option<(i64, i64)>,
    /// When events were first lost in the meantime.
    pub loss_ns: Option<i64>,
    /// The CPU it left.
    pub cpu: u32,
    /// Wake-ups are recorded, and this wait should have ended with one.
    pub is_wake_missing: bool,
    /// Wake-ups are not recorded, or it was not seen to leave: when it became runnable is not
    /// known.
    pub is_blind: bool,
    /// It was away before the trace.
    pub is_open_start: bool,
    /// It was away when the trace ended.
    pub is_open_end: bool,
    /// What kept it from running once it was ready.
    pub split: Option<Split>,
}

impl Away {
    fn wait_state(&self) -> ThreadState {
        match self.off.reason {
            WaitReason::Stopped => ThreadState::Stopped,
            WaitReason::Idle => ThreadState::Waiting,
            _ if self.is_blind && self.off.wake.is_none() => ThreadState::OffCpu,
            _ => ThreadState::Waiting,
        }
    }
}

struct Row {
    row: RawRow<ThreadStateRow, <ThreadStateRow as TableRow>::Cells>,
    flags: StateFlags,
}

impl Row {
    fn new(span: Span, state: ThreadState, cpu: u32) -> Self {
        let mut row = RawRow::new();
        row.set(ThreadStateRow::start_ns, span.from_ns);
        let duration_ns = span.to_ns.saturating_sub(span.from_ns);
        row.set(ThreadStateRow::duration_ns, duration_ns);
        row.set(ThreadStateRow::state, state.code());
        row.set_provisional(ThreadStateRow::cpu, number_or_null(cpu));
        row.set(ThreadStateRow::reason, WaitReason::Unknown.code());
        Self {
            row,
            flags: span.flags,
        }
    }

    fn leaving(&mut self, off: &Off) {
        self.row.set(ThreadStateRow::reason, off.reason.code());
        self.row.set(ThreadStateRow::reason_raw, off.reason_raw);
        self.row.set(ThreadStateRow::priority, off.priority);
    }

    fn off(&mut self, off: &Off) {
        self.leaving(off);
        let row = &mut self.row;
        row.set_provisional(ThreadStateRow::stack, off.stack.to_column());
        if let Some(wake) = off.wake {
            row.set_provisional(ThreadStateRow::waker_thread, number_or_null(wake.thread));
            row.set_provisional(ThreadStateRow::waker_stack, wake.stack.to_column());
            row.set(ThreadStateRow::waker_kind, Some(wake.kind.code()));
        }
    }

    fn object(&mut self, off: &Off) {
        self.row
            .set_provisional(ThreadStateRow::object, number_or_null(off.object));
        self.row.set(ThreadStateRow::timeout_ns, off.timeout_ns);
    }

    fn split(&mut self, split: Option<Split>) {
        let row = &mut self.row;
        let of = |part: fn(&Split) -> i64| split.as_ref().map(part);
        row.set(ThreadStateRow::competing_ns, of(|split| split.competing_ns));
        row.set(ThreadStateRow::hand_over_ns, of(|split| split.hand_over_ns));
        row.set(ThreadStateRow::waking_ns, of(|split| split.waking_ns));
    }

    fn flag(&mut self, away: &Away, condition: bool, flags: StateFlags) {
        let start = self.row.get(ThreadStateRow::start_ns);
        let end = start.saturating_add(self.row.get(ThreadStateRow::duration_ns));
        if condition {
            self.flags = self.flags.with(flags);
            let unknown = WakerKind::Unknown.code();
            self.row.set(ThreadStateRow::waker_kind, Some(unknown));
        }
        if away.is_open_start && start == away.from_ns {
            self.flags = self.flags.with(StateFlags::OPEN_START);
        }
        let is_ready = self.row.get(ThreadStateRow::state) == ThreadState::Ready.code();
        let is_over = !is_ready && away.off.wake.is_some();
        if away.is_open_end && end == away.until_ns && !is_over {
            self.flags = self.flags.with(StateFlags::OPEN_END);
        }
        if away.loss_ns.is_some_and(|loss| end > loss) {
            self.flags = self.flags.with(StateFlags::AFTER_LOSS);
        }
    }

    fn push(mut self, out: &mut Output<'_>, thread: u32) {
        let duration_ns = self.row.get(ThreadStateRow::duration_ns);
        if duration_ns <= 0 || !out.has_states {
            return;
        }
        self.row.set(ThreadStateRow::flags, self.flags.0);
        out.covered_ns = out.covered_ns.saturating_add(duration_ns);
        if self.row.get(ThreadStateRow::state) == ThreadState::Unknown.code() {
            out.unknown_ns = out.unknown_ns.saturating_add(duration_ns);
        }
        out.push(thread, &self.row);
    }
}

/// Returns a provisional number in the form that rows hold it.
fn number_or_null(number: u32) -> i64 {
    if number == NONE {
        NULL_I64
    } else {
        number.into()
    }
}
