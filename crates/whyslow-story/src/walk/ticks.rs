//! Timers of a server's event loop, which go off again and again whatever it waits for.
//!
//! ```text
//! client   ────────────── waits for the broker ──────────────┤
//! broker   ───────┤tick├────────────┤tick├─────┤ passes on    one wait for the worker, not three waits
//! worker   █████████████████████████████████████ sends
//! ```

use whyslow_query::interval::Waker;
use whyslow_query::wait::Rules;

use super::threads::Piece;
use super::{MOST_LOOKS, Walk};

/// At a tick a server does no more than some housekeeping, nanoseconds.
const TICK_NS: i64 = 1_000_000;

/// Fewer timers that went off show no habit.
const MANY: usize = 5;

/// The times between two ticks differ by no more than this percentage from the usual one.
const ALIKE: i64 = 10;

/// Classes of waits in an event loop.
const LOOPS: [&str; 2] = ["loop", "poll"];

/// Returns how long it usually is from one tick of a thread to the next, if its timers go off at regular intervals.
fn period_ns(pieces: &[Piece], rules: &Rules) -> Option<i64> {
    let ticks = pieces.iter().filter(|piece| is_tick(piece, rules));
    let ends: Vec<i64> = ticks.map(|piece| piece.end_ns).collect();
    if ends.len() < MANY {
        return None;
    }
    let pairs = ends.windows(2);
    let mut between: Vec<i64> = pairs.map(|pair| pair[1] - pair[0]).collect();
    between.sort_unstable();
    let usual = between[between.len() / 2];
    let alike = between.iter().filter(|&&ns| is_alike(ns, usual)).count();
    (alike * 2 > between.len()).then_some(usual)
}

fn is_tick(piece: &Piece, rules: &Rules) -> bool {
    let class = rules.class(piece.class).name.as_str();
    piece.is_wait() && LOOPS.contains(&class) && rules.is_timeout(piece.end)
}

fn is_alike(ns: i64, usual: i64) -> bool {
    (ns - usual).saturating_mul(100).saturating_abs() <= usual.saturating_mul(ALIKE)
}

impl Walk<'_> {
    /// Returns the thread of another server for which an event loop waited when its regular timer went off: it went on
    /// waiting at once, until that thread sent something.
    pub(super) fn awaited_beyond_tick(&mut self, thread: usize, piece: &Piece) -> Option<usize> {
        let rules = self.classes.rules;
        if !self.are_strangers || !is_tick(piece, rules) || self.looks > MOST_LOOKS {
            return None;
        }
        let pieces = self.threads.all(thread);
        let usual = self.periods.entry(thread);
        let usual = (*usual.or_insert_with(|| period_ns(pieces, rules)))?;
        let at = pieces.partition_point(|other| other.end_ns <= piece.end_ns);
        let mut end_ns = piece.end_ns;
        let waits = pieces[at..].iter().filter(|other| other.is_wait());
        for next in waits {
            self.looks = self.looks.saturating_add(1);
            let goes_on = next.start_ns - end_ns <= TICK_NS
                && next.end_ns <= self.span_ns.1
                && (next.class, next.stack) == (piece.class, piece.stack);
            if !goes_on {
                return None;
            }
            if is_tick(next, rules) {
                if !is_alike(next.end_ns - end_ns, usual) {
                    return None;
                }
                end_ns = next.end_ns;
                continue;
            }
            let Waker::Thread(waker) = next.waker else {
                return None;
            };
            let process = |id: usize| self.facts.threads.get(id).map(|row| row.process);
            let is_other = process(waker.index()) != process(thread);
            return (is_other && self.command.has_thread(waker)).then(|| waker.index());
        }
        None
    }
}
