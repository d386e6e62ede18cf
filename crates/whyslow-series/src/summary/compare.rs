//! Two ways of doing the same, side by side.

use super::real;
use crate::operation::Measured;
use crate::run::Run;
use whyslow_law::order::{median_u64, percentile};

/// Parts of a run that are compared pair by pair.
const PARTS: usize = 20;

/// How much more one run costs than another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// The time for equally many operations over that of the other run; of workers together, the
    /// time that passed.
    pub total: f64,
    /// What an operation takes on average over that of the other run: what the user pays.
    pub mean: f64,
    /// What the slowest operation of 100 takes over that of the other run.
    pub p99: f64,
    /// What equally many operations took in both, in nanoseconds: of this one, of the other.
    pub spent: (u64, u64),
    /// Whether very few operations of one of them take most of its time, so that the typical one says nothing.
    pub lumpy: bool,
    /// The typical operation over the typical one of the other run.
    pub typical: f64,
    /// The least and the most that `typical` may be: the 95 % interval of the median over pairs of
    /// parts at the same sizes.
    pub range: (f64, f64),
}

/// Returns how much more `run` costs than `base`, over all their passes; `None` where one of them is too short.
pub fn compare(run: &Run, base: &Run) -> Option<Comparison> {
    let both = run.first.operations.len().min(base.first.operations.len());
    if both < PARTS {
        return None;
    }
    // Only as far as both came: costs may grow.
    let (ours, theirs) = (passes(run, both), passes(base, both));
    let mut ratios: Vec<f64> = (0..PARTS)
        .map(|part| {
            let part = part * both / PARTS..(part + 1) * both / PARTS;
            let typical = |all: &[Operations<'_>]| {
                let parts = all.iter().filter_map(|pass| pass.get(part.clone()));
                let durations: Vec<u64> = parts.flatten().map(|(_, one)| one.duration_ns).collect();
                real(median_u64(&durations).max(1))
            };
            typical(&ours) / typical(&theirs)
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let at = |at: usize| ratios.get(at).copied().unwrap_or(1.0);
    let durations = |passes: &[Operations<'_>]| -> Vec<u64> {
        let all = passes.iter().copied().flatten();
        let mut all: Vec<u64> = all.map(|(_, one)| one.duration_ns).collect();
        all.sort_unstable();
        all
    };
    let (all, all_theirs) = (durations(&ours), durations(&theirs));
    let mean = |all: &[u64]| {
        let sum: f64 = all.iter().map(|&ns| real(ns)).sum();
        sum.max(1.0) / whyslow_law::count(all.len().max(1))
    };
    let slow = |all: &[u64]| real(percentile(all, 99).max(1));
    let (time, base_time) = (spent(run, &ours), spent(base, &theirs));
    Some(Comparison {
        spent: (time, base_time),
        lumpy: is_lumpy(&all) || is_lumpy(&all_theirs),
        mean: mean(&all) / mean(&all_theirs),
        p99: slow(&all) / slow(&all_theirs),
        total: real(time) / real(base_time),
        typical: f64::midpoint(at(9), at(10)),
        // The 6th and the 15th of 20 hold the median in 96 % of the cases.
        range: (at(5), at(14)),
    })
}

/// The operations of a pass.
type Operations<'a> = &'a [(u32, Measured)];

/// Returns the first `count` operations of each pass of `run` that has so many.
fn passes(run: &Run, count: usize) -> Vec<Operations<'_>> {
    let all = run.passes();
    all.filter_map(|pass| pass.operations.get(..count))
        .collect()
}

impl Comparison {
    /// Returns it in words: first what the user pays, then what is typical.
    fn sentence(&self, slow: &str, fast: &str, cost: fn(f64) -> String) -> String {
        let (low, high) = self.range;
        let mut text = format!(
            "{slow} takes {} times as long per operation as {fast}",
            times(self.mean)
        );
        if self.lumpy {
            let (slow, fast) = (cost(real(self.spent.0)), cost(real(self.spent.1)));
            return text + &format!(": the same operations took {slow} and {fast} in all.");
        }
        if self.p99 >= MORE * self.mean {
            text += &format!(
                ", and {} times as long in the slowest 1 in 100 cases",
                times(self.p99)
            );
        }
        text += &format!(
            ". Typically it takes {} times as long ({}–{})",
            times(self.typical),
            times(low),
            times(high)
        );
        // Workers do it at the same time.
        if (self.total / self.mean - 1.0).abs() > 0.05 {
            text += &format!("; all operations together, {} times", times(self.total));
        }
        text + "."
    }
}

/// Returns a factor with three digits that matter.
pub fn times(factor: f64) -> String {
    match factor {
        99.95.. => format!("{factor:.0}"),
        9.995.. => format!("{factor:.1}"),
        _ => format!("{factor:.2}"),
    }
}

/// One of this many operations may pay for the others.
const PAY_FOR: usize = 500;

/// Returns whether one operation in some hundreds takes most of the time of all `sorted` ones.
fn is_lumpy(sorted: &[u64]) -> bool {
    let all: u64 = sorted.iter().fold(0, |all, ns| all.saturating_add(*ns));
    let most = sorted.iter().rev().take((sorted.len() / PAY_FOR).max(1));
    2 * most.map(|ns| u128::from(*ns)).sum::<u128>() > u128::from(all)
}

/// The slowest operations are named if they differ by this many times what the mean does.
const MORE: f64 = 1.5;

/// Returns the time of a pass of `run`, at least 1: the mean of its `passes`.
fn spent(run: &Run, passes: &[Operations<'_>]) -> u64 {
    let all = passes.iter().map(|pass| {
        if run.setup.workers == 1 {
            return pass.iter().map(|(_, one)| one.duration_ns).sum::<u64>();
        }
        let begin = pass.iter().map(|(_, one)| one.start_ns).min().unwrap_or(0);
        let ends = pass
            .iter()
            .map(|(_, one)| one.start_ns.saturating_add(one.duration_ns));
        ends.max().unwrap_or(0).saturating_sub(begin)
    });
    let count = u64::try_from(passes.len()).unwrap_or(1).max(1);
    (all.fold(0, u64::saturating_add) / count).max(1)
}

/// Returns the run before the one at `at` that differs least from it: first of those with the same
/// system, number of workers, and way.
fn like(runs: &[Run], at: usize) -> Option<&Run> {
    let run = runs.get(at)?;
    let earlier = runs.get(..at)?.iter();
    let same = earlier.filter(|base| base.setup.words.operation == run.setup.words.operation);
    let differs = |base: &Run| {
        let system = 3 * u32::from(base.setup.system != run.setup.system);
        let workers = 2 * u32::from(base.setup.workers != run.setup.workers);
        // What comes after a comma says how a way was gone, the same for several.
        let how = |run: &Run| {
            run.setup
                .arm
                .split_once(", ")
                .map_or(String::new(), |(_, how)| how.to_owned())
        };
        let how = u32::from(how(base) != how(run));
        system + workers + how + u32::from(base.setup.arm != run.setup.arm)
    };
    same.min_by_key(|base| differs(base))
}

/// Returns a line for each run that one of the same operation came before, the slower one first; `cost` writes a
/// duration in nanoseconds.
pub fn comparisons(runs: &[Run], cost: fn(f64) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        let Some(mut pair) = like(runs, at).map(|base| (run, base)) else {
            continue;
        };
        if compare(pair.0, pair.1).is_some_and(|found| found.mean < 1.0) {
            pair = (pair.1, pair.0);
        }
        if let Some(found) = compare(pair.0, pair.1) {
            lines.push(found.sentence(&pair.0.title(), &pair.1.title(), cost));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;
    use super::*;

    #[test]
    fn pairs_of_parts_give_the_ratio_and_its_range() {
        let slow = run(2_000, |at| 30_000 + at % 7 * 10);
        let fast = run(1_000, |at| 10_000 + at % 5 * 10);
        let found = compare(&slow, &fast).expect("long enough");
        assert!((found.typical - 3.0).abs() < 0.01, "{found:?}");
        assert!((found.total - 3.0).abs() < 0.01, "{found:?}");
        assert!(found.range.0 <= found.typical && found.typical <= found.range.1);
        assert_eq!(compare(&slow, &run(3, |_| 1)), None);
    }

    #[test]
    fn what_the_user_pays_comes_first() {
        let fast = run(2_000, |_| 10_000);
        let mut slow = run(2_000, |at| if at % 20 == 0 { 4_900_000 } else { 10_300 });
        "20 processes".clone_into(&mut slow.setup.arm);
        let said = comparisons(&[fast.clone(), slow], plain);
        assert_eq!(
            said,
            [
                "create, 20 processes, on here (ext4) takes 25.5 times as long per operation as create, on here \
              (ext4), and 490 times as long in the slowest 1 in 100 cases. Typically it takes 1.03 times as long (1.03–1.03)."
            ]
        );
        let tail = run(2_000, |at| if at % 20 == 0 { 490_000 } else { 10_300 });
        let said = comparisons(&[fast, tail], plain);
        assert_eq!(
            said,
            [
                "create, on here (ext4) takes 3.43 times as long per operation as create, on here (ext4), and \
              49.0 times as long in the slowest 1 in 100 cases. Typically it takes 1.03 times as long (1.03–1.03)."
            ]
        );
    }

    #[test]
    fn all_passes_count() {
        let usual = run(2_000, |_| 10_000);
        let mut once = run(2_000, |_| 90_000);
        once.repeats = vec![usual.first.clone(); 3];
        let found = compare(&once, &usual).expect("long enough");
        assert!((found.mean - 3.0).abs() < 1e-9, "{found:?}");
        assert!((found.total - 3.0).abs() < 1e-9, "{found:?}");
        assert!((found.typical - 1.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn what_one_operation_pays_for_all_is_compared_as_a_whole() {
        let reopen = run(3_000, |_| 2_000);
        let once = run(3_000, |at| if at == 0 { 300_000 } else { 40 });
        let said = comparisons(&[once, reopen], plain);
        assert_eq!(said.len(), 1);
        assert!(said[0].contains("14.3 times"), "{said:?}");
        assert!(
            said[0].ends_with(": the same operations took 6 ms and 0 ms in all."),
            "{said:?}"
        );
    }

    fn plain(ns: f64) -> String {
        format!("{:.0} ms", ns / 1e6)
    }
}
