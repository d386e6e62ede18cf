//! What stands in a file.

use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt as _;

use whyslow_perfdata::whyslow_events::{ExecSource, UserStackEnd, UserStackKind};
use whyslow_record::{CommandEnding, Missing, Settings};
use whyslow_testenv::{Feature, has, wait_until};

use crate::recording::Recording;
use crate::{Scratch, missing, recorded_whole, recorder};

#[test]
fn recording_of_a_command_is_read_back_whole() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let Some(recorder) = recorder(Settings::new(&output)) else {
        return;
    };
    let report = recorder
        .run_command(&["sh", "-c", "sleep 0.05; exit 7", "marked-word"])
        .unwrap();
    assert_eq!(scratch.files(), ["a.data"]);
    let command = report.command.unwrap();
    assert_eq!(command.ending, CommandEnding::Exited(7));
    assert_eq!(report.file_bytes, std::fs::metadata(&output).unwrap().len());

    let recording = Recording::read(&output);
    assert_eq!(recording.faults, Vec::<String>::new());
    assert_eq!(
        recording.late, 0,
        "records are in order but for what a round sorts"
    );
    for event in &report.events {
        assert_eq!(
            event.samples,
            recording.count(&event.name),
            "{}",
            event.name
        );
    }
    assert!(recording.count("sched:sched_switch") > 0);
    assert!(recording.count("sched:sched_waking") > 0);
    assert_eq!(recording.undescribed, Vec::<String>::new());
    assert_eq!(recording.info("command_exit_code"), Some("7"));
    assert_eq!(recording.info("scope"), Some("machine"));
    let offset = recording.info("utc_offset_s").map(str::to_owned);
    assert_eq!(offset, Some(utc_offset_s().to_string()));
    assert!(recording.info("boot_id").is_some_and(|id| id.len() == 36));
    let wall = recording
        .info("command_wall_ns")
        .unwrap()
        .parse::<u128>()
        .unwrap();
    assert_eq!(wall, command.wall.as_nanos());
    assert!(wall >= 50_000_000);
    assert!(
        recording.kallsyms.contains(" _text\n"),
        "{}",
        recording.kallsyms
    );
    assert!(recording.kallsyms.contains("schedule"));
    assert!(
        recording.kallsyms.len() < 200_000,
        "{} bytes",
        recording.kallsyms.len()
    );
}

#[test]
fn rundown_knows_processes_that_were_there_before() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let Some(recorder) = recorder(Settings::new(&output)) else {
        return;
    };
    let mut sleeper = std::process::Command::new("sleep")
        .args(["1000"])
        .spawn()
        .expect("sleep starts");
    let name = format!("/proc/{}/comm", sleeper.id());
    wait_until("the program runs", || {
        std::fs::read(&name).unwrap().starts_with(b"sleep")
    });
    let report = recorder.run_command(&["sleep", "0.02"]);
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    report.unwrap();

    let recording = Recording::read(&output);
    let pid = sleeper.id();
    let exec = recording.execs.iter().find(|exec| exec.pid == pid).unwrap();
    assert_eq!(exec.source, ExecSource::Rundown);
    assert_eq!(exec.arguments, b"sleep\x001000\0");
    assert_eq!(exec.parent_pid, std::process::id());
    assert!(recording.names.contains(&(pid, "sleep".to_owned(), false)));
    let program = recording.mappings.iter().find(|mapping| {
        mapping.pid == pid
            && (mapping.path.ends_with("/sleep") || mapping.path.contains("coreutils"))
    });
    assert!(program.is_some_and(|mapping| mapping.size_bytes > 0 && mapping.file_offset > 0));
    let libc = recording
        .mappings
        .iter()
        .find(|mapping| mapping.path.contains("libc.so"));
    assert!(libc.is_some_and(|mapping| mapping.has_build_id));
    let states: Vec<_> = recording
        .states
        .iter()
        .filter(|state| state.pid == pid)
        .collect();
    assert_eq!(
        states.iter().map(|state| state.at_end).collect::<Vec<_>>(),
        [false, true]
    );
    assert!(states.iter().all(|state| state.state == b'S'));

    // It waited from before the start until after the end: only a look at the end can tell where.
    let open: Vec<_> = recording
        .user_stacks
        .iter()
        .filter(|(stack, tid)| *tid == pid && stack.kind == UserStackKind::OpenWait)
        .collect();
    if has(Feature::Bpf) {
        assert_eq!(open.len(), 1);
        assert_eq!(open[0].0.end, UserStackEnd::Root);
    }
}

#[test]
fn every_short_process_has_its_command_line_and_exit_code() {
    const COUNT: usize = 300;
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    if !has(Feature::Bpf) {
        return;
    }
    let script = format!(
        "i=0; while [ $i -lt {COUNT} ]; do sh -c 'exit $(($0 % 100))' $i short-lived; i=$((i+1)); done"
    );
    let command = ["sh", "-c", &script].map(OsStr::new);
    let Some(report) = recorded_whole(&Settings::new(&output), &command) else {
        return;
    };
    assert_eq!(missing(&report), Vec::<&Missing>::new());

    let own_user = std::fs::metadata(&output).unwrap().uid();
    let recording = Recording::read(&output);
    let mut found = vec![0; COUNT];
    for exec in recording
        .execs
        .iter()
        .filter(|exec| exec.source == ExecSource::Kernel)
    {
        let words: Vec<&[u8]> = exec.arguments.split(|&byte| byte == 0).collect();
        let [b"sh", b"-c", _, number, b"short-lived", b""] = words.as_slice() else {
            continue;
        };
        let number: usize = std::str::from_utf8(number).unwrap().parse().unwrap();
        let exits: Vec<_> = recording
            .exits
            .iter()
            .filter(|exit| exit.pid == exec.pid)
            .collect();
        assert_eq!(exits.len(), 1, "process {number}");
        assert_eq!(
            exits[0].wait_status,
            u32::try_from(number % 100).unwrap() << 8
        );
        assert_eq!(exits[0].user, Some(own_user));
        found[number] += 1;
    }
    assert_eq!(found, vec![1; COUNT]);
}

#[test]
fn cpus_that_a_command_binds_itself_to_are_told_once() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    if !has(Feature::Bpf) {
        return;
    }
    // The shell is bound by its second command and starts the third one so.
    let script = "sleep 0.01; taskset -p 1 $$; sleep 0.01; sleep 0.02; true";
    let command = ["sh", "-c", script].map(OsStr::new);
    let Some(report) = recorded_whole(&Settings::new(&output), &command) else {
        return;
    };
    assert_eq!(missing(&report), Vec::<&Missing>::new());

    let recording = Recording::read(&output);
    let shell = recording.process_with(script).unwrap();
    let changes = recording.affinities.iter();
    let changes = changes.filter(|change| !change.is_rundown && change.pid == shell);
    let changes: Vec<_> = changes.map(|change| change.cpus.as_slice()).collect();
    // Who has one CPU only is bound to it already.
    let expected: &[&[u64]] = match std::thread::available_parallelism().unwrap().get() {
        1 => &[],
        _ => &[&[1]],
    };
    assert_eq!(changes, expected);
    let of_children = recording.affinities.iter().filter(|change| {
        let name = |(tid, name, _): &(u32, String, bool)| *tid == change.tid && name == "sleep";
        !change.is_rundown && recording.names.iter().any(name)
    });
    assert_eq!(of_children.count(), 0, "children have what their maker has");
}

#[test]
fn death_by_signal_is_told() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let Some(recorder) = recorder(Settings::new(&output)) else {
        return;
    };
    let report = recorder.run_command(&["sh", "-c", "kill -9 $$"]).unwrap();
    assert_eq!(report.command.unwrap().ending, CommandEnding::Signaled(9));
    assert_eq!(report.command.unwrap().ending.shell_code(), 137);
    assert_eq!(Recording::read(&output).info("command_signal"), Some("9"));
}

/// What `date` says how far local time is east of UTC, in seconds.
fn utc_offset_s() -> i64 {
    let said = std::process::Command::new("date").arg("+%z").output();
    let said = String::from_utf8(said.unwrap().stdout).unwrap();
    let number: i64 = said.trim().parse().unwrap();
    number / 100 * 3600 + number % 100 * 60
}
