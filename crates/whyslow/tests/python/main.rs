//! Python programs that say where they are, against what is recorded of them.
//!
//! `whyslow run` records `stacks.py` with every CPython of this machine that is known. Each stack of
//! a wait in `pause` must be one that the program printed, line by line, and so must each stack of a
//! sample in `spin` but for its innermost line. Needs root and a kernel that permits eBPF.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop"
)]

mod awaits;
mod recorded;
mod runtime;
mod versions;

use std::collections::BTreeSet;

use recorded::{Recorded, Stack};

/// Functions that wait and compute.
const WAITS: &str = "pause";
const COMPUTES: &str = "spin";

/// Times that the program does all it does; the first may be over before the recorder knows of it.
const ROUNDS: [u32; 4] = [2, 8, 32, 128];

#[test]
fn recorded_stacks_are_those_that_the_program_printed() {
    for version in versions::all() {
        let complete = ROUNDS.iter().any(|&rounds| {
            let recorded = Recorded::of(&version, rounds);
            recorded.is_none_or(|recorded| agrees(&version.name, &recorded))
        });
        let name = &version.name;
        assert!(complete, "{name}: some stacks were never recorded");
    }
}

#[test]
fn what_the_interpreter_does_for_itself_is_told() {
    for version in versions::all() {
        runtime::check(&version);
    }
}

#[test]
fn what_a_waiting_event_loop_awaits_is_in_its_stacks() {
    for version in versions::all() {
        awaits::check(version);
    }
}

/// Fails for a stack that the program was not at; returns whether all where it was are there.
fn agrees(name: &str, recorded: &Recorded) -> bool {
    let said = recorded.said("wait");
    let waits = in_function(&recorded.waits, WAITS);
    let wrong: Vec<&Stack> = waits
        .iter()
        .filter(|stack| !said.contains(*stack))
        .collect();
    assert!(wrong.is_empty(), "{name}: {wrong:?}");
    let found: BTreeSet<&Stack> = waits.iter().collect();
    let lost = said.iter().filter(|stack| !found.contains(stack)).count();

    let said: BTreeSet<Stack> = recorded.said("cpu").iter().map(without_line).collect();
    let samples = in_function(&recorded.samples, COMPUTES);
    let samples: Vec<Stack> = samples.iter().map(without_line).collect();
    let wrong: Vec<&Stack> = samples
        .iter()
        .filter(|stack| !said.contains(*stack))
        .collect();
    assert!(wrong.is_empty(), "{name}: {wrong:?}");
    println!(
        "{name}: {} waits and {} samples agree, {lost} stacks were not recorded",
        waits.len(),
        samples.len()
    );
    lost == 0 && !samples.is_empty()
}

/// The stacks whose innermost function is `name`.
fn in_function(stacks: &[Stack], name: &str) -> Vec<Stack> {
    let is_in = |stack: &&Stack| stack.first().is_some_and(|frame| frame.function == name);
    stacks.iter().filter(is_in).cloned().collect()
}

/// The stack without the line of its innermost frame.
fn without_line(stack: &Stack) -> Stack {
    let mut stack = stack.clone();
    if let Some(frame) = stack.first_mut() {
        frame.line = 0;
    }
    stack
}
