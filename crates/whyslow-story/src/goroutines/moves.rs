//! Time that moves from one group of waits to another, once it is known what the goroutines waited for.

use std::collections::BTreeMap;

use crate::path::WaitGroup;

/// Time that moves from one group of waits to another: all of it is moved at once.
#[derive(Default)]
pub(super) struct Moves {
    /// To a group about something else.
    elsewhere: BTreeMap<(usize, usize), i64>,
    /// To a group about the same, at a place that is known better.
    placed: BTreeMap<(usize, usize), i64>,
}

impl Moves {
    /// Notes that time which a group lost was for something else.
    pub(super) fn elsewhere(&mut self, between: (usize, usize), ns: i64) {
        *self.elsewhere.entry(between).or_default() += ns;
    }

    /// Notes that time which a group lost was for the same, at a place that is known better.
    pub(super) fn known_better(&mut self, between: (usize, usize), ns: i64) {
        *self.placed.entry(between).or_default() += ns;
    }

    pub(super) fn make(self, waits: &mut [WaitGroup]) {
        for (between, ns) in self.elsewhere {
            move_time(waits, between, ns);
        }
        // All that is left is about what it seemed to be.
        for (between, ns) in self.placed {
            move_all(waits, between, ns);
        }
    }
}

/// Takes time from one group of waits to another, which is about something else.
fn move_time(waits: &mut [WaitGroup], (at, to): (usize, usize), ns: i64) {
    waits[to].ns += ns;
    let from = &mut waits[at];
    let before = from.ns;
    from.ns -= ns;
    // Wakers and stacks lose time in proportion.
    let take = |part: &mut i64| *part -= part_of(*part, (ns, before));
    from.wakers.values_mut().for_each(take);
    from.stacks.values_mut().for_each(take);
    from.wakers.retain(|_, left| *left != 0);
    from.stacks.retain(|_, left| *left != 0);
}

/// Takes time from one group of waits to another, which is about the same at a place that is known better.
fn move_all(waits: &mut [WaitGroup], (at, to): (usize, usize), ns: i64) {
    let part = |of: i64| part_of(of, (ns, waits[at].ns));
    let wakers = waits[at].wakers.iter();
    let wakers = wakers.map(|(&waker, &of)| (waker, part(of)));
    let wakers: Vec<_> = wakers.filter(|&(_, part)| part != 0).collect();
    let targets = waits[at].targets.iter();
    let targets = targets.map(|(&target, &(of, count))| (target, (part(of), part(count))));
    let targets: Vec<_> = targets.filter(|(_, part)| *part != (0, 0)).collect();
    for (waker, part) in wakers {
        *waits[to].wakers.entry(waker).or_default() += part;
    }
    for (target, (part, count)) in targets {
        let sum = waits[to].targets.entry(target).or_default();
        (sum.0, sum.1) = (sum.0 + part, sum.1 + count);
        let left = waits[at].targets.entry(target).or_default();
        (left.0, left.1) = (left.0 - part, left.1 - count);
    }
    waits[at].targets.retain(|_, left| *left != (0, 0));
    move_time(waits, (at, to), ns);
}

/// Returns the part of an amount that a part of the time has.
fn part_of(amount: i64, (ns, all_ns): (i64, i64)) -> i64 {
    if all_ns <= 0 {
        return 0;
    }
    let part = i128::from(amount) * i128::from(ns) / i128::from(all_ns);
    i64::try_from(part).unwrap_or(amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::path::WaitTarget;
    use crate::place::Place;
    use whyslow_model::{StackId, ThreadId};
    use whyslow_query::wait::Rules;

    const WAKER: ThreadId = ThreadId(1);

    fn group(ns: i64) -> WaitGroup {
        let rules = Rules::shipped();
        WaitGroup {
            class: rules.find("goroutines").expect("a class"),
            process: "app".into(),
            place: Arc::new(Place::function("main")),
            end: rules.find_end("network").expect("an end"),
            between: None,
            ns,
            count: 0,
            lengths_ns: Vec::new(),
            wakers: BTreeMap::new(),
            stacks: BTreeMap::new(),
            targets: BTreeMap::new(),
            answering_ns: 0,
            crowd: None,
        }
    }

    fn target(object: i32) -> WaitTarget {
        WaitTarget {
            object: Some(object),
            timeout_ns: None,
        }
    }

    /// A group that waited for 1 second in all, and two in which nothing is yet.
    fn groups() -> Vec<WaitGroup> {
        let from = WaitGroup {
            wakers: BTreeMap::from([(WAKER, 600)]),
            stacks: BTreeMap::from([(StackId(3), 1000)]),
            targets: BTreeMap::from([(target(1), (900, 8)), (target(2), (100, 1))]),
            ..group(1000)
        };
        vec![from, group(0), group(0)]
    }

    #[test]
    fn what_moves_in_many_pieces_moves_as_one() {
        let mut waits = groups();
        let mut moves = Moves::default();
        for _ in 0..500 {
            moves.known_better((0, 1), 1);
        }
        moves.make(&mut waits);
        assert_eq!((waits[0].ns, waits[1].ns), (500, 500));
        assert_eq!(waits[1].wakers, BTreeMap::from([(WAKER, 300)]));
        let half = BTreeMap::from([(target(1), (450, 4)), (target(2), (50, 0))]);
        assert_eq!(waits[1].targets, half);
        assert_eq!(waits[0].targets[&target(1)], (450, 4));
        assert_eq!(waits[0].targets[&target(2)], (50, 1));
    }

    #[test]
    fn what_is_drained_leaves_nothing() {
        let mut waits = groups();
        let mut moves = Moves::default();
        moves.known_better((0, 1), 600);
        moves.elsewhere((0, 2), 400);
        moves.make(&mut waits);
        assert_eq!(
            waits.iter().map(|one| one.ns).collect::<Vec<_>>(),
            [0, 600, 400]
        );
        assert!(waits[0].targets.is_empty(), "{:?}", waits[0].targets);
        assert!(waits[0].wakers.is_empty(), "{:?}", waits[0].wakers);
        assert!(waits[0].stacks.is_empty(), "{:?}", waits[0].stacks);
        // What it seemed to wait for goes where that is known better.
        assert_eq!(waits[1].targets[&target(1)], (900, 8));
        assert!(waits[2].targets.is_empty());
    }

    #[test]
    fn a_part_too_small_to_count_makes_no_entry() {
        let mut waits = groups();
        let mut moves = Moves::default();
        moves.known_better((0, 1), 5);
        moves.make(&mut waits);
        assert!(!waits[1].targets.contains_key(&target(2)));
        assert_eq!(waits[0].targets[&target(2)], (100, 1));
    }
}
