//! Outliers and bursts: operations that took far longer than their neighbors, what share of the
//! time they hold, and whether they come in a rhythm.
//!
//! An outlier takes more than ten times the median around it, and 200 µs more. Outliers less than
//! 20 ms apart are one burst: what held them up did so once.

use crate::order::median_u64;

/// Operations around one that tell what is usual there.
const AROUND: usize = 256;

/// How many times the usual cost an outlier takes.
const TIMES: u64 = 10;

/// What an outlier takes beyond the usual cost.
const BEYOND_NS: u64 = 200_000;

/// Outliers closer than this are one burst.
const GAP_NS: u64 = 20_000_000;

/// Bursts from which on a rhythm can be told.
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
    /// The usual time from one burst to the next, where they come in a rhythm.
    pub rhythm_ns: Option<u64>,
}

/// Returns the bursts of operations with these starts and durations, in order of their starts.
pub fn bursts(start_ns: &[u64], duration_ns: &[u64]) -> Bursts {
    let mut found = Bursts::default();
    let mut begins: Vec<u64> = Vec::new();
    let mut last = None;
    let mut inside: u64 = 0;
    for (block, durations) in duration_ns.chunks(AROUND).enumerate() {
        let usual = median_u64(durations);
        let limit = (usual.saturating_mul(TIMES)).max(usual.saturating_add(BEYOND_NS));
        for (at, &duration) in durations.iter().enumerate() {
            if duration <= limit {
                continue;
            }
            let at = block * AROUND + at;
            let start = start_ns.get(at).copied().unwrap_or(0);
            if last.is_none_or(|end| start > GAP_NS + end) {
                begins.push(start);
            }
            last = Some(start.saturating_add(duration));
            inside += duration;
            found.operations += 1;
            found.longest_ns = found.longest_ns.max(duration);
            found.worst.push((at, duration));
        }
    }
    let all: u64 = duration_ns.iter().sum();
    found.bursts = begins.len();
    found.share = ratio(inside, all);
    found
        .worst
        .sort_by_key(|&(_, duration)| std::cmp::Reverse(duration));
    found.worst.truncate(5);
    found.rhythm_ns = rhythm(&begins);
    found
}

/// Returns the usual gap, where at least three of four gaps are within a tenth of it.
fn rhythm(begins: &[u64]) -> Option<u64> {
    if begins.len() < LEAST_FOR_RHYTHM {
        return None;
    }
    let gaps: Vec<u64> = begins.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let usual = median_u64(&gaps);
    let near = gaps.iter().filter(|gap| gap.abs_diff(usual) <= usual / 10);
    (near.count() * 4 >= gaps.len() * 3).then_some(usual)
}

/// Returns what on a Linux system is known to have the rhythm `every_ns`, or to last `longest_ns`.
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
        Some("a delayed acknowledgement of TCP")
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
    fn equal_gaps_are_a_rhythm_and_random_ones_are_not() {
        let even: Vec<usize> = (1..9).map(|at| at * 10_000).collect();
        let (starts, durations) = series(100_000, &even);
        let rhythm = bursts(&starts, &durations).rhythm_ns;
        assert_eq!(rhythm, Some(129_990_000));
        let (starts, durations) = series(100_000, &[5, 7_000, 30_000, 33_000, 80_000, 99_000]);
        assert_eq!(bursts(&starts, &durations).rhythm_ns, None);
    }

    #[test]
    fn a_wide_spread_is_no_burst() {
        let durations: Vec<u64> = (0..10_000).map(|at| 100_000 + at % 97 * 3_000).collect();
        let starts: Vec<u64> = (0..10_000).map(|at| at * 400_000).collect();
        assert_eq!(bursts(&starts, &durations), Bursts::default());
    }
}
