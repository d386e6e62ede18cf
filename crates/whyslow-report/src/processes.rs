//! What an operation costs by the number of processes that do it at the same time.

use std::io::{self, Write};

use whyslow_render::{Fit, FitPoint, Paint, escape};
use whyslow_series::{Run, Summary};

use crate::unit::cost;

/// The same operation by different numbers of processes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ByProcesses {
    /// What is done, and on what.
    pub(crate) title: String,
    /// The fewest processes first.
    rows: Vec<Row>,
}

/// What it costs with this many processes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    processes: u32,
    mean_ns: f64,
    p99_ns: u64,
}

/// Returns what was done by several numbers of processes.
pub(crate) fn by_processes(runs: &[Run], summaries: &[Summary]) -> Vec<ByProcesses> {
    let mut all: Vec<ByProcesses> = Vec::new();
    for (run, summary) in runs.iter().zip(summaries) {
        let Some(title) = title(run) else {
            continue;
        };
        let row = Row {
            processes: run.setup.workers,
            mean_ns: real(summary.total_ns) / whyslow_law::count(summary.operations.max(1)),
            p99_ns: summary.p99_ns,
        };
        match all.iter_mut().find(|one| one.title == title) {
            Some(one) => one.rows.push(row),
            None => all.push(ByProcesses {
                title,
                rows: vec![row],
            }),
        }
    }
    for one in &mut all {
        one.rows.sort_by_key(|row| row.processes);
    }
    all.retain(|one| one.rows.len() > 1);
    all
}

/// Returns what `run` is called without its number of processes; `None` if it has none.
fn title(run: &Run) -> Option<String> {
    let words = [
        "1 process".to_owned(),
        format!("{} processes", run.setup.workers),
    ];
    let way = words
        .iter()
        .find_map(|words| run.setup.arm.strip_suffix(words))?;
    let way = way.strip_suffix(" by ").unwrap_or(way);
    let mut title = run.setup.words.operation.to_owned();
    if !way.is_empty() {
        title += &format!(", {way}");
    }
    if !run.setup.system.is_empty() {
        title += &format!(", on {}", run.setup.system);
    }
    Some(title + ", by number of processes")
}

/// Columns of the longest bar.
const BAR: f64 = 24.0;

impl ByProcesses {
    /// Writes a bar for each mean and each p99; both have a scale of their own.
    pub(crate) fn write(&self, paint: Paint, out: &mut (dyn Write + Send)) -> io::Result<()> {
        writeln!(out, "{}", paint.heading(&escape(&self.title)))?;
        let heading = format!("{:>9}  {:<36}{}", "Processes", "Mean", "p99");
        writeln!(out, "{}", paint.faint(&heading))?;
        let most = |of: fn(&Row) -> f64| self.rows.iter().map(of).fold(1.0, f64::max);
        let (mean, p99) = (most(|row| row.mean_ns), most(|row| real(row.p99_ns)));
        for row in &self.rows {
            let [first, second] = [(row.mean_ns, mean), (real(row.p99_ns), p99)]
                .map(|(ns, most)| (cost(ns), bar(ns / most)));
            let line = format!(
                "{:>9}  {:>8} {:<27}{:>8} {}",
                row.processes, first.0, first.1, second.0, second.1
            );
            writeln!(out, "{}", line.trim_end())?;
        }
        writeln!(out)
    }

    /// Returns the points of a picture: the p99 of each number of processes.
    pub(crate) fn points(&self) -> (Vec<f64>, Vec<u64>) {
        let rows = self.rows.iter();
        rows.map(|row| (f64::from(row.processes), row.p99_ns))
            .unzip()
    }

    /// Returns the line through the means.
    pub(crate) fn line(&self) -> Fit {
        let point = |row: &Row| FitPoint {
            n: f64::from(row.processes),
            ns: row.mean_ns,
            range_ns: (row.mean_ns, row.mean_ns),
        };
        Fit {
            label: "mean".to_owned(),
            points: self.rows.iter().map(point).collect(),
        }
    }
}

fn bar(share: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of the longest bar"
    )]
    let columns = (share.clamp(0.0, 1.0) * BAR).ceil() as usize;
    "▇".repeat(columns)
}

#[expect(clippy::cast_precision_loss, reason = "durations below 2⁵³ ns")]
fn real(ns: u64) -> f64 {
    ns as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_a_scale_for_means_and_one_for_the_slowest() {
        let row = |processes, mean_ns, p99_ns| Row {
            processes,
            mean_ns,
            p99_ns,
        };
        let one = ByProcesses {
            title: "rename, on ext4, by number of processes".to_owned(),
            rows: vec![row(1, 10_000.0, 20_000), row(20, 200_000.0, 40_000_000)],
        };
        let mut out: Vec<u8> = Vec::new();
        one.write(Paint::Plain, &mut out).expect("memory");
        let text = String::from_utf8(out).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[2],
            format!("        1   10.0 µs {:<27} 20.0 µs ▇", "▇▇")
        );
        assert_eq!(
            lines[3],
            format!(
                "       20    200 µs {}    40.0 ms {}",
                "▇".repeat(24),
                "▇".repeat(24)
            )
        );
        let (n, ns) = one.points();
        assert_eq!((n, ns), (vec![1.0, 20.0], vec![20_000, 40_000_000]));
    }
}
