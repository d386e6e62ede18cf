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
    /// By group: when a goroutine was no longer seen in it, in order.
    ends: BTreeMap<usize, Vec<i64>>,
}

/// Where little happens, a program is looked at this rarely; what was over by then may have ended this much
/// earlier.
const LOOKS_NS: i64 = 60_000_000;

/// How many goroutines do what.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    /// By group; those that do not wait under `None`.
    of_group: BTreeMap<Option<usize>, i64>,
}

impl Sweep {
    pub(super) fn new(seen: &[Seen]) -> Self {
        let mut changes = Vec::with_capacity(seen.len() * 2);
        let mut ends: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
        for one in seen.iter().filter(|one| one.from_ns < one.to_ns) {
            changes.push((one.from_ns, one.count, one.group));
            changes.push((one.to_ns, -one.count, one.group));
            if let Some(group) = one.group {
                ends.entry(group).or_default().push(one.to_ns);
            }
        }
        changes.sort_unstable();
        ends.values_mut().for_each(|ends| ends.sort_unstable());
        Self {
            changes,
            next: 0,
            counts: Counts::default(),
            ends,
        }
    }

    /// Returns whether a goroutine of a group was no longer seen waiting at the look after a moment.
    pub(super) fn has_ended(&self, group: usize, ns: i64) -> bool {
        let ends = self.ends.get(&group).map_or(&[][..], Vec::as_slice);
        let next = ends.partition_point(|&end| end < ns);
        let next = ends.get(next);
        next.is_some_and(|&end| end <= ns.saturating_add(LOOKS_NS))
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
    /// Returns what most of the goroutines wait for, if it says why nothing continued: a mutex or semaphore if at
    /// least as many wait for it as do something else; the same for a channel that is used as a semaphore; else
    /// sleeps, but only if it was time that ended the
    /// wait (`by_time`), and no connection is waited for by more, or as many of those that sleep answer requests.
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
        let full = most(&|kind| kind == Kind::Send);
        let full = full.filter(|&(at, count)| count >= others && self.is_semaphore(groups, at));
        if let Some((full, _)) = full {
            return Some(full);
        }
        let asleep = sum(&|kind| kind == Kind::Sleep);
        let talking = sum(&|kind| kind == Kind::Talk);
        // Who asks this very program waits for one of its goroutines that answer.
        let serving = self.waiting().filter(|&(at, _)| groups[at].serves);
        let serving = serving.filter(|&(at, _)| groups[at].kind == Kind::Sleep);
        let serving: i64 = serving.map(|(_, count)| count).sum();
        let is_sleep = asleep > talking || (serving > 0 && serving >= talking);
        let sleep = most(&|kind| kind == Kind::Sleep).filter(|_| by_time && is_sleep);
        sleep.map(|(group, _)| group)
    }

    /// Returns what those goroutines waited for that a wait of the path was for, if none of them says why nothing
    /// continued: connections, or, if time ended the wait (`by_time`), a timer or a deadline of their own. If several places
    /// may have set the timer, it is not known which one did. `has_ended` says which waits ended with that of the
    /// path.
    pub(super) fn behind(
        &self,
        groups: &[Group],
        by_time: bool,
        has_ended: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        let ended = |kind: Kind| {
            let of_kind = self
                .waiting()
                .filter(move |&(at, _)| groups[at].kind == kind);
            of_kind.filter(|&(at, _)| has_ended(at))
        };
        if !by_time {
            let most = ended(Kind::Talk).max_by_key(|&(at, count)| (count, std::cmp::Reverse(at)));
            return most.map(|(at, _)| at);
        }
        if ended(Kind::Sleep).next().is_some() {
            return None;
        }
        let kinds = [Kind::Select, Kind::Receive, Kind::Talk].into_iter();
        let mut known = kinds.filter_map(|kind| {
            let (first, _) = ended(kind).next()?;
            let place = &groups[first].place;
            let is_only = ended(kind).all(|(at, _)| groups[at].place == *place);
            Some(is_only.then_some(first))
        });
        known.next().flatten()
    }

    /// Returns whether a channel that goroutines wait to send to limits how many do something: those that do
    /// anything have come past the same function, and nobody else is there to take what is sent.
    fn is_semaphore(&self, groups: &[Group], full: usize) -> bool {
        let waits_in = groups[full].waits_in;
        let mut deeds = self
            .waiting()
            .filter(|&(at, _)| groups[at].kind.is_deed())
            .peekable();
        deeds.peek().is_some() && deeds.all(|(at, _)| groups[at].own.contains(&waits_in))
    }

    /// Returns whether every goroutine that was seen waited.
    pub(super) fn all_wait(&self) -> bool {
        let running = self.of_group.get(&None);
        running.is_none_or(|&count| count == 0)
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
                Kind::Select | Kind::Receive | Kind::Send | Kind::Message | Kind::Join => {
                    Deed::Waited
                }
                Kind::Collection | Kind::Assist => Deed::Waited,
                Kind::Lock | Kind::Semaphore => continue,
            };
            let is_gate = main.kind.is_gate() || main.kind == Kind::Send;
            if is_gate && group.own.contains(&main.waits_in) {
                let key = (deed, Arc::clone(&group.place));
                *crowd.holders.entry(key).or_default() += time;
            }
        }
    }
}
