//! `perf` opens what we write.

use std::ffi::OsStr;
use std::process::{Command, Output};

use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::{Scratch, recorder};

#[test]
fn perf_opens_the_file_without_complaint() {
    if !has(Feature::Perf) {
        return;
    }
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let script = "timeout 0.3 sh -c 'while :; do :; done'; sleep 0.01";
    let command = ["sh", "-c", script].map(OsStr::new);
    let Some(recorder) = recorder(Settings::new(&output)) else {
        return;
    };
    let report = recorder.run_command(&command).unwrap();
    let perf = |arguments: &[&str]| {
        let answer = Command::new("perf")
            .args(arguments)
            .arg("-i")
            .arg(&output)
            .output()
            .unwrap();
        assert!(
            answer.status.success(),
            "{arguments:?}: {}",
            text(&answer.stderr)
        );
        complaints(arguments, &answer);
        text(&answer.stdout)
    };
    let events = perf(&["evlist"]);
    for event in [
        "cpu-clock",
        "sched:sched_switch",
        "sched:sched_waking",
        "whyslow:user_stack",
    ] {
        assert!(
            events.lines().any(|line| line == event),
            "{event} in {events}"
        );
    }
    for order in ["caller", "callee"] {
        let report = perf(&["report", "--stdio", "--no-inline", "-g", order]);
        assert!(report.contains("sh"), "{report}");
    }
    let script = perf(&["script", "--no-inline"]);
    assert!(script.contains("prev_comm="), "tracepoints are decoded");
    assert!(
        script.contains("schedule+0x"),
        "kernel functions have names"
    );
    assert!(script.contains("libc.so"), "user frames have modules");
    let dump = perf(&["report", "-D"]);
    let has_losses = dump.contains("PERF_RECORD_LOST");
    assert!(report.lost() > 0 || !has_losses, "nothing was lost");
}

fn complaints(arguments: &[&str], answer: &Output) {
    let errors = text(&answer.stderr).to_lowercase();
    for word in [
        "error",
        "invalid",
        "incompatible",
        "corrupt",
        "unexpected",
        "not properly",
    ] {
        assert!(!errors.contains(word), "{arguments:?}: {errors}");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
