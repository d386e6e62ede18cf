//! Events counted by kind.

use std::collections::{HashMap, VecDeque};

use whyslow_model::FastMap;
use whyslow_query::questions::{EventCount, EventCounts};
use whyslow_query::{FileInfo, Note};

use crate::seen::{Seen, Sink, StackFor, Stop, What};

/// Maximum number of events kept because their stack may still come.
const MOST_RECENT: usize = 1 << 16;
/// Maximum number of distinct pairs of event and process.
const MOST_PAIRS: usize = 1 << 20;

/// Counts of all traces.
#[derive(Debug, Default)]
pub struct Counts {
    done: Vec<EventCounts>,
    file: Option<FileInfo>,
    kinds: Vec<Option<Count>>,
    /// Kind and process of the events that were counted.
    processes: FastMap<(usize, i64), ()>,
    has_stacks: bool,
    /// Recent events, in order of time.
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
    pub fn finish(self) -> Vec<EventCounts> {
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
            self.processes.insert((seen.kind, pid), ());
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

    /// Finds the event with that time and thread, or else the one with that time and CPU.
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
        let rows = merge(kinds, &self.processes);
        self.done.push(EventCounts { file, rows, notes });
        Ok(())
    }
}

impl Count {
    fn new(seen: &Seen<'_>) -> Self {
        let mut what = seen.what.clone();
        if is_undescribed(seen) {
            what.decoded = "raw";
        }
        Self {
            what,
            events: 0,
            bytes: 0,
            first_ns: seen.time_ns,
            last_ns: seen.time_ns,
            processes: 0,
            stacks: 0,
        }
    }

    /// Adds another version of the same event, without its processes.
    fn join(&mut self, other: &Self) {
        self.events += other.events;
        self.bytes += other.bytes;
        self.first_ns = self.first_ns.min(other.first_ns);
        self.last_ns = self.last_ns.max(other.last_ns);
        self.stacks += other.stacks;
    }

    fn row(self) -> EventCount {
        EventCount {
            provider: self.what.provider,
            event: self.what.event,
            id: self.what.id,
            count: self.events,
            bytes: self.bytes,
            first_ns: self.first_ns,
            last_ns: self.last_ns,
            processes: self.processes,
            stacks: self.stacks,
            decoded: self.what.decoded,
        }
    }
}

/// Joins versions of the same event, and the processes of each.
fn merge(kinds: Vec<Option<Count>>, processes: &FastMap<(usize, i64), ()>) -> Vec<EventCount> {
    let mut all: Vec<Count> = Vec::new();
    let mut rows = HashMap::new();
    let mut row_of = Vec::with_capacity(kinds.len());
    for count in kinds {
        let Some(count) = count else {
            row_of.push(usize::MAX);
            continue;
        };
        let What {
            provider,
            event,
            id,
            decoded,
            ..
        } = count.what.clone();
        let row = *rows
            .entry((provider, event, id, decoded))
            .or_insert(all.len());
        row_of.push(row);
        match all.get_mut(row) {
            Some(known) => known.join(&count),
            None => all.push(count),
        }
    }
    let pairs = processes.keys();
    let mut pairs: Vec<(usize, i64)> = pairs
        .filter_map(|(kind, pid)| Some((*row_of.get(*kind)?, *pid)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    for (row, _) in pairs {
        if let Some(count) = all.get_mut(row) {
            count.processes += 1;
        }
    }
    all.into_iter().map(Count::row).collect()
}

/// Returns whether a whole event is left over: its description does not fit it.
fn is_undescribed(seen: &Seen<'_>) -> bool {
    let mut fields = (seen.fields)().map(|field| field.name.to_string());
    fields.next().is_some_and(|name| name == "Rest") && fields.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Field, Value};
    use crate::seen::FieldsOf;

    #[test]
    fn an_event_that_its_description_does_not_fit_is_raw() {
        for (names, expected) in [
            (&["Rest"][..], "raw"),
            (&["Size", "Rest"], "table"),
            (&["Size"], "table"),
            (&[], "table"),
        ] {
            let what = What {
                provider: "p".into(),
                provider_id: "".into(),
                event: "e".into(),
                id: "".into(),
                decoded: "table",
                takes_stacks: false,
            };
            let field = |name: &&'static str| Field::plain(name, Value::Bytes(&[1]));
            let fields = || -> FieldsOf<'_> { Box::new(names.iter().map(field)) };
            let seen = Seen {
                kind: 0,
                what: &what,
                time_ns: 0,
                raw_time: 0,
                cpu: None,
                pid: None,
                process: None,
                tid: None,
                thread: "",
                bytes: 1,
                payload_bytes: 1,
                has_stack: false,
                fields: &fields,
            };
            assert_eq!(Count::new(&seen).what.decoded, expected, "{names:?}");
        }
    }
}
