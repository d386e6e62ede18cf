//! Every system call is counted.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

use whyslow_perfdata::whyslow_events::{CallEnd, CallTable, SystemCall};
use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, program, recorded_whole};

const PAUSE: u16 = 34;
const EXIT: u16 = 60;
const GETUID: u16 = 102;
const GETGID: u16 = 104;
const GETPPID: u16 = 110;
const GETPGRP: u16 = 111;
const EXIT_GROUP: u16 = 231;
const READLINKAT: u16 = 267;
const PREADV: u16 = 295;
const PWRITEV: u16 = 296;

const EBADF: u16 = 9;
const ENOENT: u16 = 2;
/// What a call ends with that is interrupted by a signal that kills.
const ERESTARTNOHAND: u16 = 514;

/// What is compared: call, end, error; count, results.
type Counts = BTreeMap<(u16, CallEnd, u16), (u64, u64)>;

fn example() -> Option<PathBuf> {
    Some(program()?.with_file_name("known_calls"))
}

fn recorded(command: &[&OsStr], set: impl Fn(&mut Settings)) -> Option<(Recording, u32)> {
    if !has(Feature::Bpf) {
        return None;
    }
    let scratch = Scratch::new();
    let output = scratch.path("calls.data");
    let mut settings = Settings::new(&output);
    set(&mut settings);
    recorded_whole(&settings, command)?;
    let recording = Recording::read(&output);
    let pid = recording.info("command_pid").unwrap().parse().unwrap();
    Some((recording, pid))
}

/// The calls of all threads for which `is_of` is true of process and thread.
fn calls(recording: &Recording, is_of: impl Fn(u32, u32) -> bool) -> Vec<SystemCall> {
    let payloads = recording.system_calls.iter();
    let payloads = payloads.filter(|calls| is_of(calls.pid, calls.tid));
    payloads.flat_map(|calls| calls.calls.clone()).collect()
}

fn counts(calls: &[SystemCall], wanted: &[u16]) -> Counts {
    let mut counts = Counts::new();
    for call in calls.iter().filter(|call| wanted.contains(&call.number)) {
        assert_eq!(call.table, CallTable::Native, "{call:?}");
        let key = (call.number, call.end, call.error);
        let sum = counts.entry(key).or_default();
        sum.0 += call.count;
        sum.1 += call.result_sum;
    }
    counts
}

#[test]
fn counts_errors_and_bytes_are_exact() {
    let Some(example) = example() else { return };
    let Some((recording, pid)) = recorded(&[example.as_os_str()], |_| {}) else {
        return;
    };
    let returned = CallEnd::Returned;
    let main = calls(&recording, |_, tid| tid == pid);
    let expected = [
        ((PREADV, returned, 0), (1000, 7000)),
        ((PREADV, returned, EBADF), (300, 0)),
        ((PWRITEV, returned, 0), (500, 3500)),
        ((READLINKAT, returned, ENOENT), (200, 0)),
        ((EXIT_GROUP, CallEnd::Never, 0), (1, 0)),
    ];
    let wanted = [PREADV, PWRITEV, READLINKAT, EXIT_GROUP];
    assert_eq!(counts(&main, &wanted), Counts::from(expected));
    let parents = counts(&main, &[GETPPID]);
    assert_eq!(parents[&(GETPPID, returned, 0)].0, 300_000);

    let mut tids: Vec<u32> = recording
        .system_calls
        .iter()
        .filter(|calls| calls.pid == pid && calls.tid != pid)
        .map(|calls| calls.tid)
        .collect();
    tids.sort_unstable();
    tids.dedup();
    let of_thread = |&tid: &u32| {
        let calls = calls(&recording, |_, other| other == tid);
        counts(&calls, &[GETPGRP, PAUSE, EXIT])
    };
    let ends: Vec<Vec<_>> = tids
        .iter()
        .map(of_thread)
        .map(|counts| counts.into_iter().map(|(key, (n, _))| (key, n)).collect())
        .collect();
    let ended = ((EXIT, CallEnd::Never, 0), 1);
    assert_eq!(
        ends,
        [
            vec![ended, ((GETPGRP, returned, 0), 401)],
            vec![ended, ((GETPGRP, returned, 0), 402)],
            vec![((PAUSE, returned, ERESTARTNOHAND), 1)],
        ]
    );

    // What a child does is its own, and what it does after `exec` too.
    let others = calls(&recording, |other, _| other != pid);
    let by = |number| {
        let all = others.iter().filter(|call| call.number == number);
        all.map(|call| call.count).collect::<Vec<_>>()
    };
    assert!(by(GETUID).contains(&50), "{:?}", by(GETUID));
    assert!(by(GETGID).contains(&33), "{:?}", by(GETGID));
}

#[test]
fn only_hot_calls_are_estimated() {
    let Some(example) = example() else { return };
    let timed = |set: fn(&mut Settings)| {
        let (recording, pid) = recorded(&[example.as_os_str()], set)?;
        let calls = calls(&recording, |_, tid| tid == pid);
        let hot = calls.iter().filter(|call| call.number == GETPPID);
        let hot = hot.map(|call| (call.timed_count, call.count, call.time_ns, call.longest_ns));
        let all = hot.reduce(|a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3.max(b.3)))?;
        assert!(all.0 > 0 && all.2 >= all.3 && all.3 > 0, "{all:?}");
        Some((all.0, all.1))
    };
    let Some((timed_count, count)) = timed(|_| {}) else {
        return;
    };
    assert!(timed_count <= count, "{timed_count} of {count}");
    // However slow the machine is: where every pace counts as hot, one in sixteen is timed.
    let (timed_count, count) = timed(|settings| settings.hot_call_gap_ns = u32::MAX).unwrap();
    assert!(
        timed_count * 18 > count && timed_count * 14 < count,
        "{timed_count} of {count}"
    );
    let every = timed(|settings| settings.hot_call_gap_ns = 0).unwrap();
    assert_eq!(every.0, every.1, "all are timed where that was asked for");
}

#[test]
fn calls_of_32_bit_programs_are_told_apart() {
    let Some(example) = example() else { return };
    let can = Command::new(&example).arg("bits32").status().unwrap();
    if !can.success() {
        println!("this kernel runs no 32-bit programs");
        return;
    }
    let command = [example.as_os_str(), OsStr::new("bits32")];
    let Some((recording, pid)) = recorded(&command, |_| {}) else {
        return;
    };
    let calls = calls(&recording, |_, tid| tid == pid);
    let foreign = calls.iter().filter(|call| call.table == CallTable::Bits32);
    let foreign: Vec<_> = foreign.map(|call| (call.number, call.count)).collect();
    assert_eq!(foreign, [(20, 25)]);
}

#[test]
fn strace_counts_the_same() {
    if !has(Feature::Strace) {
        return;
    }
    let scratch = std::env::temp_dir().join(format!("whyslow-strace-{}", std::process::id()));
    let command = ["find", "/etc", "-name", "absent"];
    let traced = Command::new("strace")
        .args(["-n", "-o"])
        .arg(&scratch)
        .args(command)
        .status();
    assert!(traced.unwrap().success());
    let lines = std::fs::read_to_string(&scratch).unwrap();
    std::fs::remove_file(&scratch).unwrap();
    // [ 257] openat(AT_FDCWD, "/etc", …) = -1 ENOENT (No such file or directory)
    let mut strace: BTreeMap<(u16, bool), u64> = BTreeMap::new();
    for line in lines.lines().filter(|line| line.starts_with('[')) {
        let number = line[1..].split(']').next().unwrap().trim().parse().unwrap();
        if number != EXIT_GROUP {
            let failed = line.rsplit(" = ").next().unwrap().starts_with("-1 ");
            *strace.entry((number, failed)).or_default() += 1;
        }
    }
    let words = command.map(OsStr::new);
    let Some((recording, pid)) = recorded(&words, |_| {}) else {
        return;
    };
    let mut own: BTreeMap<(u16, bool), u64> = BTreeMap::new();
    // Counting begins before the command is let go; the program itself comes with its `execve`.
    let payloads = recording.system_calls.iter().filter(|c| c.tid == pid);
    let payloads: Vec<_> = payloads.collect();
    let first = payloads.iter().position(|payload| {
        let mut calls = payload.calls.iter();
        calls.any(|call| call.number == 59 && call.error == 0)
    });
    let calls = payloads[first.unwrap()..].iter().flat_map(|p| &p.calls);
    for call in calls.filter(|call| call.end == CallEnd::Returned) {
        *own.entry((call.number, call.error != 0)).or_default() += call.count;
    }
    own.retain(|_, count| *count > 0);
    // Failed attempts to find the program in PATH come with it.
    own.remove(&(59, true));
    assert_eq!(own, strace);
}
