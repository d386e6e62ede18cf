//! The law of a run: from which of its passes it follows, and what is left out.

use super::{real, reason};
use crate::operation::Measured;
use crate::run::{Pass, Run};
use whyslow_law::{Judgement, Law, Series, is_settled, judge};

/// Returns the run's operations that succeeded, with their sizes.
pub(super) fn succeeded(run: &Run) -> impl Iterator<Item = (f64, &Measured)> {
    succeeded_in(&run.first)
}

/// Returns the operations of a pass that succeeded, with their sizes.
fn succeeded_in(pass: &Pass) -> impl Iterator<Item = (f64, &Measured)> {
    let pairs = pass.n.iter().zip(&pass.operations);
    pairs
        .filter(|(_, (_, one))| one.result == 0)
        .map(|(&n, (_, one))| (n, one))
}

/// The data from which the law of a run's durations is found.
pub(super) struct Costs {
    pub(super) n: Vec<f64>,
    pub(super) cost: Vec<f64>,
    again: Vec<f64>,
    repeats: Vec<Vec<f64>>,
    beyond: Vec<(f64, f64)>,
}

impl Costs {
    pub(super) fn of(run: &Run) -> Self {
        let passes = run.judged_passes();
        let (first, further) = passes
            .split_first()
            .map_or((&run.first, &[][..]), |split| (*split.0, split.1));
        let (n, cost) = succeeded_in(first)
            .map(|(n, one)| (n, real(one.duration_ns)))
            .unzip();
        Self {
            n,
            cost,
            again: good(first.again.iter()),
            repeats: further
                .iter()
                .map(|pass| good(pass.operations.iter().map(|(_, one)| one)))
                .collect(),
            beyond: run.beyond.clone(),
        }
    }

    /// Returns those of the first pass alone, without its second look.
    fn once(self) -> Self {
        Self {
            again: Vec::new(),
            repeats: Vec::new(),
            beyond: Vec::new(),
            ..self
        }
    }

    fn series(&self) -> Series<'_> {
        Series {
            n: &self.n,
            cost: &self.cost,
            again: &self.again,
            repeats: &self.repeats,
            beyond: &self.beyond,
            exact: false,
        }
    }
}

/// The law of a run, and what was left out to find it.
pub(super) struct Verdict {
    pub(super) judgement: Judgement,
    pub(super) after_deletions: bool,
}

/// Returns the law of the durations of `run`.
pub fn judged(run: &Run) -> Judgement {
    verdict(run).judgement
}

pub(super) fn verdict(run: &Run) -> Verdict {
    let costs = Costs::of(run);
    let last = costs.n.last().copied().filter(|_| run.has_failed());
    let mut judgement = judge(&costs.series());
    // All that was measured after the first pass followed the deletion of its files, so it cannot show that time is the
    // reason.
    let after_deletions = judgement.law == Law::Drift && reason::may_skip_deleted(run);
    if after_deletions {
        judgement = judge(&costs.once().series());
    }
    if run.is_hindered() {
        judgement = judgement.hindered();
    }
    if let Some(n) = last {
        judgement = judgement.up_to(n);
    }
    Verdict {
        judgement,
        after_deletions,
    }
}

/// Passes after which no other is expected to be free of a quota.
const HINDERED_PASSES: usize = 3;

/// Returns whether a further pass may change the verdict on `run`.
pub fn in_doubt(run: &Run) -> bool {
    // A simulation repeated is the same again.
    if run.setup.words.simulated {
        return false;
    }
    // A further pass may be free of what hindered these.
    if run.is_hindered() && run.repeats.len() + 1 < HINDERED_PASSES {
        return true;
    }
    let costs = Costs::of(run);
    judge(&costs.series()).in_doubt() && !is_settled(&costs.series())
}

/// Returns the durations of those that succeeded, in nanoseconds.
fn good<'a>(operations: impl Iterator<Item = &'a Measured>) -> Vec<f64> {
    let good = operations.filter(|one| one.result == 0);
    good.map(|one| real(one.duration_ns)).collect()
}

pub(super) fn counted(run: &Run) -> Option<Judgement> {
    let (n, cost): (Vec<f64>, Vec<f64>) = succeeded(run)
        .map(|(n, one)| (n, f64::from(one.count)))
        .unzip();
    let least = cost.iter().copied().min_by(f64::total_cmp)?;
    let differ = cost.iter().any(|count| *count > least);
    differ.then(|| {
        judge(&Series {
            n: &n,
            cost: &cost,
            exact: true,
            ..Series::default()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::Summary;
    use super::super::tests::{plain, run};
    use super::*;
    use crate::spent::Spent;

    /// Returns the pass as one in the kernel, but for the percentage of the time that a quota stopped it.
    fn accounted(mut pass: Pass, stopped: u64) -> Pass {
        let wall_ns = pass.durations().iter().sum::<u64>();
        let stopped_ns = wall_ns / 100 * stopped;
        pass.spent = Some(Spent {
            wall_ns,
            program_ns: 0,
            kernel_ns: wall_ns - stopped_ns,
            ready_ns: Some(stopped_ns),
            throttled_ns: stopped_ns,
        });
        pass
    }

    #[test]
    fn a_law_does_not_follow_from_passes_that_a_quota_stopped() {
        let linear = |at: u64| 10_000 + 20 * at + at % 7;
        let flat = |at: u64| 10_000 + at % 7;
        let again = |mut pass: Pass| {
            let first = pass.operations.iter().take(100);
            pass.again = first.map(|(_, one)| *one).collect();
            pass
        };
        let made =
            |cost: fn(u64) -> u64, stopped: u64| again(accounted(run(5_000, cost).first, stopped));
        // All of them: what is measured is said to be both, and nothing is predicted.
        let mut hindered = run(5_000, linear);
        hindered.first = made(linear, 40);
        assert!(in_doubt(&hindered), "another pass may be free of it");
        hindered.repeats = vec![made(linear, 40), made(linear, 40)];
        let summary = Summary::of(&hindered);
        assert_eq!(summary.judgement.law.name(), "growth");
        assert_eq!(summary.judgement.predicting(), None);
        let said = summary.sentences(&hindered, plain);
        let begin = "The CPU quota of its group (cgroup) stopped it for up to 40 % of the time.";
        assert!(said[0].starts_with(begin), "{said:?}");
        assert!(said[1].ends_with("Nothing is predicted."), "{said:?}");
        hindered.first = made(linear, 1);
        hindered.repeats.clear();
        let summary = Summary::of(&hindered);
        assert!(summary.judgement.predicting().is_some(), "{summary:?}");
        // One of them: the others decide.
        let mut once = run(5_000, flat);
        once.first = made(linear, 40);
        once.repeats = vec![made(flat, 0), made(flat, 0)];
        let summary = Summary::of(&once);
        assert_eq!(
            (&summary.judgement.law, summary.judgement.passes),
            (&Law::Constant, 2)
        );
        let said = summary.sentences(&once, plain);
        assert_eq!(
            said[0],
            "The CPU quota of its group (cgroup) stopped 1 of 3 passes for 40 % of their time. The law follows from the \
             other passes. The first pass, which figures and charts show, is one of them."
        );
    }

    #[test]
    fn what_follows_a_deletion_does_not_show_a_drift() {
        let linear = |at: u64| 10_000 + 20 * at + at % 7;
        let mut run = run(5_000, linear);
        run.first = accounted(run.first, 0);
        run.first.again = run
            .first
            .operations
            .iter()
            .rev()
            .take(200)
            .map(|(_, one)| *one)
            .collect();
        assert_eq!(judged(&run).law, Law::Drift);
        run.setup.skips_deleted = true;
        let summary = Summary::of(&run);
        assert!(summary.after_deletions);
        assert_eq!(summary.judgement.law.name(), "growth");
        assert_eq!(summary.judgement.predicting(), None);
        let said = summary.sentences(&run, plain);
        assert!(
            said[1].starts_with(
                "Measured again, it cost as much with few files, but the files of the first pass had just been deleted. \
                 Likely, that is why: ext4 without a journal does not use"
            ),
            "{said:?}"
        );
        // What computed elsewhere for longer, or waited, is not explained by it.
        run.first = accounted(run.first, 90);
        run.first.spent.as_mut().expect("accounted").throttled_ns = 0;
        assert_eq!(judged(&run).law, Law::Drift);
    }
}
