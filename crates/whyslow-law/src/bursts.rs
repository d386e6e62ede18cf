//! Outliers and bursts: operations that took far longer than their neighbors, what share of the
//! time they hold, and whether they come in a rhythm.
//!
//! An outlier takes more than ten times the median around it, and 200 µs more. Outliers are one burst
//! if they follow each other within 20 ms, and much closer than if all of them were evenly spread: what
//! held them up did so once.

use crate::order::median_u64;

/// Most operations around one that determine what is usual there; at most an eighth of the series,
/// or growth would look like outliers.
const AROUND: usize = 256;

/// The same at least.
const LEAST_AROUND: usize = 7;

/// How many times the usual cost an outlier takes.
const TIMES: u64 = 10;

/// What an outlier takes beyond the usual cost.
const BEYOND_NS: u64 = 200_000;

/// Outliers of one burst are closer than this …
const GAP_NS: u64 = 20_000_000;

/// … and than this part of the distance they would have if they were evenly spread.
const CLOSER: u64 = 8;

/// Fewest bursts in which a rhythm can be seen.
const LEAST_FOR_RHYTHM: usize = 5;

/// Outliers of a series, none of which is dropped from any other figure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bursts {
    /// Number of bursts.
    pub bursts: usize,
    /// Number of operations in them.
    pub operations: usize,
    /// Share of the time of all operations that they took, 0 to 1.
    pub share: f64,
    /// The longest operation among them.
    pub longest_ns: u64,
    /// The outliers that took longest: position in the series and duration; at most five.
    pub worst: Vec<(usize, u64)>,
    /// How long outliers take, where half of them take the same within a tenth.
    pub typical_ns: Option<u64>,
    /// The usual time from one burst to the next, where they come in a rhythm.
    pub rhythm_ns: Option<u64>,
}

impl Bursts {
    /// Returns whether the outliers are spread, and hardly any two belong together.
    pub fn is_spread(&self) -> bool {
        self.bursts >= LEAST_FOR_RHYTHM && self.bursts * 2 > self.operations
    }
}

/// Returns the bursts of operations with these starts and durations, in order of their starts.
pub fn bursts(start_ns: &[u64], duration_ns: &[u64]) -> Bursts {
    let mut found = Bursts::default();
    let mut outliers: Vec<(u64, u64)> = Vec::new();
    let around = (duration_ns.len() / 8).clamp(LEAST_AROUND, AROUND);
    let block = around.div_ceil(4);
    for from in (0..duration_ns.len()).step_by(block) {
        let usual = median_u64(around_of(duration_ns, from, block, around));
        let limit = (usual.saturating_mul(TIMES)).max(usual.saturating_add(BEYOND_NS));
        let durations = duration_ns.iter().enumerate().skip(from).take(block);
        for (at, &duration) in durations.filter(|(_, duration)| **duration > limit) {
            outliers.push((start_ns.get(at).copied().unwrap_or(0), duration));
            found.worst.push((at, duration));
        }
    }
    let durations: Vec<u64> = outliers.iter().map(|(_, duration)| *duration).collect();
    let span = match (start_ns.first(), start_ns.last()) {
        (Some(first), Some(last)) => last.saturating_sub(*first),
        _ => 0,
    };
    let begins = begins(&outliers, span);
    found.operations = outliers.len();
    found.longest_ns = durations.iter().copied().max().unwrap_or(0);
    found.typical_ns = typical(&durations);
    found.bursts = begins.len();
    found.share = ratio(durations.iter().sum(), duration_ns.iter().sum());
    found
        .worst
        .sort_by_key(|&(_, duration)| std::cmp::Reverse(duration));
    found.worst.truncate(5);
    found.rhythm_ns = rhythm(&begins);
    found
}

/// Returns the `around` durations with the `block` that begins at `from` in their middle, or as many at
/// an end.
fn around_of(durations: &[u64], from: usize, block: usize, around: usize) -> &[u64] {
    let latest = durations.len().saturating_sub(around);
    let begin = from.saturating_sub((around - block) / 2).min(latest);
    let end = durations.len().min(begin + around);
    durations.get(begin..end).unwrap_or(&[])
}

/// Returns the median where the middle half lies within a tenth of it.
fn typical(durations: &[u64]) -> Option<u64> {
    let mut sorted = durations.to_vec();
    sorted.sort_unstable();
    let usual = median_u64(&sorted);
    let near = |at: usize| {
        sorted
            .get(at)
            .is_some_and(|one| one.abs_diff(usual) <= usual / 10)
    };
    let (quarter, last) = (sorted.len() / 4, sorted.len().saturating_sub(1));
    (sorted.len() >= LEAST_FOR_RHYTHM && near(quarter) && near(last - quarter)).then_some(usual)
}

/// Returns when the bursts of `outliers` (start, duration) in a series of `span` ns began.
fn begins(outliers: &[(u64, u64)], span: u64) -> Vec<u64> {
    let count = u64::try_from(outliers.len()).unwrap_or(u64::MAX).max(1);
    // The outliers' own time is not part of the distance between them.
    let taken: u64 = outliers.iter().map(|(_, duration)| *duration).sum();
    let even = span.saturating_sub(taken) / count;
    let gap = GAP_NS.min(even / CLOSER);
    let mut begins = Vec::new();
    let mut last = None;
    for &(start, duration) in outliers {
        if last.is_none_or(|end: u64| start > end.saturating_add(gap)) {
            begins.push(start);
        }
        last = Some(start.saturating_add(duration));
    }
    begins
}

/// Returns the usual gap, where at least three of four gaps are within a tenth of it, or of twice or
/// three times it: a beat may pass without an operation to hold up.
fn rhythm(begins: &[u64]) -> Option<u64> {
    if begins.len() < LEAST_FOR_RHYTHM {
        return None;
    }
    let gaps: Vec<u64> = begins.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let usual = median_u64(&gaps);
    let near = |gap: u64, target: u64| gap.abs_diff(target) <= usual / 10;
    let beats = gaps
        .iter()
        .filter(|&&gap| (1..=3).any(|beats| near(gap, usual.saturating_mul(beats))));
    let single = gaps.iter().filter(|&&gap| near(gap, usual)).count();
    (beats.count() * 4 >= gaps.len() * 3 && single * 2 >= gaps.len()).then_some(usual)
}

/// Returns what on a Linux system is known to have the rhythm `every_ns` and to hold up an operation for
/// `longest_ns`.
pub fn known_rhythm(every_ns: u64, longest_ns: u64) -> Option<&'static str> {
    let near = |target: u64| every_ns.abs_diff(target) <= target / 20;
    let ms = 1_000_000;
    if near(1_000 * ms) && (40 * ms..70 * ms).contains(&longest_ns) {
        Some("real-time throttling (sched_rt_runtime_us)")
    } else if near(5_000 * ms) {
        Some("the journal's commit interval or the writeback of dirty pages")
    } else if near(100 * ms) {
        Some("the CPU quota of a control group (cfs_period_us)")
    } else if near(40 * ms) || near(44 * ms) {
        Some("a delayed acknowledgement of TCP, where there is a network")
    } else if near(ms) || near(4 * ms) || near(10 * ms) {
        Some("the tick of the scheduler (1, 4 or 10 ms)")
    } else {
        None
    }
}

/// Returns what on a Linux system is known to hold up an operation for `duration_ns`.
pub fn known_length(duration_ns: u64) -> Option<&'static str> {
    const TICK_NS: u64 = 4_000_000;
    let ticks = (duration_ns + TICK_NS / 2) / TICK_NS;
    if (40_000_000..45_000_000).contains(&duration_ns) {
        Some("a delayed acknowledgement of TCP, where there is a network")
    } else if (1..6).contains(&ticks) && duration_ns.abs_diff(ticks * TICK_NS) <= TICK_NS / 20 {
        Some("the loss of the CPU for whole ticks of the scheduler (4 ms)")
    } else {
        None
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share needs no more digits")]
fn ratio(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Operations of 10 µs; those at `slow` take 30 ms.
    fn series(count: usize, slow: &[usize]) -> (Vec<u64>, Vec<u64>) {
        let durations = (0..count).map(|at| {
            if slow.contains(&at) {
                30_000_000
            } else {
                10_000
            }
        });
        let durations: Vec<u64> = durations.collect();
        let mut now = 0;
        let starts = durations.iter().map(|duration| {
            let start = now;
            now += duration;
            start
        });
        (starts.collect(), durations.clone())
    }

    #[test]
    fn neighbors_are_one_burst_and_every_outlier_counts() {
        let (starts, durations) = series(20_000, &[100, 101, 15_000]);
        let found = bursts(&starts, &durations);
        assert_eq!((found.bursts, found.operations), (2, 3));
        assert!((found.share - 90.0 / 289.97).abs() < 1e-3, "{found:?}");
        assert_eq!(found.worst.first(), Some(&(100, 30_000_000)));
        assert_eq!(found.rhythm_ns, None);
    }

    #[test]
    fn growth_is_no_outlier_and_the_last_operation_can_be_one() {
        let doubling: Vec<u64> = (0..12).map(|at| 500_000 << at).collect();
        let (starts, _) = series(12, &[]);
        assert_eq!(bursts(&starts, &doubling).operations, 0);
        // One more than whole blocks.
        let (starts, durations) = series(257, &[256]);
        assert_eq!(bursts(&starts, &durations).worst, [(256, 30_000_000)]);
    }

    #[test]
    fn equal_gaps_are_a_rhythm_and_random_ones_are_not() {
        let even: Vec<usize> = (1..9).map(|at| at * 10_000).collect();
        let (starts, durations) = series(100_000, &even);
        let rhythm = bursts(&starts, &durations).rhythm_ns;
        assert_eq!(rhythm, Some(129_990_000));
        let (starts, durations) = series(100_000, &[5, 7_000, 30_000, 33_000, 80_000, 99_000]);
        assert_eq!(bursts(&starts, &durations).rhythm_ns, None);
    }

    #[test]
    fn outliers_that_are_evenly_spread_are_no_burst() {
        // Every 2 ms one of 1 ms: closer than 20 ms, and yet they do not belong together.
        let durations: Vec<u64> = (0..20_000)
            .map(|at| if at % 100 == 50 { 1_000_000 } else { 10_000 })
            .collect();
        let starts: Vec<u64> = durations
            .iter()
            .scan(0, |now, duration| {
                *now += duration;
                Some(*now - duration)
            })
            .collect();
        let found = bursts(&starts, &durations);
        assert_eq!((found.bursts, found.operations), (200, 200));
        assert!(found.is_spread());
        assert_eq!(found.rhythm_ns, Some(1_990_000));
    }

    #[test]
    fn a_missed_beat_is_no_end_of_the_rhythm() {
        let ms = 1_000_000;
        let begins: Vec<u64> = [0, 4, 8, 16, 20, 24, 36, 40, 44].map(|at| at * ms).into();
        assert_eq!(rhythm(&begins), Some(4 * ms));
        assert_eq!(
            known_rhythm(4 * ms, ms),
            Some("the tick of the scheduler (1, 4 or 10 ms)")
        );
        assert_eq!(typical(&[40, 41, 42, 40, 900]), Some(41));
        assert_eq!(typical(&[4, 20, 41, 300, 900]), None);
        let random: Vec<u64> = [0, 3, 9, 10, 17, 29, 31, 40, 55].map(|at| at * ms).into();
        assert_eq!(rhythm(&random), None);
        assert_eq!(
            known_length(41 * ms),
            Some("a delayed acknowledgement of TCP, where there is a network")
        );
    }

    #[test]
    fn a_wide_spread_is_no_burst() {
        let durations: Vec<u64> = (0..10_000).map(|at| 100_000 + at % 97 * 3_000).collect();
        let starts: Vec<u64> = (0..10_000).map(|at| at * 400_000).collect();
        assert_eq!(bursts(&starts, &durations), Bursts::default());
    }

    #[test]
    fn every_known_rhythm_has_its_own_time() {
        let ms = 1_000_000;
        let rhythm = |every, longest| known_rhythm(every, longest).map(|what| &what[..9]);
        assert_eq!(rhythm(1_003 * ms, 54 * ms), Some("real-time"));
        assert_eq!(rhythm(1_003 * ms, 5 * ms), None, "throttling lasts longer");
        assert_eq!(rhythm(5_010 * ms, 80 * ms), Some("the journ"));
        assert_eq!(rhythm(100 * ms, 20 * ms), Some("the CPU q"));
        assert_eq!(rhythm(40 * ms, 40 * ms), Some("a delayed"));
        assert_eq!(rhythm(10 * ms, ms), Some("the tick "));
        assert_eq!(rhythm(300 * ms, ms), None);
    }

    #[test]
    fn every_known_length_has_its_own_time() {
        let us = 1_000;
        let length = |duration| known_length(duration).map(|what| &what[..9]);
        assert_eq!(length(41_500 * us), Some("a delayed"));
        assert_eq!(length(4_050 * us), Some("the loss "));
        assert_eq!(length(12_100 * us), Some("the loss "));
        assert_eq!(length(6_000 * us), None);
        assert_eq!(length(80 * us), None);
    }
}
