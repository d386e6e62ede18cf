//! Frames of one language.

use super::*;

/// A service: Python that C runs and that calls C, C alone, and Go.
fn mixed() -> MemoryTrace {
    let mut trace = Literal::new(100);
    let app = trace.process("python3", 5, None);
    let main = trace.thread(app, "python3");
    let parse = "libc!memcpy < libpy!eval < job.py!parse < libpy!eval < job.py!load < libpy!main";
    trace.stack("parse", parse);
    trace.stack("start", "libpy!dlopen < libpy!init < libpy!_start");
    trace.stack(
        "pause",
        "k:hrtimer_nanosleep < libc!nanosleep < job.py!pause < libpy!main",
    );
    let serve =
        "gateway!c_hash < gateway!main.serve < gateway!runtime.main < gateway!runtime.goexit";
    trace.stack("serve", serve);
    trace.play(main, "R50 W50:pause");
    trace.sample(main, &[1, 2, 3], "parse");
    trace.sample(main, &[11, 12], "start");
    trace.sample(main, &[21], "serve");
    trace.trace("t")
}

fn shown(name: &str, arguments: &[(&'static str, ArgumentValue)], columns: &[&str]) -> Vec<String> {
    let outcome = put(name, &mixed(), &Selection::default(), arguments);
    cells(&outcome.table().expect("recorded"), columns)
}

fn language(name: &str) -> (&'static str, ArgumentValue) {
    ("language", word(name))
}

fn no_native() -> (&'static str, ArgumentValue) {
    ("no-native", ArgumentValue::Given)
}

#[test]
fn a_tree_has_frames_of_one_language_only() {
    let tree = |arguments: &[_]| shown("stacks", arguments, &["function", "exclusive"]);
    assert_eq!(
        tree(&[language("python")]),
        ["[total] 3", ".load > parse 3"]
    );
    assert_eq!(
        tree(&[language("go")]),
        ["[total] 5", ".runtime.goexit > runtime.main > main.serve 1"]
    );
    // Stacks without other frames stay.
    assert_eq!(
        tree(&[no_native()]),
        [
            "[total] 0",
            ".load > parse 3",
            "._start > init > dlopen 2",
            ".runtime.goexit > runtime.main > main.serve 1",
        ]
    );
}

#[test]
fn functions_of_one_language_have_the_time_of_what_they_called() {
    let columns = ["method", "cpu", "exclusive", "wait"];
    let functions = shown("cpu", &[language("python")], &columns);
    assert_eq!(functions, ["load 3 0 0", "parse 3 3 0", "pause 0 0 50"]);
    let native = shown("cpu", &[language("native")], &columns);
    assert!(native.contains(&"memcpy 3 3 0".to_owned()), "{native:?}");
    assert!(
        !native.iter().any(|row| row.contains("parse")),
        "{native:?}"
    );
}

#[test]
fn the_longest_wait_is_shown_in_the_language_but_has_its_class() {
    let waits = |arguments: &[_]| shown("waits", arguments, &["class", "frames"]);
    assert_eq!(waits(&[]), ["sleep nanosleep < pause < main"]);
    assert_eq!(waits(&[language("python")]), ["sleep pause"]);
    assert_eq!(waits(&[no_native()]), ["sleep pause"]);
}
