//! Events counted by kind.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use whyslow_query::questions::EventCounts;
use whyslow_query::{FileInfo, Note, Value};

use super::seen::{Seen, Sink, StackFor, Stop, What};

/// Events that a stack may still come for.
const MOST_RECENT: usize = 1 << 16;
/// Most pairs of event and process that are told apart.
const MOST_PAIRS: usize = 1 << 20;

/// Counts of all traces.
#[derive(Debug, Default)]
pub(super) struct Counts {
    done: Vec<EventCounts>,
    file: Option<FileInfo>,
    kinds: Vec<Option<Count>>,
    /// Kind and process of the events that were counted.
    processes: HashSet<(usize, i64)>,
    has_stacks: bool,
    /// Events of the last while, in order of time.
    recent: VecDeque<Recent>,
}

#[derive(Debug)]
struct Count {
    what: What,
    events: i64,
    bytes: i64,
    first_ns: i64,
    last_ns: i64,
    processes: i64,
    stacks: i64,
}

#[derive(Debug, Clone, Copy)]
struct Recent {
    raw_time: i64,
    tid: Option<i64>,
    cpu: Option<u32>,
    kind: usize,
    has_stack: bool,
}

impl Counts {
    /// Returns the counts per trace.
    pub(super) fn finish(self) -> Vec<EventCounts> {
        self.done
    }
}

impl Sink for Counts {
    fn begin(&mut self, file: &FileInfo, has_stacks: bool) -> Result<(), Stop> {
        self.file = Some(file.clone());
        self.has_stacks = has_stacks;
        self.kinds.clear();
        self.processes.clear();
        self.recent.clear();
        Ok(())
    }

    #[inline]
    fn event(&mut self, seen: &Seen<'_>) -> Result<(), Stop> {
        if self.kinds.len() <= seen.kind {
            self.kinds.resize_with(seen.kind + 1, || None);
        }
        let Some(slot) = self.kinds.get_mut(seen.kind) else {
            return Ok(());
        };
        let count = slot.get_or_insert_with(|| Count::new(seen));
        count.events += 1;
        count.bytes += i64::try_from(seen.bytes).unwrap_or(0);
        count.first_ns = count.first_ns.min(seen.time_ns);
        count.last_ns = count.last_ns.max(seen.time_ns);
        count.stacks += i64::from(seen.has_stack);
        if let Some(pid) = seen.pid.filter(|_| self.processes.len() < MOST_PAIRS) {
            count.processes += i64::from(self.processes.insert((seen.kind, pid)));
        }
        if self.has_stacks && !seen.has_stack && seen.what.takes_stacks {
            if self.recent.len() == MOST_RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(Recent {
                raw_time: seen.raw_time,
                tid: seen.tid,
                cpu: seen.cpu,
                kind: seen.kind,
                has_stack: false,
            });
        }
        Ok(())
    }

    /// Finds the event of that time and thread, else the one of that time and CPU.
    fn stack(&mut self, stack: StackFor) {
        let from = self
            .recent
            .partition_point(|event| event.raw_time < stack.raw_time);
        let same = self.recent.range_mut(from..);
        let same = same.take_while(|event| event.raw_time == stack.raw_time);
        let mut found: Option<&mut Recent> = None;
        for event in same {
            if event.tid == stack.tid {
                found = Some(event);
                break;
            }
            if event.cpu == stack.cpu && found.is_none() {
                found = Some(event);
            }
        }
        let Some(event) = found.filter(|event| !event.has_stack) else {
            return;
        };
        event.has_stack = true;
        if let Some(Some(count)) = self.kinds.get_mut(event.kind) {
            count.stacks += 1;
        }
    }

    fn end(&mut self, notes: Vec<Note>) -> Result<(), Stop> {
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let kinds = std::mem::take(&mut self.kinds);
        let rows = merge(kinds.into_iter().flatten());
        self.done.push(EventCounts { file, rows, notes });
        Ok(())
    }
}

impl Count {
    fn new(seen: &Seen<'_>) -> Self {
        Self {
            what: seen.what.clone(),
            events: 0,
            bytes: 0,
            first_ns: seen.time_ns,
            last_ns: seen.time_ns,
            processes: 0,
            stacks: 0,
        }
    }

    fn row(&self) -> Vec<Value> {
        let text = |text: &Arc<str>| match text.is_empty() {
            true => Value::Null,
            false => Value::Text(Arc::clone(text)),
        };
        vec![
            text(&self.what.provider),
            text(&self.what.event),
            text(&self.what.id),
            Value::Int(self.events),
            Value::Int(self.bytes),
            Value::Int(self.first_ns),
            Value::Int(self.last_ns),
            Value::Int(self.processes),
            Value::Int(self.stacks),
            Value::text(self.what.decoded),
        ]
    }
}

/// Joins versions of the same event.
fn merge(kinds: impl Iterator<Item = Count>) -> Vec<Vec<Value>> {
    let mut all: Vec<Count> = Vec::new();
    for count in kinds {
        let same = |known: &&mut Count| {
            let (a, b) = (&known.what, &count.what);
            (&a.provider, &a.event, &a.id, a.decoded) == (&b.provider, &b.event, &b.id, b.decoded)
        };
        let Some(known) = all.iter_mut().find(same) else {
            all.push(count);
            continue;
        };
        known.events += count.events;
        known.bytes += count.bytes;
        known.first_ns = known.first_ns.min(count.first_ns);
        known.last_ns = known.last_ns.max(count.last_ns);
        // Versions of one event are of different processes, as a rule.
        known.processes += count.processes;
        known.stacks += count.stacks;
    }
    all.iter().map(Count::row).collect()
}
