//! Stacks of an event loop that waits: the coroutines that its task awaits are in them.

use std::collections::BTreeSet;
use std::path::Path;

use crate::recorded::{Frame, Recorded, Stack, Version};

/// Times that the program does all it does; the first may be over before the recorder knows of it.
const ROUNDS: [u32; 4] = [2, 4, 8, 16];

/// The functions of an event loop between which what it awaits belongs.
const WAITS: &str = "run_forever";
const RUNS: &str = "run_until_complete";

/// Records the program until everything that it awaited was there once.
pub(crate) fn check(mut version: Version) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/awaits.py");
    version.arguments = vec![script.into()];
    let mut lost = BTreeSet::new();
    for rounds in ROUNDS {
        let Some(recorded) = Recorded::of(&version, rounds) else {
            return;
        };
        let said = recorded.said("wait");
        let found: BTreeSet<Stack> = recorded.waits.iter().filter_map(awaited).collect();
        let wrong: Vec<&Stack> = found
            .iter()
            .filter(|stack| !stack.is_empty() && !said.contains(*stack))
            .collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", version.name);
        assert!(said.len() > 5, "{}: {said:?}", version.name);
        lost = said.difference(&found).cloned().collect();
        if lost.is_empty() {
            return;
        }
    }
    panic!("{}: never recorded: {lost:?}", version.name);
}

/// The part of an event loop's stack that is of what it awaits; `None`: it is not in an event loop.
fn awaited(stack: &Stack) -> Option<Stack> {
    let is = |frame: &Frame, name: &str| frame.function.rsplit('.').next() == Some(name);
    let first = stack.iter().position(|frame| is(frame, WAITS))? + 1;
    let end = stack.iter().position(|frame| is(frame, RUNS))?;
    Some(stack[first..end].to_vec())
}
