//! Without rights: own processes only, and what is missing is said.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{BUSY, Scratch, program};

#[test]
fn nobody_records_an_own_command_and_is_told_what_is_missing() {
    let scratch = Scratch::new();
    if !has(Feature::Root) {
        return;
    }
    let Some(program) = program() else {
        return;
    };
    let paranoid = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap();
    // Nobody may not enter the directories of whoever builds this.
    let copy = scratch.path("record");
    std::fs::copy(&program, &copy).unwrap();
    std::fs::set_permissions(&scratch.0, PermissionsExt::from_mode(0o777)).unwrap();
    let output = scratch.path("a.data");
    let script = format!("{BUSY}; sleep 0.02; exit 9");
    let answer = Command::new("setpriv")
        .args(["--reuid", "65534", "--regid", "65534", "--clear-groups"])
        .arg(&copy)
        .arg("-o")
        .arg(&output)
        .args(["--", "sh", "-c", &script])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&answer.stderr);
    if paranoid.trim().parse::<i32>().unwrap() > 2 {
        assert!(
            message.contains("kernel.perf_event_paranoid=2"),
            "{message}"
        );
        return;
    }
    assert_eq!(answer.status.code(), Some(9), "{message}");
    assert!(
        message.contains("processes other than the command"),
        "{message}"
    );
    assert!(message.contains("record as root"), "{message}");

    let recording = Recording::read(&output);
    assert_eq!(recording.info("scope"), Some("command"));
    assert!(recording.count("cpu-clock") > 10, "{:?}", recording.samples);
    let complete = recording.stacks.iter().filter(|stack| {
        stack.event == "cpu-clock"
            && stack.end == Some(whyslow_perfdata::whyslow_events::UserStackEnd::Root)
    });
    assert!(complete.count() > 10);
    assert!(
        recording.switch_records > 0,
        "switches come without tracepoints"
    );
    assert!(recording.info.iter().any(|(key, _)| key == "missing"));

    let refused = Command::new("setpriv")
        .args(["--reuid", "65534", "--regid", "65534", "--clear-groups"])
        .arg(&copy)
        .arg("-o")
        .arg(scratch.path("b.data"))
        .args(["--for", "1"])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(message.contains("only your own processes"), "{message}");
    assert!(message.contains("record one command only"), "{message}");
}
