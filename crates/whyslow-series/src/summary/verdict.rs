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

    /// Returns the CPU times in place of the durations, where others wanted the CPUs for so long that durations may hide
    /// what operations cost, and the share of the time in which they did. `None` where that is not known, or where
    /// operations computed on several CPUs at once: then CPU time is not what the user waits for.
    fn of_cpu(run: &Run) -> Option<(Self, f64)> {
        let passes = run.judged_passes();
        let known = |pass: &&Pass| {
            pass.cpu_ns.len() == pass.operations.len()
                && pass.again_cpu_ns.len() == pass.again.len()
        };
        let sum = |of: fn(&Pass) -> u64| passes.iter().map(|pass| real(of(pass))).sum::<f64>();
        let wall = sum(|pass| pass.durations().iter().sum()).max(1.0);
        let contended = sum(|pass| pass.contended_ns) / wall;
        let serial = sum(|pass| pass.cpu_ns.iter().sum()) <= wall;
        if !passes.iter().all(known) || contended < reason::BUSY || !serial {
            return None;
        }
        let good = |pairs: &mut dyn Iterator<Item = (&Measured, &u64)>| -> Vec<f64> {
            let good = pairs.filter(|(one, _)| one.result == 0);
            good.map(|(_, ns)| real(*ns)).collect()
        };
        let of = |pass: &&Pass| {
            let operations = pass.operations.iter().map(|(_, one)| one);
            good(&mut operations.zip(&pass.cpu_ns))
        };
        let (first, further) = passes.split_first()?;
        let costs = Self {
            n: succeeded_in(first).map(|(n, _)| n).collect(),
            cost: of(first),
            again: good(&mut first.again.iter().zip(&first.again_cpu_ns)),
            repeats: further.iter().map(of).collect(),
            beyond: Vec::new(),
        };
        Some((costs, contended.min(1.0)))
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

/// The law of the CPU time of operations on a machine on which others wanted the CPUs.
#[derive(Debug, Clone)]
pub struct Computed {
    /// The law; it predicts nothing that a user waits for.
    pub judgement: Judgement,
    /// The share of the time in which somebody waited for a CPU.
    pub contended: f64,
}

/// Returns the law of the CPU time of `run`, where others wanted the CPUs and it is known.
pub(super) fn computed(run: &Run) -> Option<Computed> {
    let (costs, contended) = Costs::of_cpu(run)?;
    let judgement = judge(&costs.series()).hindered();
    Some(Computed {
        judgement,
        contended,
    })
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
    let doubt = |costs: &Costs| judge(&costs.series()).in_doubt() && !is_settled(&costs.series());
    // What others hide in the durations, CPU times may show.
    doubt(&Costs::of(run)) || Costs::of_cpu(run).is_some_and(|(costs, _)| doubt(&costs))
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
             other passes. The first pass, which figures and charts show, was stopped."
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

    /// Returns three passes of a command over 28 sizes on a machine that lets it wait for a CPU: 1 to 3 s each time, by
    /// chance. `cpu_ms` is its CPU time.
    fn crowded(contended: f64, cpu_ms: impl Fn(f64) -> f64) -> Run {
        let mut chance = 1u64;
        let mut random = || {
            chance = chance
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99);
            f64::from(u16::try_from(chance >> 48).unwrap_or(0)) / 65_536.0
        };
        let whole = |ns: f64| format!("{ns:.0}").parse::<u64>().unwrap_or(0);
        let mut pass = || {
            let cpu = (1..=28).map(|n| whole(1e6 * cpu_ms(f64::from(n)) * (1.0 + 0.05 * random())));
            let cpu: Vec<u64> = cpu.collect();
            let waits: Vec<u64> = cpu.iter().map(|_| whole(1e9 + 2e9 * random())).collect();
            let at = |at: u64| usize::try_from(at).unwrap_or(0);
            let mut pass = run(28, |n| cpu[at(n)] + waits[at(n)]).first;
            pass.again = pass
                .operations
                .iter()
                .take(10)
                .map(|(_, one)| *one)
                .collect();
            pass.again_cpu_ns = cpu[..10].to_vec();
            pass.contended_ns =
                whole(contended * pass.durations().iter().map(|ns| real(*ns)).sum::<f64>());
            pass.cpu_ns = cpu;
            pass
        };
        let mut crowded = run(28, |_| 1);
        crowded.first = pass();
        crowded.repeats = vec![pass(), pass()];
        crowded
    }

    #[test]
    fn cpu_times_show_what_a_crowded_machine_hides() {
        let doubling = |n: f64| 60.0 + (n / 3.0).exp2();
        let summary = Summary::of(&crowded(0.9, doubling));
        let own = &summary.judgement.law;
        assert!(
            !matches!(own, Law::Growth(_) | Law::Exponential(_)),
            "{own:?}"
        );
        assert_eq!(summary.decisive().law.name(), "exponential");
        assert_eq!(summary.decisive().predicting(), None);
        let said = summary.sentences(&crowded(0.9, doubling), plain);
        let begin = "Processes waited for a CPU for 90 % of the time, which hides what this costs. In CPU time, creating a \
                     file costs 61";
        assert!(said[0].starts_with(begin), "{said:?}");
        assert!(said[0].contains("it grows exponentially"), "{said:?}");
        // On a machine of its own, it waited for something else, which the CPU times do not show.
        let summary = Summary::of(&crowded(0.05, doubling));
        assert!(summary.computed.is_none());
        assert_eq!(summary.decisive(), &summary.judgement);
        // What costs the same is not said to grow.
        let flat = Summary::of(&crowded(0.9, |_| 60.0));
        assert_eq!(flat.decisive(), &flat.judgement);
        // What computes on several CPUs at once waits for less than its CPU time.
        let mut parallel = crowded(0.9, doubling);
        for pass in std::iter::once(&mut parallel.first).chain(&mut parallel.repeats) {
            pass.cpu_ns.iter_mut().for_each(|ns| *ns += 4_000_000_000);
        }
        assert!(Summary::of(&parallel).computed.is_none());
    }
}
