//! Compares what a JavaScript program says about where it is with what is recorded of it.
//!
//! `whyslow run` records `stacks.js` with the Node.js of this machine, and with those that
//! `WHYSLOW_TEST_NODES` names (paths, separated by colons). The functions of each stack of a wait in `pause`
//! must be those of one that the program said. So must nearly each stack of a sample in `spin`: what is
//! compiled meanwhile may have functions inlined. Needs root, and a kernel that permits eBPF.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a test may stop")]

#[path = "../python/recorded.rs"]
mod recorded;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use whyslow_testenv::{Feature, need};

use recorded::{Frame, Recorded, Stack, Version};

/// Functions that wait and compute.
const WAITS: &str = "pause";
const COMPUTES: &str = "spin";

/// Functions of the program that it does not report.
const UNSAID: [&str; 2] = ["run", "(top level)"];

/// Times that the program does all it does; the first may be over before the recorder knows of it.
const ROUNDS: [u32; 3] = [4, 16, 64];

#[test]
fn recorded_stacks_are_those_that_the_program_printed() {
    for version in versions() {
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
    let said = recorded.said("wait");
    let waits = from_function(&recorded.waits, WAITS);
    let wrong = not_of(&waits, &said);
    assert!(wrong.is_empty(), "{name}: {wrong:?}");
    let found: BTreeSet<&Stack> = waits.iter().collect();
    let lost = said.iter().filter(|stack| !found.contains(stack)).count();

    let samples = from_function(&recorded.samples, COMPUTES);
    let wrong = not_of(&samples, &recorded.said("cpu"));
    println!(
        "{name}: {} waits agree, {lost} stacks were not recorded, {} of {} samples do not agree",
        waits.len(),
        wrong.len(),
        samples.len()
    );
    assert!(wrong.len() * 50 <= samples.len(), "{name}: {wrong:?}");
    lost == 0 && !samples.is_empty()
}

/// The stacks that are none of those, also if frames are left out, as those of functions are that were first
/// met after the program had ended.
fn not_of<'a>(stacks: &'a [Stack], said: &BTreeSet<Stack>) -> Vec<&'a Stack> {
    let is_part = |stack: &Stack, of: &Stack| {
        let mut rest = of.iter();
        stack.iter().all(|frame| rest.any(|other| other == frame))
    };
    let is_wrong = |stack: &&Stack| !said.iter().any(|of| is_part(stack, of));
    stacks.iter().filter(is_wrong).collect()
}

/// The frames of the program from that of `function` on, as the program would say them: with the line that
/// their function begins in, if theirs is in it.
fn from_function(stacks: &[Stack], function: &str) -> Vec<Stack> {
    let functions = functions();
    let said = |frame: &Frame| {
        let lines = functions.get(&frame.function).cloned().unwrap_or(0..0);
        let line = if lines.contains(&frame.line) {
            lines.start
        } else {
            frame.line
        };
        Frame {
            line,
            ..frame.clone()
        }
    };
    let part = |stack: &Stack| {
        let at = stack.iter().position(|frame| frame.function == function)?;
        let frames = stack.get(at..)?.iter().filter(|frame| {
            let is_unsaid = UNSAID.contains(&&*frame.function) || is_unknown(frame);
            frame.file.ends_with("stacks.js") && !is_unsaid
        });
        Some(frames.map(said).collect())
    };
    stacks.iter().filter_map(part).collect()
}

/// Whether nothing is known of a frame but its file: the garbage collector may move the text of a program while it
/// is read, and then neither its lines nor its length are known. No function of the program is without a name.
fn is_unknown(frame: &Frame) -> bool {
    frame.function == "(anonymous)" && frame.line < 0
}

/// The lines of the functions of the program: each has a mark where it begins, and ends in a line that is
/// indented no further.
fn functions() -> BTreeMap<String, Range<i32>> {
    let source = std::fs::read_to_string(script()).expect("the program");
    let lines: Vec<&str> = source.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut functions = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((_, name)) = line.split_once("// @") else {
            continue;
        };
        let rest = lines.iter().skip(at + 1);
        let inside = rest.take_while(|other| other.is_empty() || indent(other) > indent(line));
        let line = |index: usize| i32::try_from(index + 1).expect("a line");
        functions.insert(name.to_owned(), line(at)..line(at + inside.count() + 2));
    }
    functions
}

/// The versions of Node.js that are available.
fn versions() -> Vec<Version> {
    let named = std::env::var("WHYSLOW_TEST_NODES").unwrap_or_default();
    let named = named.split(':').filter(|path| !path.is_empty());
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&on_path).map(|folder| folder.join("node"));
    let on_path = on_path.filter(|path| path.exists()).take(1);
    let all = on_path.chain(named.map(PathBuf::from));
    let all: Vec<Version> = all.filter_map(|program| version(&program)).collect();
    let found = match all.is_empty() {
        true => Err("Node.js is not on this machine"),
        false => Ok(all),
    };
    need(Feature::Node, found).unwrap_or_default()
}

fn version(program: &Path) -> Option<Version> {
    let said = Command::new(program).arg("--version").output().ok()?;
    Some(Version {
        name: String::from_utf8_lossy(&said.stdout).trim().to_owned(),
        program: program.canonicalize().ok()?,
        arguments: vec![script().into()],
        kind: "javascript",
    })
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node/stacks.js")
}
