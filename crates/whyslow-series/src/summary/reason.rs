//! Why passes cost differently, and what the machine took from them: by what the kernel accounted.

use super::compare::times;
use super::real;
use crate::run::{Pass, Run};
use crate::spent::Spent;

/// Passes that differ by less are not explained.
const DIFFERENT: f64 = 2.0;

/// What explains so much of a difference is its reason.
const MOST: f64 = 0.6;

/// The least share of the time without a CPU that is worth reporting.
const BUSY: f64 = 0.2;

/// Operations that were timed took at least so much of a pass that is explained; the rest was preparing.
const TIMED: f64 = 0.8;

/// They cannot take longer than the pass, but for what the clocks differ by.
const LONGER: f64 = 1.05;

/// What an operation of a pass cost on average, by what it was spent on.
#[derive(Debug, Clone, Copy)]
struct Each {
    all: f64,
    program: f64,
    kernel: f64,
    ready: Option<f64>,
}

impl Each {
    fn of(pass: &Pass) -> Option<Self> {
        let spent: Spent = pass.spent?;
        let timed = pass.operations.iter();
        let timed: f64 = timed.map(|(_, one)| real(one.duration_ns)).sum();
        let wall = real(spent.wall_ns);
        let count = whyslow_law::count(pass.operations.len());
        let each = |ns: u64| real(ns) / count;
        // Times that are simulated, or told by a command, are not those of the pass.
        let own = (TIMED * wall..=wall * LONGER).contains(&timed);
        (count > 0.0 && own).then(|| Self {
            all: wall / count,
            program: each(spent.program_ns),
            kernel: each(spent.kernel_ns),
            ready: spent.ready_ns.map(each),
        })
    }

    fn rest(&self) -> f64 {
        (self.all - self.program - self.kernel - self.ready.unwrap_or(0.0)).max(0.0)
    }
}

/// Returns why the slowest pass of `run` cost at least twice as much as the fastest.
pub(super) fn of_levels(run: &Run, cost: fn(f64) -> String) -> Option<String> {
    let each: Vec<Each> = run.passes().filter_map(Each::of).collect();
    let by_cost = |a: &&Each, b: &&Each| a.all.total_cmp(&b.all);
    let (slow, fast) = (each.iter().max_by(by_cost)?, each.iter().min_by(by_cost)?);
    if slow.all < DIFFERENT * fast.all {
        return None;
    }
    let waited = match slow.ready {
        Some(_) => "it waited for something other than a CPU",
        None => "it waited, for a CPU or for something else",
    };
    let ready = |each: &Each| each.ready.unwrap_or(0.0);
    let (why, a, b) = [
        (
            "the program computed for longer",
            slow.program,
            fast.program,
        ),
        ("the kernel computed for longer", slow.kernel, fast.kernel),
        ("it waited for a CPU", ready(slow), ready(fast)),
        (waited, slow.rest(), fast.rest()),
    ]
    .into_iter()
    .max_by(|a, b| (a.1 - a.2).total_cmp(&(b.1 - b.2)))?;
    (a - b >= MOST * (slow.all - fast.all)).then(|| {
        format!(
            "The slowest pass took {} times as long as the fastest because {why}: {} per operation, not {}.",
            times(slow.all / fast.all),
            cost(a),
            cost(b)
        )
    })
}

/// Returns how much of the time of `run` it had no CPU, if that is a lot.
pub(super) fn of_busy_machine(run: &Run) -> Option<String> {
    let each = Each::of(&run.first)?;
    let share = each.ready? / each.all;
    (share >= BUSY).then(|| {
        format!(
            "It waited for a CPU for {:.0} % of the time: other programs were busy.",
            share * 100.0
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;
    use super::*;

    /// Returns a pass of 1,000 operations, each of which took this many microseconds.
    fn pass(program: u64, kernel: u64, ready: Option<u64>, rest: u64) -> Pass {
        let all = program + kernel + ready.unwrap_or(0) + rest;
        let mut pass = run(1_000, |_| all * 1_000).first;
        pass.spent = Some(Spent {
            wall_ns: all * 1_000_000,
            program_ns: program * 1_000_000,
            kernel_ns: kernel * 1_000_000,
            ready_ns: ready.map(|ready| ready * 1_000_000),
        });
        pass
    }

    fn why(first: Pass, second: Pass) -> Option<String> {
        let mut run = run(1_000, |_| 10_000);
        run.first = first;
        run.repeats.push(second);
        of_levels(&run, |ns| format!("{:.0} µs", ns / 1e3))
    }

    #[test]
    fn what_a_slow_pass_spent_more_on_is_its_reason() {
        let fast = || pass(2, 12, Some(1), 1);
        let said = why(fast(), pass(2, 300, Some(2), 6)).expect("the kernel");
        let expected = "The slowest pass took 19.4 times as long as the fastest because the kernel computed for longer: \
                        300 µs per operation, not 12 µs.";
        assert_eq!(said, expected);
        let ready = why(pass(2, 13, Some(85), 0), fast()).expect("other programs");
        assert!(
            ready.contains("because it waited for a CPU: 85 µs"),
            "{ready}"
        );
        let rest = why(fast(), pass(2, 13, Some(2), 400)).expect("a disk");
        assert!(
            rest.contains("it waited for something other than a CPU: 400 µs"),
            "{rest}"
        );
        let child = why(pass(9, 3, None, 3), pass(9, 3, None, 90)).expect("a wait");
        assert!(
            child.contains("it waited, for a CPU or for something else: 90 µs"),
            "{child}"
        );
        assert_eq!(
            why(fast(), pass(3, 15, Some(2), 2)),
            None,
            "less than twice"
        );
        assert_eq!(
            why(fast(), pass(20, 30, Some(30), 30)),
            None,
            "several reasons"
        );
    }

    #[test]
    fn a_machine_that_others_use_is_told() {
        let mut run = run(1_000, |_| 10_000);
        run.first = pass(2, 12, Some(6), 0);
        let said = of_busy_machine(&run).expect("busy");
        assert_eq!(
            said,
            "It waited for a CPU for 30 % of the time: other programs were busy."
        );
        run.first = pass(2, 12, Some(1), 6);
        assert_eq!(of_busy_machine(&run), None);
        // Simulated times are much longer than the simulation takes.
        run.first = pass(2, 12, Some(6), 0);
        for (_, one) in &mut run.first.operations {
            one.duration_ns *= 50;
        }
        assert_eq!(of_busy_machine(&run), None);
        // Most of the pass was preparing, which is not what was measured.
        run.first = pass(2, 12, Some(6), 0);
        run.first.operations.truncate(700);
        assert_eq!(of_busy_machine(&run), None);
    }
}
