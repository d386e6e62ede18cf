//! Sums per function for hand-written traces, and the laws they obey for random ones.

use std::collections::BTreeMap;

use whyslow_model::MemoryTrace;
use whyslow_testkit::{Literal, MS, random_trace};

use super::*;
use crate::facts::Facts;
use crate::stacks::Stacks;

/// Returns the sums by process name and function.
fn sums(trace: &MemoryTrace, most_pieces: usize) -> BTreeMap<(String, String), MethodSum> {
    let facts = Facts::read(trace).expect("facts");
    let stacks = Stacks::read(trace).expect("stacks");
    let scope = Scope::whole(&facts);
    let functions = stacks.frames.functions.len();
    let first = FirstSeen::new(&stacks.tree, functions);
    let mut methods = Methods::new(&stacks.tree, &first, functions);
    methods.most_pieces = most_pieces;
    rows::samples(trace, &scope, |sample| methods.sample(sample)).expect("samples");
    methods.end_samples();
    rows::intervals(trace, &scope, |interval| methods.interval(interval)).expect("intervals");
    let mut all = BTreeMap::new();
    for of_process in methods.finish(trace, &scope).expect("sums") {
        let process = facts
            .process(of_process.process)
            .expect("process")
            .name
            .clone();
        for (function, sum) in of_process.methods {
            let name = stacks.frames.function(function).name.to_string();
            assert!(all.insert((process.clone(), name), sum).is_none());
        }
    }
    all
}

#[test]
fn recursion_and_inlining_count_once_and_the_leaf_is_exclusive() {
    let mut trace = Literal::new(100);
    let app = trace.process("app", 1, None);
    let main = trace.thread(app, "main");
    trace.stack("deep", "fib < fib < fib < main");
    trace.stack("inlined", "add+fib < fib < main");
    trace.stack("leaf", "main");
    trace.sample(main, &[1, 2, 3], "deep");
    trace.sample(main, &[4, 5], "inlined");
    trace.sample(main, &[6], "leaf");
    trace.sample(main, &[7], "");
    let sums = sums(&trace.raw("t"), usize::MAX);
    let of = |function: &str| {
        let sum = sums[&("app".to_owned(), function.to_owned())];
        (
            sum.cpu_ns / MS,
            sum.cpu_exclusive_ns / MS,
            sum.first_ns / MS,
            sum.last_ns / MS,
        )
    };
    assert_eq!(of("main"), (6, 1, 1, 6));
    assert_eq!(of("fib"), (5, 3, 1, 5));
    assert_eq!(of("add"), (2, 2, 4, 5));
    assert_eq!(of("[stack not recorded]"), (1, 1, 7, 7));
    assert_eq!(sums.len(), 4);
}

#[test]
fn waits_of_several_threads_are_united_and_summed() {
    let mut trace = Literal::new(100);
    let app = trace.process("app", 1, None);
    let (a, b) = (trace.thread(app, "a"), trace.thread(app, "b"));
    trace.stack("lock", "k:futex < lock < work < start");
    trace.stack("lock2", "k:futex < lock < other < start");
    trace.stack("read", "k:read < work < start");
    //  a  R....WWWWWWWWWWrr                 lock  5..15
    //  b  R.........WWWWWWWWWW...WWWWWWWWWW lock2 10..20, read 23..33
    trace.play(a, "R5 W10:lock r2:lock R1");
    trace.play(b, "R10 W10:lock2 R3 W10:read");
    let sums = sums(&trace.raw("t"), usize::MAX);
    let of = |function: &str| {
        let sum = sums[&("app".to_owned(), function.to_owned())];
        (
            sum.wait_ns / MS,
            sum.wait_sum_ns / MS,
            sum.threads,
            sum.switches,
        )
    };
    assert_eq!(of("futex"), (15, 20, 2, 2));
    assert_eq!(of("lock"), (15, 20, 2, 2));
    assert_eq!(of("work"), (20, 20, 2, 2));
    assert_eq!(of("other"), (10, 10, 1, 1));
    assert_eq!(of("start"), (25, 30, 2, 3));
    let start = sums[&("app".to_owned(), "start".to_owned())];
    assert_eq!((start.ready_ns, start.ready_sum_ns), (2 * MS, 2 * MS));
    assert_eq!((start.first_ns, start.last_ns), (5 * MS, 33 * MS));
}

#[test]
fn what_is_missing_has_a_name() {
    let mut trace = Literal::new(100);
    let app = trace.process("app", 1, None);
    let main = trace.thread(app, "main");
    trace.stack("kernel", "k:schedule < k:read < ~");
    trace.stack("stripped", "?libx.so < main");
    trace.play(main, "R1 W4:kernel R1 W3:stripped R1 P2:kernel");
    let sums = sums(&trace.raw("t"), usize::MAX);
    let names: Vec<&str> = sums.keys().map(|(_, name)| name.as_str()).collect();
    let expected = [
        "[unresolved] libx.so (no symbols)",
        "[user half not recorded]",
        "main",
        "read",
        "schedule",
    ];
    assert_eq!(names, expected);
    let half = sums[&("app".to_owned(), "[user half not recorded]".to_owned())];
    assert_eq!(
        (half.wait_ns, half.ready_ns, half.switches),
        (4 * MS, 2 * MS, 2)
    );
}

#[test]
fn the_laws_hold_on_random_traces() {
    for seed in 1..=40 {
        let trace = random_trace(seed).raw("t");
        let sums = sums(&trace, usize::MAX);
        let mut exclusive: BTreeMap<&str, i64> = BTreeMap::new();
        for ((process, function), sum) in &sums {
            let what = format!("seed {seed}, {process} {function}: {sum:?}");
            assert!(sum.cpu_exclusive_ns <= sum.cpu_ns, "{what}");
            assert!(
                sum.wait_ns <= sum.wait_sum_ns && sum.wait_ns <= 450 * MS,
                "{what}"
            );
            assert!(sum.ready_ns <= sum.ready_sum_ns, "{what}");
            assert!(
                sum.wait_threads > 1 || sum.wait_ns == sum.wait_sum_ns,
                "{what}"
            );
            assert!(sum.wait_sum_ns == 0 || sum.wait_ns > 0, "{what}");
            *exclusive.entry(process).or_default() += sum.cpu_exclusive_ns;
        }
        let facts = Facts::read(&trace).expect("facts");
        let mut total: BTreeMap<&str, i64> = BTreeMap::new();
        let scope = Scope::whole(&facts);
        rows::samples(&trace, &scope, |sample| {
            let name = &facts.process(sample.process).expect("process").name;
            *total.entry(name).or_default() += sample.weight_ns;
        })
        .expect("samples");
        assert_eq!(exclusive, total, "seed {seed}");
    }
}

#[test]
fn the_union_is_that_of_a_slow_and_plain_computation() {
    for seed in 1..=40 {
        let trace = random_trace(seed).raw("t");
        let sums = sums(&trace, usize::MAX);
        let stacks = Stacks::read(&trace).expect("stacks");
        let facts = Facts::read(&trace).expect("facts");
        // Marks, millisecond by millisecond, when a function is waited in.
        let mut waits: BTreeMap<(String, String), Vec<bool>> = BTreeMap::new();
        rows::intervals(&trace, &Scope::whole(&facts), |interval| {
            if interval.state != ThreadState::Waiting {
                return;
            }
            let process = facts
                .process(interval.process)
                .expect("process")
                .name
                .clone();
            for node in stacks.tree.path(stacks.tree.node(interval.stack)) {
                for &function in stacks.tree.functions(node) {
                    let name = stacks.frames.function(function).name.to_string();
                    let key = (process.clone(), name);
                    let slots = waits.entry(key).or_insert_with(|| vec![false; 500]);
                    let (from, to) = (interval.start_ns / MS, interval.end_ns / MS);
                    (from..to).for_each(|ms| slots[usize::try_from(ms).expect("small")] = true);
                }
            }
        })
        .expect("intervals");
        for (key, sum) in &sums {
            let slots = waits
                .get(key)
                .map_or(0, |slots| slots.iter().filter(|&&w| w).count());
            let expected = i64::try_from(slots).expect("small") * MS;
            assert_eq!(sum.wait_ns, expected, "seed {seed} {key:?}");
        }
    }
}

#[test]
fn a_process_swept_in_slices_has_the_same_union() {
    for seed in 1..=10 {
        let trace = random_trace(seed).raw("t");
        assert_eq!(sums(&trace, 16), sums(&trace, usize::MAX), "seed {seed}");
    }
}
