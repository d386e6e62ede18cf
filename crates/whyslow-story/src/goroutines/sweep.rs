//! How many goroutines of a process do what, at each moment.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::kind::Kind;
use super::{Group, Seen};
use crate::crowd::{Crowd, Deed};

/// Goes through the time of a process once, from its start to its end.
#[derive(Debug)]
pub(super) struct Sweep {
    /// When a goroutine begins or ends something: time, how many more or less, of which group.
    changes: Vec<(i64, i64, Option<usize>)>,
    next: usize,
    counts: Counts,
}

/// How many goroutines do what.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    /// By group; those that do not wait under `None`.
    of_group: BTreeMap<Option<usize>, i64>,
}

impl Sweep {
    pub(super) fn new(seen: &[Seen]) -> Self {
        let mut changes = Vec::with_capacity(seen.len() * 2);
        for one in seen.iter().filter(|one| one.from_ns < one.to_ns) {
            changes.push((one.from_ns, one.count, one.group));
            changes.push((one.to_ns, -one.count, one.group));
        }
        changes.sort_unstable();
        Self {
            changes,
            next: 0,
            counts: Counts::default(),
        }
    }

    /// Returns the pieces of a stretch of time in each of which nothing changes. Stretches come in order.
    pub(super) fn cut(&mut self, from_ns: i64, to_ns: i64) -> Vec<(i64, i64, Counts)> {
        self.go_to(from_ns);
        let mut pieces = Vec::new();
        let mut at = from_ns;
        while at < to_ns {
            let change = self.changes.get(self.next).map(|&(ns, ..)| ns);
            let until = change.map_or(to_ns, |ns| ns.min(to_ns));
            pieces.push((at, until, self.counts.clone()));
            at = until;
            self.go_to(at);
        }
        pieces
    }

    /// Takes all changes up to a moment.
    fn go_to(&mut self, ns: i64) {
        while let Some(&(at, more, group)) = self.changes.get(self.next)
            && at <= ns
        {
            let count = self.counts.of_group.entry(group).or_default();
            *count += more;
            if *count == 0 {
                self.counts.of_group.remove(&group);
            }
            self.next += 1;
        }
    }
}

impl Counts {
    /// Returns what most of the goroutines wait for that says why nothing went on: a mutex or semaphore if at
    /// least as many wait for it as do something else; else sleeps, but only if it was time that ended the
    /// wait (`by_time`), and no connection is waited for by more.
    pub(super) fn main(&self, groups: &[Group], by_time: bool) -> Option<usize> {
        let sum = |wanted: &dyn Fn(Kind) -> bool| -> i64 {
            let all = self.waiting();
            let wanted = all.filter(|&(group, _)| wanted(groups[group].kind));
            wanted.map(|(_, count)| count).sum()
        };
        let most = |wanted: &dyn Fn(Kind) -> bool| {
            let wanted = self
                .waiting()
                .filter(|&(group, _)| wanted(groups[group].kind));
            wanted.max_by_key(|&(group, count)| (count, std::cmp::Reverse(group)))
        };
        let gate = most(&Kind::is_gate);
        let at_gates = sum(&Kind::is_gate);
        let others = sum(&Kind::is_deed) + self.of_group.get(&None).copied().unwrap_or(0);
        if let Some((gate, _)) = gate.filter(|_| at_gates >= others) {
            return Some(gate);
        }
        let asleep = sum(&|kind| kind == Kind::Sleep);
        let talking = sum(&|kind| kind == Kind::Talk);
        let sleep = most(&|kind| kind == Kind::Sleep).filter(|_| by_time && asleep > talking);
        sleep.map(|(group, _)| group)
    }

    fn waiting(&self) -> impl Iterator<Item = (usize, i64)> {
        let all = self.of_group.iter();
        all.filter_map(|(group, &count)| Some(((*group)?, count)))
    }

    /// Adds what the goroutines did for some time in which a group was the main one.
    pub(super) fn add_to(&self, crowd: &mut Crowd, main: usize, groups: &[Group], ns: i64) {
        let main = &groups[main];
        let idle = self.of_group.get(&None).copied().unwrap_or(0);
        crowd.all_ns += idle.saturating_mul(ns);
        for (at, count) in self.waiting() {
            let group = &groups[at];
            let time = count.saturating_mul(ns);
            if group.kind != Kind::Join {
                crowd.all_ns += time;
            }
            if group.kind == main.kind {
                crowd.waiting_ns += time;
                continue;
            }
            let deed = match group.kind {
                Kind::Sleep => Deed::Slept,
                Kind::Talk => Deed::Talked,
                Kind::Message | Kind::Join => Deed::Waited,
                Kind::Lock | Kind::Semaphore => continue,
            };
            if main.kind.is_gate() && group.own.contains(&main.waits_in) {
                let key = (deed, Arc::clone(&group.place));
                *crowd.holders.entry(key).or_default() += time;
            }
        }
    }
}
