//! How evenly workers came on that did the same at the same time.

use std::collections::BTreeMap;

use super::real;
use crate::run::Run;
use whyslow_law::order::median_u64;

/// The least and the most of the workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fairness {
    /// Operations that a worker did.
    pub operations: (usize, usize),
    /// Median of a worker's durations, in nanoseconds.
    pub median_ns: (u64, u64),
    /// When a worker was done, in nanoseconds after the first operation of all.
    pub done_ns: (u64, u64),
}

impl Fairness {
    /// Returns that of `run`; `None` where one did everything.
    pub(super) fn of(run: &Run) -> Option<Self> {
        if run.setup.workers < 2 {
            return None;
        }
        // Workers that did nothing count too.
        let mut done: BTreeMap<u32, (Vec<u64>, u64)> = (0..run.setup.workers)
            .map(|worker| (worker, (Vec::new(), 0)))
            .collect();
        let begin = run
            .first
            .operations
            .first()
            .map_or(0, |(_, one)| one.start_ns);
        for (worker, one) in &run.first.operations {
            let (durations, end) = done.entry(*worker).or_default();
            durations.push(one.duration_ns);
            let ended = one.start_ns.saturating_add(one.duration_ns);
            *end = (*end).max(ended.saturating_sub(begin));
        }
        let operations = done.values().map(|(durations, _)| durations.len());
        let medians = done.values().map(|(durations, _)| median_u64(durations));
        Some(Self {
            operations: range(operations)?,
            median_ns: range(medians)?,
            done_ns: range(done.values().map(|(_, end)| *end))?,
        })
    }

    /// Returns it in words.
    pub(super) fn sentence(self, workers: u32, cost: fn(f64) -> String) -> String {
        let (least, most) = self.operations;
        let each = if least == most {
            format!("did {most} each")
        } else {
            format!("did {least} to {most} each")
        };
        let [slow, fast, first, last] = [
            self.median_ns.1,
            self.median_ns.0,
            self.done_ns.0,
            self.done_ns.1,
        ]
        .map(|ns| cost(real(ns)));
        format!(
            "The {workers} workers {each}, with a median of {fast} to {slow}; the first finished \
             after {first}, the last after {last}."
        )
    }
}

fn range<T: Ord + Copy>(values: impl Iterator<Item = T>) -> Option<(T, T)> {
    values.fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((least, most)) => Some((least.min(value), most.max(value))),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;
    use super::*;

    #[test]
    fn workers_are_compared_also_those_that_did_nothing() {
        let mut run = run(100, |at| if at % 4 == 0 { 3_000 } else { 1_000 });
        assert_eq!(Fairness::of(&run), None);
        run.setup.workers = 3;
        for (at, (worker, _)) in (0..).zip(&mut run.first.operations) {
            *worker = u32::from(at % 4 != 0);
        }
        let fairness = Fairness::of(&run).expect("workers");
        assert_eq!(fairness.operations, (0, 75));
        assert_eq!(fairness.median_ns, (0, 3_000));
        assert_eq!(fairness.done_ns, (0, 150_000));
        let said = fairness.sentence(3, |ns| format!("{ns} ns"));
        assert!(
            said.starts_with("The 3 workers did 0 to 75 each, with a median of 0 ns to 3000 ns")
        );
    }
}
