//! Bytes per second of operations that write, and how many threads are worth it.

use crate::operation::Measured;
use crate::run::Run;
use crate::words::SCANNED;

/// What is slower by less than this factor is as quick.
const AS_QUICK: f64 = 1.05;

/// Returns how many millions of bytes a second the workers of `run` wrote together: the median of its passes;
/// `None` if it writes nothing.
pub fn megabytes_per_second(run: &Run) -> Option<f64> {
    if run.setup.bytes == 0 {
        return None;
    }
    let mut rates: Vec<f64> = run
        .passes()
        .filter_map(|pass| rate(&pass.operations, run.setup.bytes))
        .collect();
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied()
}

/// Returns the millions of bytes a second of one pass, from its first start to its last end.
fn rate(operations: &[(u32, Measured)], bytes: u64) -> Option<f64> {
    let done = operations
        .iter()
        .map(|(_, one)| one)
        .filter(|one| one.result == 0);
    let begin = operations.first()?.1.start_ns;
    let (count, end) = done.fold((0.0, begin), |(count, end), one| {
        (
            count + 1.0,
            end.max(one.start_ns.saturating_add(one.duration_ns)),
        )
    });
    let seconds = real(end.saturating_sub(begin).max(1)) / 1e9;
    (count > 0.0).then(|| count * real(bytes) / 1e6 / seconds)
}

#[expect(clippy::cast_precision_loss, reason = "durations and sizes below 2⁵³")]
fn real(value: u64) -> f64 {
    value as f64
}

/// Returns a sentence for each system on which files were written in several ways: the best one.
pub fn sentences(runs: &[Run]) -> Vec<String> {
    let mut systems: Vec<&str> = runs
        .iter()
        .filter(|run| run.setup.bytes > 0)
        .map(|run| run.setup.system.as_str())
        .collect();
    systems.dedup();
    systems
        .into_iter()
        .filter_map(|system| best(runs, system))
        .collect()
}

fn best(runs: &[Run], system: &str) -> Option<String> {
    // A scanner is not a way of writing.
    let own = runs.iter().filter(|run| run.setup.arm != SCANNED);
    let here = own.filter(|run| run.setup.system == system);
    let rated: Vec<(&Run, f64)> = here
        .filter_map(|run| Some((run, megabytes_per_second(run)?)))
        .collect();
    let quickest = rated.iter().map(|(_, rate)| *rate).max_by(f64::total_cmp)?;
    // Of those that are about as quick, the one with the fewest threads.
    let as_quick = rated.iter().filter(|(_, rate)| rate * AS_QUICK >= quickest);
    let (run, rate) = as_quick.min_by_key(|(run, _)| run.setup.workers)?;
    if rated.len() < 2 {
        return None;
    }
    let on = if system.is_empty() {
        String::new()
    } else {
        format!(" on {system}")
    };
    let serial = rated.iter().find(|(run, _)| run.setup.workers == 1);
    let mut text = match (serial, run.setup.workers) {
        (_, 1) => format!("One thread is enough{on}: it writes {rate:.0} MB/s"),
        (Some((_, alone)), workers) => format!(
            "{workers} threads are best{on} ({}): {rate:.0} MB/s, {:.2} times as much as one with {alone:.0} MB/s",
            run.setup.arm,
            rate / alone
        ),
        (None, workers) => format!(
            "{workers} threads are best{on} ({}): {rate:.0} MB/s",
            run.setup.arm
        ),
    };
    let more = rated
        .iter()
        .filter(|(other, _)| other.setup.workers > run.setup.workers);
    if let Some((other, slower)) = more.max_by(|a, b| a.1.total_cmp(&b.1)) {
        text += &format!(
            "; more than that gain nothing ({}: {slower:.0} MB/s)",
            other.setup.arm
        );
    }
    Some(text + ".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::{named, run};

    /// Returns a run of 100 files of 1 MB by `workers` together, which take so long each.
    fn written(arm: &str, workers: u32, each_ns: u64) -> Run {
        let mut run = named(arm, run(100, |_| each_ns));
        for (at, (worker, one)) in (0..).zip(&mut run.first.operations) {
            *worker = at % workers;
            one.start_ns = u64::from(at / workers) * each_ns;
        }
        run.setup.workers = workers;
        run.setup.bytes = 1_000_000;
        run
    }

    #[test]
    fn the_best_number_of_threads_is_named() {
        let runs = [
            written("serial", 1, 10_000_000),
            written("tasks 2", 2, 10_000_000),
            written("tasks 4", 4, 20_000_000),
        ];
        let rates: Vec<f64> = runs
            .iter()
            .filter_map(megabytes_per_second)
            .map(f64::round)
            .collect();
        assert_eq!(rates, [100.0, 200.0, 200.0]);
        assert_eq!(
            sentences(&runs),
            [
                "2 threads are best on here (tasks 2): 200 MB/s, 2.00 times as much as one with 100 MB/s; more than that \
              gain nothing (tasks 4: 200 MB/s)."
            ]
        );
        let alone = [
            written("serial", 1, 10_000_000),
            written("tasks 2", 2, 21_000_000),
        ];
        assert_eq!(
            sentences(&alone),
            [
                "One thread is enough on here: it writes 100 MB/s; more than that gain nothing (tasks 2: 95 MB/s)."
            ]
        );
        assert_eq!(sentences(&alone[..1]), [""; 0]);
        assert_eq!(sentences(&[run(10, |_| 5)]), [""; 0]);
    }
}
