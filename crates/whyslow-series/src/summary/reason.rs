//! Why passes cost differently, and what the machine took from them: by what the kernel accounted, and by what is
//! known of the file system.

use super::compare::times;
use super::real;
use crate::run::{Pass, Run};
use crate::spent::Spent;
use whyslow_law::order::percentile;

/// Passes that differ by less are not explained.
const DIFFERENT: f64 = 2.0;

/// What explains so much of a difference is its reason.
const MOST: f64 = 0.6;

/// The least share of the time without a CPU that is worth reporting.
pub(super) const BUSY: f64 = 0.2;

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
    /// Of `ready`, where that is known: what a quota took.
    stopped: f64,
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
            stopped: each(spent.stopped_ns()),
        })
    }

    /// What it waited for a CPU that others had.
    fn competed(&self) -> f64 {
        (self.ready.unwrap_or(0.0) - self.stopped).max(0.0)
    }

    fn rest(&self) -> f64 {
        let without = self.ready.unwrap_or(0.0).max(self.stopped);
        (self.all - self.program - self.kernel - without).max(0.0)
    }
}

/// A difference of the medians by more than this part makes a reader wonder.
const NOTICED: f64 = 0.1;

/// Says that the figures of `run` are those of its first pass, if the median of that pass is not that of all.
pub(super) fn of_first_pass(run: &Run, cost: fn(f64) -> String) -> Option<String> {
    let medians = run.passes().map(|pass| {
        let mut durations = pass.durations();
        durations.sort_unstable();
        real(percentile(&durations, 50))
    });
    let mut medians: Vec<f64> = medians.collect();
    let first = *medians.first()?;
    medians.sort_by(f64::total_cmp);
    let all = medians[medians.len() / 2];
    let differ = (first - all).abs() > NOTICED * all;
    differ.then(|| {
        format!(
            "The table shows the first of {} passes, whose median is {}; the verdict follows from all passes, whose typical \
             median is {}.",
            medians.len(),
            cost(first),
            cost(all)
        )
    })
}

/// Returns why the slowest pass of `run` cost at least twice as much as the fastest.
pub(super) fn of_levels(run: &Run, cost: fn(f64) -> String) -> Option<String> {
    let each = run.passes().enumerate();
    let each: Vec<(usize, Each)> = each
        .filter_map(|(at, pass)| Some((at, Each::of(pass)?)))
        .collect();
    let by_cost = |a: &&(usize, Each), b: &&(usize, Each)| a.1.all.total_cmp(&b.1.all);
    let (at, slow) = each.iter().max_by(by_cost)?;
    let (_, fast) = each.iter().min_by(by_cost)?;
    if slow.all < DIFFERENT * fast.all {
        return None;
    }
    let waited = match slow.ready {
        Some(_) => "it waited for something other than a CPU",
        None => "it waited, for a CPU or for something else",
    };
    let (why, a, b) = [
        (
            "the program computed for longer",
            slow.program,
            fast.program,
        ),
        (KERNEL, slow.kernel, fast.kernel),
        ("it waited for a CPU", slow.competed(), fast.competed()),
        (
            "the CPU quota of its group stopped it",
            slow.stopped,
            fast.stopped,
        ),
        (waited, slow.rest(), fast.rest()),
    ]
    .into_iter()
    .max_by(|a, b| (a.1 - a.2).total_cmp(&(b.1 - b.2)))?;
    if a - b < MOST * (slow.all - fast.all) {
        return None;
    }
    let mut text = format!(
        "The slowest pass took {} times as long as the fastest because {why}: {} per operation, not {}.",
        times(slow.all / fast.all),
        cost(a),
        cost(b)
    );
    if why == KERNEL && *at > 0 && may_skip_deleted(run) {
        text += &format!(" The files of the passes before it had just been deleted. {SKIPS}");
    }
    Some(text)
}

/// What the kernel does for longer.
const KERNEL: &str = "the kernel computed for longer";

/// What a file system without a journal does, as far as it is the likely reason.
const SKIPS: &str = "Likely, that is why: ext4 without a journal does not use the inodes of deleted files again for some \
                     minutes, and looks at every one of them when it creates a file.";

/// Returns whether what `run` measured later may be dearer because of files that it had deleted before: it creates files
/// where the file system looks at each deleted one, and that is computing in the kernel, as most of every pass is.
pub(super) fn may_skip_deleted(run: &Run) -> bool {
    let in_kernel = |pass: &Pass| Each::of(pass).is_some_and(|each| each.kernel >= MOST * each.all);
    run.setup.skips_deleted && run.passes().all(in_kernel)
}

/// Returns why what was measured later does not show whether time is the reason.
pub(super) fn of_deletions() -> String {
    format!(
        "Measured again, it cost as much with few files, but the files of the first pass had just been deleted. {SKIPS} \
         So it remains open whether the number of files or time is the cause. To find out, measure where there is a \
         journal, for example with --on ext4."
    )
}

/// Returns for how much of the time of `run` a CPU quota stopped it, and what that means for its law.
pub(super) fn of_quota(run: &Run) -> Option<String> {
    let hindered = run.passes().filter(|pass| pass.is_hindered());
    let hindered: Vec<Spent> = hindered.filter_map(|pass| pass.spent).collect();
    let most = hindered
        .iter()
        .map(Spent::stopped_share)
        .fold(0.0, f64::max);
    let about = match hindered.first()?.ready_ns {
        Some(_) if hindered.len() == 1 => "",
        _ => "up to ",
    };
    let share = format!("{about}{:.0} % of", most * 100.0);
    let (passes, count) = (run.passes().count(), hindered.len());
    if count == passes {
        return Some(format!(
            "The CPU quota of its group (cgroup) stopped it for {share} the time. What is said of costs and their law includes \
             that. Give the group a larger quota, or measure outside of it."
        ));
    }
    let first = match run.first.is_hindered() {
        true => " The first pass, which figures and charts show, was stopped.",
        false => "",
    };
    Some(format!(
        "The CPU quota of its group (cgroup) stopped {count} of {passes} passes for {share} their time. The law follows \
         from the other passes.{first}"
    ))
}

/// Returns how much of the time of `run` it had no CPU, if that is a lot.
pub(super) fn of_busy_machine(run: &Run) -> Option<String> {
    let each = Each::of(&run.first)?;
    each.ready?;
    let share = each.competed() / each.all;
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
            throttled_ns: 0,
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

    /// Returns the pass in which a quota stopped it for so many microseconds per operation.
    fn stopped(each: u64, mut pass: Pass) -> Pass {
        let spent = pass.spent.as_mut().expect("accounted");
        spent.throttled_ns = each * 1_000_000;
        pass
    }

    #[test]
    fn a_quota_is_no_other_program() {
        let mut run = run(1_000, |_| 10_000);
        // Another CPU of the group was stopped as well.
        run.first = stopped(12, pass(2, 12, Some(6), 0));
        assert_eq!(of_busy_machine(&run), None);
        assert_eq!(
            of_quota(&run).as_deref(),
            Some(
                "The CPU quota of its group (cgroup) stopped it for 30 % of the time. What is said of costs and their law \
                 includes that. Give the group a larger quota, or measure outside of it."
            )
        );
        run.first = stopped(0, pass(2, 12, Some(6), 0));
        assert_eq!(of_quota(&run), None);
        run.first = stopped(6, pass(2, 12, None, 6));
        let said = of_quota(&run).expect("a quota");
        assert!(said.contains("for up to 30 % of the time"), "{said}");
        let slow = stopped(300, pass(2, 12, Some(301), 0));
        let why = why(pass(2, 12, Some(1), 1), slow).expect("the quota");
        assert!(
            why.contains(
                "because the CPU quota of its group stopped it: 300 µs per operation, not 0 µs"
            ),
            "{why}"
        );
    }

    #[test]
    fn a_first_pass_that_differs_from_the_others_is_named() {
        let of = |others: &[u64]| {
            let mut run = run(1_000, |_| 17_000);
            for &ns in others {
                run.repeats.push(self::run(1_000, |_| ns).first);
            }
            of_first_pass(&run, |ns| format!("{:.0} µs", ns / 1e3))
        };
        let said = of(&[14_000, 14_000]).expect("a difference");
        assert_eq!(
            said,
            "The table shows the first of 3 passes, whose median is 17 µs; the verdict follows from all passes, whose typical \
             median is 14 µs."
        );
        assert_eq!(of(&[17_500, 14_000]), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn deleted_files_are_named_where_the_facts_allow_it() {
        let of = |skips: bool, first: Pass, second: Pass| {
            let mut run = run(1_000, |_| 10_000);
            run.setup.skips_deleted = skips;
            run.first = first;
            run.repeats.push(second);
            of_levels(&run, |ns| format!("{:.0} µs", ns / 1e3)).expect("a reason")
        };
        let (fast, slow) = (|| pass(2, 12, Some(1), 1), || pass(2, 300, Some(2), 6));
        let said = of(true, fast(), slow());
        let end = "300 µs per operation, not 12 µs. The files of the passes before it had just been deleted. Likely, that \
                   is why: ext4 without a journal does not use the inodes of deleted files again for some minutes, and \
                   looks at every one of them when it creates a file.";
        assert!(said.ends_with(end), "{said}");
        assert!(
            of(false, fast(), slow()).ends_with("not 12 µs."),
            "a journal"
        );
        assert!(
            of(true, slow(), fast()).ends_with("not 12 µs."),
            "nothing was deleted before the first pass"
        );
        let waited = of(true, fast(), pass(2, 13, Some(2), 400));
        assert!(waited.ends_with("not 1 µs."), "{waited}");
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
