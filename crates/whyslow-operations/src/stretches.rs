//! Calls that were told one by one, counted: those of a thread that are alike and ended within about a second.

use std::hash::Hash;

use whyslow_model::FastMap;

use crate::tracker::Scene;

/// Length of a stretch.
const STRETCH_NS: i64 = 1_000_000_000;

/// A call that has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) thread: u32,
    /// When it began.
    pub(crate) from_ns: i64,
    pub(crate) bytes: Option<i64>,
    pub(crate) duration_ns: Option<i64>,
}

/// Calls that are alike.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    pub(crate) count: i64,
    pub(crate) bytes: Option<i64>,
    pub(crate) time_ns: Option<i64>,
    pub(crate) longest_ns: Option<i64>,
    pub(crate) timed_count: i64,
}

/// Where the calls of a sum are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) thread: u32,
    pub(crate) from_ns: i64,
    pub(crate) duration_ns: i64,
}

/// The stretch of one thread.
#[derive(Debug)]
struct Stretch<A> {
    from_ns: i64,
    last_ns: i64,
    sums: FastMap<A, Sum>,
}

/// The stretches of all threads; calls are alike by `A`.
#[derive(Debug)]
pub(crate) struct Stretches<A> {
    of_thread: FastMap<u32, Stretch<A>>,
    /// Sums in them.
    length: usize,
    most: usize,
    /// Pushes the row of a sum.
    push: fn(Span, &A, &Sum, &mut dyn Scene),
}

impl<A: Hash + Ord + Copy> Stretches<A> {
    /// Returns stretches with at most about `most` sums at a time.
    pub(crate) fn new(most: u32, push: fn(Span, &A, &Sum, &mut dyn Scene)) -> Self {
        Self {
            of_thread: FastMap::default(),
            length: 0,
            most: usize::try_from(most).unwrap_or(usize::MAX),
            push,
        }
    }

    /// Adds a call that ends now.
    pub(crate) fn add(&mut self, alike: A, call: &Call, scene: &mut dyn Scene) {
        let ns = scene.ns();
        if self.length >= self.most || self.of_thread.len() > self.most {
            self.finish(scene);
        }
        let stretch = self
            .of_thread
            .entry(call.thread)
            .or_insert_with(|| Stretch {
                from_ns: call.from_ns,
                last_ns: ns,
                sums: FastMap::default(),
            });
        if ns.saturating_sub(stretch.from_ns) > STRETCH_NS && !stretch.sums.is_empty() {
            self.length -= stretch.sums.len();
            stretch.push(call.thread, self.push, scene);
        }
        if stretch.sums.is_empty() {
            // Stretches of a thread do not overlap.
            stretch.from_ns = call.from_ns.max(stretch.from_ns);
        }
        stretch.last_ns = ns;
        let before = stretch.sums.len();
        stretch.sums.entry(alike).or_default().add(call);
        self.length += stretch.sums.len() - before;
    }

    /// Ends all stretches.
    pub(crate) fn finish(&mut self, scene: &mut dyn Scene) {
        let mut threads: Vec<u32> = self.of_thread.keys().copied().collect();
        threads.sort_unstable();
        for thread in threads {
            if let Some(mut stretch) = self.of_thread.remove(&thread) {
                stretch.push(thread, self.push, scene);
            }
        }
        self.length = 0;
    }
}

impl<A: Ord + Copy> Stretch<A> {
    /// Pushes the rows; the next stretch begins where this one ends.
    fn push(
        &mut self,
        thread: u32,
        push: fn(Span, &A, &Sum, &mut dyn Scene),
        scene: &mut dyn Scene,
    ) {
        let mut sums: Vec<_> = self.sums.drain().collect();
        sums.sort_unstable_by_key(|(alike, _)| *alike);
        let span = Span {
            thread,
            from_ns: self.from_ns,
            duration_ns: self.last_ns.saturating_sub(self.from_ns).max(0),
        };
        for (alike, sum) in sums {
            push(span, &alike, &sum, scene);
        }
        self.from_ns = self.last_ns;
    }
}

impl Sum {
    fn add(&mut self, call: &Call) {
        self.count += 1;
        self.bytes = plus(self.bytes, call.bytes);
        self.time_ns = plus(self.time_ns, call.duration_ns);
        self.longest_ns = self.longest_ns.max(call.duration_ns);
        self.timed_count += i64::from(call.duration_ns.is_some());
    }
}

fn plus(sum: Option<i64>, more: Option<i64>) -> Option<i64> {
    match (sum, more) {
        (Some(sum), Some(more)) => Some(sum.saturating_add(more)),
        (sum, more) => sum.or(more),
    }
}
