//! Compares what Ruby, PHP and Perl programs say about where they are with what is recorded of them.
//!
//! `whyslow run` records `stacks.rb`, `stacks.php` and `stacks.pl` with the interpreters of this machine. Each stack of a wait
//! in `pause` must be one that the program said, line by line, and so must each stack of a sample in `spin`.
//! Needs root, and a kernel that permits eBPF.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a test may stop")]

#[path = "../python/recorded.rs"]
mod recorded;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use whyslow_testenv::{Feature, need};

use recorded::{Frame, Recorded, Stack, Version};

/// Functions that wait and compute; Perl has them in a package.
const WAITS: [&str; 2] = ["pause", "main::pause"];
const COMPUTES: [&str; 2] = ["spin", "main::spin"];

/// The function that collects garbage, and its name where the interpreter has no names of its own.
const COLLECTS: &str = "collect";
const COLLECTION: &str = "gc_marks";

/// Times that the program does all it does; the first may be over before the recorder knows of it.
const ROUNDS: [u32; 4] = [2, 8, 32, 128];

#[test]
fn recorded_stacks_of_ruby_are_those_that_the_program_printed() {
    check(Feature::Ruby, "ruby", "stacks.rb");
}

#[test]
fn recorded_stacks_of_php_are_those_that_the_program_printed() {
    check(Feature::Php, "php", "stacks.php");
}

#[test]
fn recorded_stacks_of_perl_are_those_that_the_program_printed() {
    check(Feature::Perl, "perl", "stacks.pl");
}

fn check(feature: Feature, program: &'static str, script: &str) {
    let found = version(program, script).ok_or("it is not on this machine");
    let Some(version) = need(feature, found) else {
        return;
    };
    let complete = ROUNDS.iter().any(|&rounds| {
        let recorded = Recorded::of(&version, rounds);
        recorded
            .is_none_or(|recorded| collects(&version, &recorded) & agrees(&version.name, &recorded))
    });
    let name = &version.name;
    assert!(complete, "{name}: some stacks were never recorded");
}

/// Fails for a stack that the program was not at; returns whether all where it was are there.
fn agrees(name: &str, recorded: &Recorded) -> bool {
    let said = recorded.said("wait");
    let waits = from_function(&recorded.waits, WAITS);
    let wrong: Vec<&Stack> = waits
        .iter()
        .filter(|stack| !said.contains(*stack))
        .collect();
    assert!(wrong.is_empty(), "{name}: {wrong:?}");
    let found: BTreeSet<&Stack> = waits.iter().collect();
    let lost = said.iter().filter(|stack| !found.contains(stack)).count();

    let said = recorded.said("cpu");
    let samples = from_function(&recorded.samples, COMPUTES);
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

/// Fails if garbage is collected while the program waits; returns whether samples that collect garbage say so. Only one
/// version of Ruby says so, and only where it has no names of its own, as in Debian's package.
fn collects(version: &Version, recorded: &Recorded) -> bool {
    let has = |stack: &Stack, name: &str| stack.iter().any(|frame| frame.function == name);
    let waits = recorded.waits.iter();
    let wrong: Vec<&Stack> = waits.filter(|stack| has(stack, COLLECTION)).collect();
    assert!(wrong.is_empty(), "{}: {wrong:?}", version.name);
    let is_packaged = version.program.starts_with("/usr/bin");
    let samples = recorded.samples.iter();
    let mut collecting = samples.filter(|stack| has(stack, COLLECTS));
    let is_known = is_packaged && version.name.starts_with("ruby 3.1");
    !is_known || collecting.any(|stack| has(stack, COLLECTION))
}

/// The frames of the program from that of one of the functions on, without those of the language itself.
fn from_function(stacks: &[Stack], functions: [&str; 2]) -> Vec<Stack> {
    let is_own = |frame: &&Frame| !frame.file.starts_with(['[', '<']);
    let part = |stack: &Stack| {
        let at = stack
            .iter()
            .position(|frame| functions.contains(&&*frame.function))?;
        Some(stack.get(at..)?.iter().filter(is_own).cloned().collect())
    };
    stacks.iter().filter_map(part).collect()
}

fn version(program: &'static str, script: &str) -> Option<Version> {
    let said = Command::new(program).arg("--version").output().ok()?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let mut on_path = std::env::split_paths(&on_path).map(|folder| folder.join(program));
    let script: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/script")
        .join(script);
    Some(Version {
        name: said
            .split(['(', 'p'])
            .next()
            .unwrap_or(program)
            .trim()
            .to_owned(),
        program: on_path.find(|path| path.exists())?.canonicalize().ok()?,
        arguments: vec![script.into()],
        kind: program,
    })
}
