//! What every thread of the command did, in order.

use whyslow_model::{FastMap, StackId, ThreadId, ThreadState};
use whyslow_query::facts::Facts;
use whyslow_query::interval::{Interval, ReadyTime, Waker};
use whyslow_query::wait::{ClassId, EndId};

use crate::path::WaitTarget;

/// Returns the id of the thread in row `at`.
pub(crate) fn thread_id(at: usize) -> ThreadId {
    ThreadId::from_index(at).unwrap_or(ThreadId(i32::MAX))
}

/// An interval, packed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) start_ns: i64,
    pub(crate) end_ns: i64,
    pub(crate) stack: Option<StackId>,
    /// The thread that ended a wait, or what did so in place of a thread.
    pub(crate) waker: Waker,
    pub(crate) state: ThreadState,
    pub(crate) class: ClassId,
    /// What ended a wait.
    pub(crate) end: EndId,
    /// Whether it is a piece of a longer wait, which ended so.
    pub(crate) is_part: bool,
    /// What kept it from running while it was ready: its place among [`ReadyTimes`].
    pub(crate) ready: u32,
    /// What it waited for, and how long at most: its place among [`Targets`].
    pub(crate) target: u32,
}

impl Piece {
    pub(crate) fn new(
        interval: &Interval,
        class: ClassId,
        (end, waker): (EndId, Waker),
        (ready, targets): (&mut ReadyTimes, &mut Targets),
    ) -> Self {
        Self {
            start_ns: interval.start_ns,
            end_ns: interval.end_ns,
            stack: interval.stack,
            waker,
            state: interval.state,
            class,
            end,
            is_part: false,
            ready: ready.place_of(interval.ready),
            target: targets.place_of(WaitTarget {
                object: interval.object,
                timeout_ns: interval.timeout_ns,
            }),
        }
    }

    /// Returns how long it is.
    pub(crate) fn ns(&self) -> i64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    /// Returns whether the thread ran or wanted to run.
    fn is_active(&self) -> bool {
        matches!(self.state, ThreadState::Running | ThreadState::Ready)
    }

    /// Returns whether the thread waited, for any reason.
    pub(crate) fn is_wait(&self) -> bool {
        use ThreadState::{OffCpu, Stopped, Waiting};
        matches!(self.state, Waiting | OffCpu | Stopped)
    }

    /// Returns the part within `[from, to)`.
    fn within(&self, from: i64, to: i64) -> (i64, i64) {
        (self.start_ns.max(from), self.end_ns.min(to))
    }
}

/// What kept threads from running; kept apart from the pieces, most of which do not need it.
#[derive(Debug)]
pub(crate) struct ReadyTimes(Vec<ReadyTime>);

impl ReadyTimes {
    /// Returns a list with only "not known", at place 0.
    pub(crate) fn new() -> Self {
        Self(vec![ReadyTime::default()])
    }

    /// Returns what is at a place.
    pub(crate) fn at(&self, place: u32) -> ReadyTime {
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        self.0.get(place).copied().unwrap_or_default()
    }

    fn place_of(&mut self, ready: Option<ReadyTime>) -> u32 {
        let known = ready.filter(|&ready| ready != ReadyTime::default());
        let place = known.and_then(|_| u32::try_from(self.0.len()).ok());
        self.0.extend(known.filter(|_| place.is_some()));
        place.unwrap_or(0)
    }
}

/// What threads waited for, each once.
#[derive(Debug)]
pub(crate) struct Targets {
    all: Vec<WaitTarget>,
    places: FastMap<WaitTarget, u32>,
}

impl Targets {
    /// Returns a list with only "not known", at place 0.
    pub(crate) fn new() -> Self {
        Self {
            all: vec![WaitTarget::default()],
            places: FastMap::default(),
        }
    }

    /// Returns what is at a place.
    pub(crate) fn at(&self, place: u32) -> WaitTarget {
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        self.all.get(place).copied().unwrap_or_default()
    }

    fn place_of(&mut self, target: WaitTarget) -> u32 {
        if target == WaitTarget::default() {
            return 0;
        }
        let next = u32::try_from(self.all.len()).unwrap_or(0);
        let place = *self.places.entry(target).or_insert(next);
        if place == next && next != 0 {
            self.all.push(target);
        }
        place
    }
}

/// All pieces, by thread.
#[derive(Debug)]
pub(crate) struct Threads {
    pieces: Vec<Vec<Piece>>,
    /// When threads that ended did their last, with their ids, in order.
    ends: Vec<(i64, usize)>,
}

impl Threads {
    /// Takes the pieces of each thread, in order of time.
    pub(crate) fn new(facts: &Facts, pieces: Vec<Vec<Piece>>) -> Self {
        let rows = facts.threads.iter().zip(&pieces).enumerate();
        let ended = rows.filter(|(_, (row, _))| row.end_ns.is_some());
        let ends = ended.filter_map(|(id, (_, pieces))| Some((pieces.last()?.end_ns, id)));
        let mut ends: Vec<_> = ends.collect();
        ends.sort_unstable();
        Self { pieces, ends }
    }

    /// Returns how many threads the trace has.
    pub(crate) fn count(&self) -> usize {
        self.pieces.len()
    }

    /// Returns everything that `thread` did.
    pub(crate) fn all(&self, thread: usize) -> &[Piece] {
        self.pieces.get(thread).map_or(&[], Vec::as_slice)
    }

    /// Returns the last interval of `thread` that begins before `now`.
    pub(crate) fn before(&self, thread: usize, now: i64) -> Option<Piece> {
        let pieces = self.pieces.get(thread)?;
        let after = pieces.partition_point(|piece| piece.start_ns < now);
        let mut before = pieces.get(..after)?.iter().rev();
        before.find(|piece| piece.end_ns > piece.start_ns).copied()
    }

    /// Returns whether `thread` was on a CPU right before `now`.
    pub(crate) fn was_running(&self, thread: usize, now: i64) -> bool {
        let piece = self.before(thread, now);
        piece.is_some_and(|piece| piece.state == ThreadState::Running && piece.end_ns >= now)
    }

    /// Returns whether one wait of `thread` lasts from the first of these times to the last.
    pub(crate) fn always_waits(&self, thread: usize, (from, to): (i64, i64)) -> bool {
        let mut pieces = self.all(thread).iter();
        pieces
            .next()
            .is_some_and(|piece| piece.is_wait() && piece.start_ns <= from && piece.end_ns >= to)
    }

    /// Returns whether `thread` runs to its end from `now` on.
    pub(crate) fn never_waits_after(&self, thread: usize, now: i64) -> bool {
        let pieces = self.all(thread);
        let after = pieces.partition_point(|piece| piece.end_ns <= now);
        !pieces[after..].iter().any(Piece::is_wait)
    }

    /// Returns whether nothing is known of `thread` from `now` on.
    pub(crate) fn never_begins_after(&self, thread: usize, now: i64) -> bool {
        let last = self.all(thread).last();
        last.is_none_or(|piece| piece.end_ns <= now)
    }

    /// Returns a thread other than `thread` that ended at `now` while it ran.
    pub(crate) fn ended_at(&self, now: i64, thread: usize) -> Option<usize> {
        let until = self.ends.partition_point(|&(end, _)| end <= now);
        let ends = self.ends[..until].iter().rev();
        let mut ends = ends.take_while(|&&(end, _)| end == now);
        let (_, id) = ends.find(|&&(_, id)| id != thread)?;
        self.was_running(*id, now).then_some(*id)
    }

    /// Returns what `thread` did in `[start, end)`, latest first.
    pub(crate) fn during(
        &self,
        thread: usize,
        start: i64,
        end: i64,
    ) -> impl Iterator<Item = &Piece> {
        let pieces = self.pieces.get(thread).map_or(&[][..], Vec::as_slice);
        let before = pieces.partition_point(|piece| piece.start_ns < end);
        let within = pieces[..before].iter().rev();
        within.take_while(move |piece| piece.end_ns > start)
    }

    /// Returns how long `thread` ran or wanted to run.
    pub(crate) fn active_ns(&self, thread: usize, start: i64, end: i64) -> i64 {
        let active = self.during(thread, start, end).filter(|p| p.is_active());
        let parts = active.map(|piece| piece.within(start, end));
        parts.map(|(from, to)| to - from).sum()
    }

    /// Returns when `thread` ran or wanted to run.
    pub(crate) fn active(
        &self,
        thread: usize,
        start: i64,
        end: i64,
    ) -> impl Iterator<Item = (i64, i64)> {
        let active = self.during(thread, start, end).filter(|p| p.is_active());
        active.map(move |piece| piece.within(start, end))
    }

    /// Returns how long `thread` ran, wanted to run, or waited for a thing rather than for others;
    /// `followed` says which classes are waits for others.
    pub(crate) fn busy_ns(
        &self,
        thread: usize,
        (start, end): (i64, i64),
        followed: &[bool],
    ) -> i64 {
        let busy = self.during(thread, start, end).filter(|piece| {
            let for_a_thing = piece.state == ThreadState::Waiting;
            piece.is_active() || (for_a_thing && !followed[usize::from(piece.class)])
        });
        let parts = busy.map(|piece| piece.within(start, end));
        parts.map(|(from, to)| to - from).sum()
    }
}
