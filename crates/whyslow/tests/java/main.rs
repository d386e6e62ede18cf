//! A Java program that says where it is, against what is recorded of it.
//!
//! `whyslow run` records `Stacks.java` with every Java virtual machine of this machine. Each stack of a wait
//! in `pause` must be one that the program printed, line by line. So must nearly each stack of a sample
//! in `spin`, but for its innermost line: between two calls, compiled code tells the next place that it
//! has a record of. Needs root, and a kernel that permits eBPF.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a test may stop")]

#[path = "../python/recorded.rs"]
mod recorded;
mod versions;

use std::collections::BTreeSet;

use recorded::{Frame, Recorded, Stack};

/// Functions that wait and compute.
const WAITS: &str = "Stacks.pause";
const COMPUTES: &str = "Stacks.spin";

/// Times that the program does all it does; the first may be over before the recorder knows of it.
const ROUNDS: [u32; 4] = [4, 16, 64, 256];

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

/// Fails for a stack that the program was not at; returns whether all where it was are there.
fn agrees(name: &str, recorded: &Recorded) -> bool {
    let said: BTreeSet<Stack> = recorded.said("wait").iter().map(without_line).collect();
    let waits = from_function(&recorded.waits, WAITS);
    let wrong: Vec<&Stack> = waits
        .iter()
        .filter(|stack| !said.contains(*stack))
        .collect();
    assert!(wrong.is_empty(), "{name}: {wrong:?}");
    let found: BTreeSet<&Stack> = waits.iter().collect();
    let lost = said.iter().filter(|stack| !found.contains(stack)).count();

    let said: BTreeSet<Stack> = recorded.said("cpu").iter().map(without_line).collect();
    let mut samples = from_function(&recorded.samples, COMPUTES);
    let all = samples.len();
    // A compiled method may not say a caller's line at each instruction; how often it does depends on when it
    // was compiled.
    samples.retain(|stack| stack.iter().all(|frame| frame.line >= 0));
    assert!(
        samples.len() * 2 >= all,
        "{name}: {} of {all} samples",
        samples.len()
    );
    let wrong: Vec<&Stack> = samples
        .iter()
        .filter(|stack| !said.contains(*stack))
        .collect();
    println!(
        "{name}: {} waits agree, {lost} stacks were not recorded, {} of {} samples do not agree",
        waits.len(),
        wrong.len(),
        samples.len()
    );
    assert!(wrong.len() * 50 <= samples.len(), "{name}: {wrong:?}");
    lost == 0 && !samples.is_empty()
}

/// The stacks from the frame of `function` on, as the program would print them.
fn from_function(stacks: &[Stack], function: &str) -> Vec<Stack> {
    let part = |stack: &Stack| {
        let at = stack.iter().position(|frame| frame.function == function)?;
        let frames = stack.get(at..)?.iter().filter(|frame| !is_hidden(frame));
        Some(without_line(&frames.map(plain).collect()))
    };
    stacks.iter().filter_map(part).collect()
}

/// What the virtual machine made for a lambda, or to reach one, is not shown, nor is what is marked as hidden.
fn is_hidden(frame: &Frame) -> bool {
    ["$$Lambda", "LambdaForm", "[java runtime]", "Thread.runWith"]
        .iter()
        .any(|part| frame.function.contains(part) || frame.file.contains(part))
}

/// The frame, with the file's name alone.
fn plain(frame: &Frame) -> Frame {
    let file = frame.file.rsplit('/').next().unwrap_or_default();
    Frame {
        file: file.to_owned(),
        ..frame.clone()
    }
}

/// The stack without the line of its innermost frame.
fn without_line(stack: &Stack) -> Stack {
    let mut stack = stack.clone();
    if let Some(frame) = stack.first_mut() {
        frame.line = 0;
    }
    stack
}
