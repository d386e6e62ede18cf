//! Sorts events of several CPUs by time, within a window.
//!
//! Each CPU's events come in order; the CPUs' streams are interleaved in blocks. Events are
//! collected and sorted once there are enough of them; those older than the newest by the window
//! are passed on. Events of equal time are ordered by CPU, and those of one CPU keep their order:
//! the outcome does not depend on how the streams were interleaved.
//!
//! An event later than the window allows is passed on at once, and the trackers decide what they
//! can still use of it.

use crate::event::Event;

/// Sorts events by time within a window.
#[derive(Debug)]
pub struct Sorter {
    pending: Vec<Event>,
    window_ns: i64,
    newest_ns: i64,
    batch: usize,
    max_pending: usize,
}

/// Events collected before sorting is worth it.
const BATCH: usize = 1 << 14;

impl Sorter {
    /// Returns a sorter for streams that are at most `window_ns` apart, holding at most
    /// `max_events` (at least a few thousand).
    pub fn new(window_ns: i64, max_events: usize) -> Self {
        Self {
            pending: Vec::new(),
            window_ns,
            newest_ns: i64::MIN,
            batch: BATCH.min(max_events.max(2)),
            max_pending: max_events.max(2),
        }
    }

    /// Takes an event; calls `each` for those that are due.
    ///
    /// # Errors
    /// The first error of `each`.
    pub fn push<E>(
        &mut self,
        event: Event,
        each: &mut dyn FnMut(&Event) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(ns) = event.time_ns {
            self.newest_ns = self.newest_ns.max(ns);
        }
        self.pending.push(event);
        if self.pending.len() < self.batch {
            return Ok(());
        }
        let due = self.newest_ns.saturating_sub(self.window_ns);
        self.give(due, each)?;
        // The rest is within the window; wait until it has doubled, or the limit is reached.
        if self.pending.len() >= self.max_pending {
            let middle = self.pending.len() / 2;
            let due = self.pending.get(middle).and_then(|event| event.time_ns);
            self.give(due.unwrap_or(i64::MAX), each)?;
        }
        self.batch = (self.pending.len() * 2).clamp(BATCH.min(self.max_pending), self.max_pending);
        Ok(())
    }

    /// Passes on all remaining events.
    ///
    /// # Errors
    /// The first error of `each`.
    pub fn finish<E>(&mut self, each: &mut dyn FnMut(&Event) -> Result<(), E>) -> Result<(), E> {
        self.give(i64::MAX, each)
    }

    fn give<E>(
        &mut self,
        due_ns: i64,
        each: &mut dyn FnMut(&Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let key = |event: &Event| (event.time_ns, event.cpu);
        self.pending.sort_by_key(key);
        let count = self
            .pending
            .partition_point(|event| event.time_ns <= Some(due_ns));
        for event in self.pending.get(..count).unwrap_or_default() {
            each(event)?;
        }
        self.pending.drain(..count);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventKind;

    fn order(events: &[(i64, u32)], window_ns: i64, max: usize) -> Vec<(i64, u32)> {
        let mut sorter = Sorter::new(window_ns, max);
        let mut given = Vec::new();
        let mut each = |event: &Event| {
            given.push((event.time_ns.unwrap(), event.cpu.unwrap()));
            Ok::<_, ()>(())
        };
        for &(ns, cpu) in events {
            let kind = EventKind::OnCpu { tid: 1 };
            let event = Event {
                time_ns: Some(ns),
                cpu: Some(cpu),
                kind,
            };
            sorter.push(event, &mut each).unwrap();
        }
        sorter.finish(&mut each).unwrap();
        given
    }

    #[test]
    fn blocks_of_two_cpus_become_one_order() {
        let block = |cpu: u32, from: i64| (0..50).map(move |i| (from + i * 2, cpu));
        let blocks = (0..100).flat_map(|at| block(0, at * 100).chain(block(1, at * 100 - 40)));
        let mut events: Vec<_> = blocks.collect();
        let given = order(&events, 200, 1000);
        events.sort_unstable();
        assert_eq!(given, events);
    }

    #[test]
    fn equal_times_are_ordered_by_cpu() {
        assert_eq!(
            order(&[(5, 2), (5, 0), (5, 1)], 0, 10),
            [(5, 0), (5, 1), (5, 2)]
        );
    }
}
