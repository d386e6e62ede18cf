//! Ways of one experiment beside each other, in sentences.

use super::Figure;
use super::blocks::Pair;
use crate::kept::KeptSeries;
use crate::run::{Pass, Run};
use crate::summary::{comparisons, real, times};
use crate::throughput;

use whyslow_results::grouped;

/// Returns what `runs` say beside each other: of commands that ran in turns, each with the first; of others
/// those that differ least; and of files that were written, the best number of threads. `cost` writes a duration in nanoseconds.
pub fn lines(runs: &[Run], cost: fn(f64) -> String) -> Vec<String> {
    let mut lines = compared(runs, cost);
    lines.extend(throughput::sentences(runs));
    lines
}

fn compared(runs: &[Run], cost: fn(f64) -> String) -> Vec<String> {
    let named = |run: &&Run| run.setup.words.operation == "command" && !run.setup.arm.is_empty();
    let (commands, others): (Vec<&Run>, Vec<&Run>) = runs.iter().partition(named);
    let others: Vec<Run> = match commands.is_empty() {
        true => return comparisons(runs, cost),
        false => others.into_iter().cloned().collect(),
    };
    let mut lines = comparisons(&others, cost);
    let mut first: Option<&Run> = None;
    for run in commands {
        match first.filter(|first| {
            first.setup.asked == run.setup.asked && first.setup.words == run.setup.words
        }) {
            Some(base) => lines.extend(beside(base, run, cost)),
            None => first = Some(run),
        }
    }
    lines
}

/// Returns the more expensive of two commands beside the other.
fn beside(base: &Run, run: &Run, cost: fn(f64) -> String) -> Option<String> {
    let series = [of(base), of(run)];
    let largest = series[0].largest().min(series[1].largest());
    let mean = |[a, b]: [&KeptSeries; 2]| {
        let figures = Pair::new([a, b], largest).figures();
        figures.into_iter().find(|one| one.figure == Figure::Mean)
    };
    let [mut cheap, mut dear] = [&series[0], &series[1]];
    if mean([cheap, dear])?.ratio < 1.0 {
        (cheap, dear) = (dear, cheap);
    }
    let found = mean([cheap, dear])?;
    let at_end = |series: &KeptSeries| {
        let of = |pass: &Vec<(f64, u64)>| {
            pass.iter()
                .find(|(n, _)| n.total_cmp(&largest).is_eq())
                .map(|(_, ns)| real(*ns))
        };
        let mut ends: Vec<f64> = series.passes.iter().filter_map(of).collect();
        ends.sort_by(f64::total_cmp);
        ends.get(ends.len() / 2).copied()
    };
    let (slow, fast) = (&dear.arm, &cheap.arm);
    let sure = match found.interval {
        Some((low, high)) => format!(" ({}–{})", times(low), times(high)),
        None => String::new(),
    };
    let mut text = format!(
        "{slow}: all runs together take {} times as long as {fast}{sure}",
        times(found.ratio)
    );
    if run.setup.words.things != "runs" {
        let [slow, fast] = [at_end(dear)?, at_end(cheap)?].map(cost);
        let n = format!("{largest:.0}");
        let n = n.parse().map_or(n, grouped);
        text += &format!("; at n = {n} {slow} against {fast}");
    }
    Some(text + ".")
}

/// Returns the run as a series that could have been kept.
fn of(run: &Run) -> KeptSeries {
    let pass = |pass: &Pass| {
        let pairs = pass.n.iter().copied().zip(&pass.operations);
        let done = pairs.filter(|(_, (_, one))| one.result == 0);
        done.map(|(n, (_, one))| (n, one.duration_ns)).collect()
    };
    KeptSeries {
        system: run.setup.system.clone(),
        operation: run.setup.words.operation.to_owned(),
        arm: run.setup.arm.clone(),
        passes: run.passes().map(pass).collect(),
        again: run.first.again.iter().map(|one| one.duration_ns).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::{named, run};
    use crate::words::Words;

    fn command(name: &str, ns: u64) -> Run {
        let mut run = named(name, run(40, |at| ns + at % 3));
        run.setup.words = Words::new("command", "A run of the command", "n");
        run
    }

    #[test]
    fn commands_are_compared_with_the_first_and_others_as_ever() {
        let cost = |ns: f64| format!("{ns:.0} ns");
        let commands = [
            command("a", 30_000),
            command("b", 10_000),
            command("c", 60_000),
        ];
        let said = lines(&commands, cost);
        assert_eq!(
            said,
            [
                "a: all runs together take 3.00 times as long as b (3.00–3.00); at n = 40 30000 ns against 10000 ns.",
                "c: all runs together take 2.00 times as long as a (2.00–2.00); at n = 40 60000 ns against 30000 ns.",
            ]
        );
        let others = [run(40, |_| 10_000), run(40, |_| 20_000)];
        assert_eq!(lines(&others, cost), comparisons(&others, cost));
        assert_eq!(lines(&[command("", 5)], cost), [""; 0]);
    }
}
