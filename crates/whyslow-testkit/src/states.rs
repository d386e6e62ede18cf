//! What a thread did and when, according to the script of a
//! [`ScriptedMachine`](crate::ScriptedMachine).

/// A state of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// On a processor.
    Running,
    /// Runnable, without a processor.
    Ready,
    /// Waiting until something makes it ready.
    Waiting,
}

/// What made a thread ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waker {
    /// A thread, by its id.
    Thread(u32),
    /// A deferred procedure call, on behalf of no thread.
    Interrupt,
}

/// An interval in one state. Times are ticks since the session's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    /// The thread; 0 for the idle thread of `cpu`.
    pub thread: u32,
    /// When it began.
    pub start: i64,
    /// When it ended; the end of the trace for the last one.
    pub end: i64,
    /// The state.
    pub state: State,
    /// Where it ran; for other states, where it had run before, if it had.
    pub cpu: Option<u16>,
    /// `KWAIT_REASON` of a wait; `None` if the switch that began it is not in the trace.
    pub reason: Option<u8>,
    /// What ended a wait; also set for the ready time after it.
    pub waker: Option<Waker>,
    /// The waker's stack, innermost first.
    pub waker_stack: Vec<u64>,
    /// Where the thread was while it waited or was ready, according to the switch that brought it
    /// back.
    pub stack: Vec<u64>,
}

/// The intervals of one thread; the last is open.
#[derive(Debug, Clone)]
pub(crate) struct Timeline {
    pub(crate) intervals: Vec<Interval>,
}

impl Timeline {
    pub(crate) fn new(thread: u32, start: i64, state: State, cpu: Option<u16>) -> Self {
        let first = Interval {
            thread,
            start,
            end: i64::MAX,
            state,
            cpu,
            reason: None,
            waker: None,
            waker_stack: Vec::new(),
            stack: Vec::new(),
        };
        Self {
            intervals: vec![first],
        }
    }

    pub(crate) fn state(&self) -> State {
        self.intervals.last().unwrap().state
    }

    /// Ends the open interval and begins another; fields other than the state are copied from the
    /// one before, unless the thread runs.
    pub(crate) fn go(&mut self, time: i64, state: State) -> &mut Interval {
        let last = self.intervals.last_mut().unwrap();
        assert!(time >= last.start, "{last:?} ends at {time}");
        last.end = time;
        let mut next = last.clone();
        (next.start, next.end, next.state) = (time, i64::MAX, state);
        if state == State::Running || last.state == State::Running {
            (next.reason, next.waker) = (None, None);
            next.waker_stack.clear();
        }
        if last.start == last.end {
            self.intervals.pop();
        }
        self.intervals.push(next);
        self.intervals.last_mut().unwrap()
    }

    /// The time off the processor before the open interval, in which the thread runs.
    pub(crate) fn away(&mut self) -> impl Iterator<Item = &mut Interval> {
        let before = self.intervals.iter_mut().rev().skip(1);
        before.take_while(|interval| interval.state != State::Running)
    }

    pub(crate) fn close(&mut self, time: i64) {
        let last = self.intervals.last_mut().unwrap();
        last.end = last.end.min(time);
        if last.start >= last.end {
            self.intervals.pop();
        }
    }
}
