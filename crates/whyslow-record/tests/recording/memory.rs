//! How much memory processes have.

use whyslow_perfdata::whyslow_events::EVENT_PROCESS_MEMORY;
use whyslow_record::{Part, Settings};
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, recorder};

/// Fills a variable of the shell with so many bytes.
const FILL: &str = "x=$(head -c 100000000 /dev/zero | tr '\\0' x); exit 0";

#[test]
fn every_process_is_read_and_has_a_peak_as_it_ends() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let Some(recorder) = recorder(Settings::new(&output)) else {
        return;
    };
    recorder
        .run_command(&["sh", "-c", FILL, "marked-memory"])
        .unwrap();
    let recording = Recording::read(&output);
    let own = std::process::id();
    let of_own = recording.memory.iter().filter(|one| one.pid == own);
    assert!(of_own.clone().count() > 0);
    assert!(
        of_own
            .clone()
            .all(|one| one.resident > Some(0) && one.anonymous.is_some()),
        "{:?}",
        of_own.collect::<Vec<_>>()
    );
    if !has(Feature::Bpf) {
        return;
    }
    let pid = recording.process_with("marked-memory").unwrap();
    // Only the peak is left as it ends. A reading that was delayed may come after it.
    let mut of_shell = recording.memory.iter().filter(|one| one.pid == pid);
    match of_shell.find(|one| one.resident.is_none()) {
        Some(ended) => assert!(ended.peak >= Some(100_000_000), "{ended:?}"),
        // Before it executed its program, it had what this process had, which the kernel does not tell apart.
        None => assert!(own_peak() >= 100_000_000),
    }
}

#[test]
fn memory_that_is_not_wanted_is_not_read() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let mut settings = Settings::new(&output);
    settings.leave_out(Part::Memory);
    let Some(recorder) = recorder(settings) else {
        return;
    };
    recorder.run_command(&["true"]).unwrap();
    let recording = Recording::read(&output);
    assert_eq!(recording.count(EVENT_PROCESS_MEMORY), 0);
}

/// The most that this process ever had in RAM, in bytes.
fn own_peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.unwrap().trim().trim_end_matches(" kB");
    kilobytes.parse::<u64>().unwrap() << 10
}
