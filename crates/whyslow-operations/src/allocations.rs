//! Memory that processes get from the system and give back, in whole ranges or in parts.

use std::collections::BTreeMap;

use whyslow_model::tables::AllocationRow;
use whyslow_model::{FastMap, ProblemKind, RawRow};

use crate::tracker::{NO_THREAD, Scene, Tracker};

/// A process gets memory or gives it back; the stack of the event is where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllocationEvent {
    /// The process whose memory it is.
    pub pid: u32,
    /// Whether it was this process that did it.
    pub is_own: bool,
    /// Whether the memory is given back, as far as the process has it; otherwise the process gets it, as
    /// far as it does not have it.
    pub is_given_back: bool,
    /// Where the range begins.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
}

/// A process: its id, and some thread of it, because ids are used again.
type Owner = (u32, u32);

/// The most ranges that a process has where it gets memory, that are looked at.
const MOST_AT_ONCE: usize = 1 << 14;

/// A range that a process has; the map that it is in says where it begins.
#[derive(Debug, Clone, Copy)]
struct Range {
    end: u64,
    ns: i64,
    thread: u32,
    stack: i64,
}

/// The ranges that processes have.
#[derive(Debug)]
pub struct Allocations {
    of: FastMap<Owner, BTreeMap<u64, Range>>,
    count: usize,
    most: usize,
    refused: u64,
}

impl Tracker for Allocations {
    type Event = AllocationEvent;

    fn new(most_open: u32) -> Self {
        Self {
            of: FastMap::default(),
            count: 0,
            most: usize::try_from(most_open).unwrap_or(usize::MAX),
            refused: 0,
        }
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let thread = event.is_own.then(|| scene.event_thread());
        let some_thread = scene.thread_of_process(event.pid);
        let owner = (event.pid, some_thread);
        self.has_threads_now(owner);
        let end = event.address.saturating_add(event.bytes);
        if event.is_given_back {
            return self.give_back(owner, (event.address, end), scene);
        }
        let range = Range {
            end,
            ns: scene.ns(),
            thread: thread.unwrap_or(some_thread),
            stack: scene.stack(),
        };
        self.get(owner, event.address, range);
    }

    fn loss(&mut self) {}

    /// What processes still have was not given back.
    fn end(&mut self, scene: &mut dyn Scene) {
        let mut processes: Vec<_> = self.of.drain().collect();
        processes.sort_by_key(|(owner, _)| *owner);
        for (address, range) in processes.into_iter().flat_map(|(_, ranges)| ranges) {
            push((address, range.end), &range, None, scene);
        }
        scene.problem(
            ProblemKind::LimitReached,
            self.refused,
            "allocations: too many at once",
        );
    }
}

impl Allocations {
    /// What another process got for one that had no threads yet is its own from its first thread on.
    fn has_threads_now(&mut self, owner: Owner) {
        let before = (owner.0, NO_THREAD);
        if owner == before {
            return;
        }
        if let Some(ranges) = self.of.remove(&before) {
            let own = |(start, range): (u64, Range)| {
                let thread = match range.thread {
                    NO_THREAD => owner.1,
                    known => known,
                };
                (start, Range { thread, ..range })
            };
            let ranges = ranges.into_iter().map(own).collect();
            self.of.insert(owner, ranges);
        }
    }

    /// Adds the parts of a range that the process does not have.
    fn get(&mut self, owner: Owner, from: u64, range: Range) {
        if range.end <= from {
            return;
        }
        let known = self.of.entry(owner).or_default();
        let before = known.range(..from).next_back();
        let mut at = before.map_or(from, |(_, one)| one.end.max(from));
        let mut gaps = Vec::new();
        let within = known.range(from..range.end);
        let mut is_whole = true;
        for (number, (&start, one)) in within.enumerate() {
            if number >= MOST_AT_ONCE {
                self.refused += 1;
                is_whole = false;
                break;
            }
            gaps.extend((start > at).then_some((at, start)));
            at = at.max(one.end);
        }
        gaps.extend((is_whole && range.end > at).then_some((at, range.end)));
        for (start, end) in gaps {
            if self.count >= self.most {
                self.refused += 1;
                continue;
            }
            self.count += 1;
            known.insert(start, Range { end, ..range });
        }
    }

    /// Ends what a process has between two addresses; what lies beyond stays.
    fn give_back(&mut self, owner: Owner, (from, to): (u64, u64), scene: &mut dyn Scene) {
        let known = self.of.get_mut(&owner).filter(|_| from < to);
        let Some(known) = known else {
            return;
        };
        let before = known.range(..from).next_back();
        let first = before.filter(|(_, one)| one.end > from);
        let first = first.map_or(from, |(&start, _)| start);
        let starts: Vec<u64> = known.range(first..to).map(|(&start, _)| start).collect();
        for start in starts {
            let Some(one) = known.remove(&start) else {
                continue;
            };
            self.count -= 1;
            push(
                (start.max(from), one.end.min(to)),
                &one,
                Some(scene.ns()),
                scene,
            );
            let rest = [(start, one.end.min(from)), (start.max(to), one.end)];
            for (start, end) in rest.into_iter().filter(|(start, end)| start < end) {
                if self.count >= self.most {
                    self.refused += 1;
                    continue;
                }
                self.count += 1;
                known.insert(start, Range { end, ..one });
            }
        }
    }
}

fn push((from, to): (u64, u64), range: &Range, end_ns: Option<i64>, scene: &mut dyn Scene) {
    let bytes = i64::try_from(to.saturating_sub(from)).unwrap_or(i64::MAX);
    let mut row = RawRow::<AllocationRow, _>::new();
    row.set(AllocationRow::time_ns, range.ns);
    let duration_ns = end_ns.map(|end_ns| end_ns.saturating_sub(range.ns).max(0));
    row.set(AllocationRow::duration_ns, duration_ns);
    row.set(AllocationRow::address, from.cast_signed());
    row.set(AllocationRow::size_bytes, bytes);
    row.set_provisional(AllocationRow::stack, range.stack);
    scene.push(range.thread, &row);
}
