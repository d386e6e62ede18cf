//! Processes, threads and images of Windows traces, from every provider that reports them.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

#[path = "support/real.rs"]
mod real;
mod support;

use std::ops::ControlFlow;

use real::folder;
use support::{Outcome, outcome};
use whyslow_import::{ImportOptions, MemorySink, import_etl};
use whyslow_model::ProblemKind;
use whyslow_model::tables::{ModuleRow, ProcessRow, ThreadRow, TraceRow};
use whyslow_testkit::payload::{Image, Process, Thread};
use whyslow_testkit::{Bytes, Header, Manifest, START_TIME, T0, Trace, system};

/// Microsoft-Windows-Kernel-Process.
const PROVIDER: [u8; 16] = [
    0xd6, 0x2c, 0xfb, 0x22, 0x7b, 0x0e, 0x2b, 0x42, 0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16,
];
const FOLDER: &str = r"\Device\HarddiskVolume2\tools\";
const BASE: u64 = 0x7ff6_0000_0000;

fn import(events: &[(i64, Vec<u8>)]) -> Outcome {
    let mut events = events.to_vec();
    events.sort_by_key(|(time, _)| *time);
    let events = events.into_iter().map(|(_, event)| (0, event));
    import_file(Trace::of(Header::default(), events).bytes())
}

fn import_file(file: Vec<u8>) -> Outcome {
    let mut sink = MemorySink::new();
    let mut go_on = |_| ControlFlow::Continue(());
    let settled = import_etl(&[file], ImportOptions::default(), &mut sink, &mut go_on).unwrap();
    outcome(sink, settled)
}

/// An event of the manifest provider.
fn provided(time: i64, id: u16, payload: &Bytes) -> (i64, Vec<u8>) {
    let event = Manifest {
        wide: true,
        provider: PROVIDER,
        id,
        ids: (700, 701),
        items: &[],
        payload: &payload.0,
    };
    (time, event.at(T0 + time))
}

/// The end of a process that began at a time of the wall clock.
fn stopped(pid: u32, began: i64, code: u32, name: &str) -> Bytes {
    let out = Bytes::default().u32(pid).u64(1).i64(began).i64(0).u32(code);
    out.u32(0).u32(0).zeros(5 * 4 + 8 * 3).ansi(name)
}

/// The events as the manifest provider reports them (version 3; an older version where that is the
/// newest): a process starts with a thread and an image; another one existed before and ends.
fn manifest() -> Vec<(i64, Vec<u8>)> {
    let event = |time, id, payload: Bytes| provided(time, id, &payload);
    let process = |pid: u32, parent: u32, path: &str| {
        let out = Bytes::default().u32(pid).u64(1).u64(0).u32(parent).u64(2);
        let out = out.u32(1).u32(0).u32(0).u32(0);
        let out = out.bytes(&[1, 1, 0, 0, 0, 0, 0, 16, 0, 0x20, 0, 0]);
        out.utf16(path).u32(0).u32(0x5000_0000).utf16("").utf16("")
    };
    let thread = |pid: u32, tid: u32| {
        let out = Bytes::default().u32(pid).u32(tid);
        out.zeros(7 * 8).u32(0)
    };
    let image = |pid: u32, name: &str| {
        let out = Bytes::default().u64(BASE).u64(0x9000).u32(pid).u32(0);
        out.u32(0x5000_0000)
            .u64(BASE)
            .utf16(&format!("{FOLDER}{name}"))
    };
    let stop = |pid: u32, code: u32, name: &str| stopped(pid, 0, code, name);
    vec![
        event(10, 15, process(700, 4, &format!("{FOLDER}shell.exe"))),
        event(1000, 1, process(800, 700, &format!("{FOLDER}compile.exe"))),
        event(1010, 3, thread(800, 801)),
        event(1020, 5, image(800, "compile.exe")),
        event(3000, 4, thread(600, 601)),
        event(3010, 2, stop(600, 3, "formerly_calle")),
        event(9000, 6, image(800, "compile.exe")),
        event(9010, 4, thread(800, 801)),
        event(9020, 2, stop(800, 7, "compile.exe")),
    ]
}

/// The same events as the kernel reports them, two ticks later.
fn kernel() -> Vec<(i64, Vec<u8>)> {
    let event = |time: i64, hook, version, payload: Vec<u8>| {
        let time = time + 2;
        (
            time,
            system(true, hook, version, T0 + time, (700, 701), &payload),
        )
    };
    let process = |process_id, parent_id, exit_status, image| {
        let process = Process {
            process_id,
            parent_id,
            session_id: 1,
            exit_status,
            image,
            ..Process::default()
        };
        process.payload(true, 4)
    };
    let thread = |process_id, thread_id, is_end| {
        let thread = Thread {
            process_id,
            thread_id,
            ..Thread::default()
        };
        thread.payload(true, 3, is_end)
    };
    let image = |process_id, name: &str| {
        let path = &format!("{FOLDER}{name}");
        let image = Image {
            base: BASE,
            size: 0x9000,
            process_id,
            time_stamp: 0x5000_0000,
            path,
            ..Image::default()
        };
        image.payload(true, 3)
    };
    vec![
        event(10, 0x0303, 4, process(700, 4, 0, "shell.exe")),
        event(1000, 0x0301, 4, process(800, 700, 0, "compile.exe")),
        event(1010, 0x0501, 3, thread(800, 801, false)),
        event(1020, 0x140a, 3, image(800, "compile.exe")),
        event(3000, 0x0502, 3, thread(600, 601, true)),
        event(3010, 0x0302, 4, process(600, 4, 3, "formerly_calle")),
        event(9000, 0x1402, 3, image(800, "compile.exe")),
        event(9010, 0x0502, 3, thread(800, 801, true)),
        event(9020, 0x0302, 4, process(800, 700, 7, "compile.exe")),
    ]
}

/// Processes and threads, by their ids: times in ticks since the first event.
fn told(outcome: &Outcome) -> String {
    let time = |ns: Option<i64>| ns.map_or("…".to_owned(), |ns| (ns / 100).to_string());
    let mut lines = Vec::new();
    let threads: Vec<ThreadRow> = outcome.rows();
    for process in outcome.rows::<ProcessRow>() {
        let code = process.exit_code.map(|code| format!(" exit {code}"));
        let path = process.path.map(|path| format!(" {path}"));
        let mut line = format!(
            "{} {} {}-{}{}{}",
            process.os_pid,
            process.name,
            time(process.start_ns),
            time(process.end_ns),
            code.unwrap_or_default(),
            path.unwrap_or_default(),
        );
        for thread in threads.iter().filter(|of| of.process == process.id) {
            let (start, end) = (time(thread.start_ns), time(thread.end_ns));
            line += &format!(", thread {} {start}-{end}", thread.os_tid);
        }
        lines.push(line);
    }
    lines.sort();
    lines.join("\n")
}

#[test]
fn the_manifest_provider_tells_where_the_kernel_does_not() {
    let outcome = import(&manifest());
    assert_eq!(
        told(&outcome),
        r"600 formerly_calle …-3010 exit 3, thread 601 …-3000
700 shell.exe …-… \Device\HarddiskVolume2\tools\shell.exe
800 compile.exe 1000-9020 exit 7 \Device\HarddiskVolume2\tools\compile.exe, thread 801 1010-9010"
    );
    let modules: Vec<ModuleRow> = outcome.rows();
    let names: Vec<_> = modules.iter().map(|row| row.path.clone()).collect();
    assert_eq!(names, [format!("{FOLDER}compile.exe")]);
}

/// The end of a process says when it began; this is used if no event gave the start.
#[test]
fn an_end_says_when_its_process_began() {
    let thread = |pid: u32, tid: u32| Bytes::default().u32(pid).u32(tid).zeros(7 * 8).u32(0);
    let outcome = import(&[
        provided(10, 4, &thread(4, 8)),
        provided(29_000_000, 4, &thread(900, 901)),
        provided(
            30_000_000,
            2,
            &stopped(900, START_TIME + 20_000_000, 0, "within"),
        ),
        provided(
            31_000_000,
            2,
            &stopped(910, START_TIME - 20_000_000, 0, "before"),
        ),
    ]);
    assert_eq!(
        told(&outcome),
        "4 System …-…, thread 8 …-10
900 within 20000000-30000000 exit 0, thread 901 20000000-29000000
910 before …-31000000 exit 0"
    );
}

/// Only a command line names the volume of the kernel's paths.
#[test]
fn a_command_line_tells_the_drive_of_a_path() {
    let process = Process {
        process_id: 700,
        parent_id: 4,
        image: "shell.exe",
        command_line: r#""D:\tools\shell.exe" --fast"#,
        ..Process::default()
    };
    let image = Image {
        base: BASE,
        size: 0x9000,
        process_id: 700,
        path: &format!("{FOLDER}shell.exe"),
        ..Image::default()
    };
    let event =
        |hook, version, payload: &[u8]| system(true, hook, version, T0 + 1, (4, 1), payload);
    let outcome = import(&[
        (1, event(0x0303, 4, &process.payload(true, 4))),
        (1, event(0x1403, 3, &image.payload(true, 3))),
    ]);
    let processes: Vec<ProcessRow> = outcome.rows();
    let row = processes.iter().find(|row| row.os_pid == 700).unwrap();
    assert_eq!(row.path.as_deref(), Some(r"D:\tools\shell.exe"));
    let modules: Vec<ModuleRow> = outcome.rows();
    assert_eq!(modules[0].path, r"D:\tools\shell.exe");
}

#[test]
fn what_both_tell_counts_once() {
    let alone = import(&kernel());
    let both: Vec<_> = [kernel(), manifest()].concat();
    let both = import(&both);
    assert_eq!(told(&both), told(&alone));
    assert_eq!(both.rows::<ModuleRow>(), alone.rows::<ModuleRow>());
    assert_eq!(alone.rows::<ModuleRow>().len(), 1);
    // Where the kernel reports only images, the provider still reports processes and threads.
    let is_image = |event: &Vec<u8>| event[7] == 0x14;
    let images = kernel().into_iter().filter(|(_, event)| is_image(event));
    let mixed = import(&[images.collect(), manifest()].concat());
    assert_eq!(told(&mixed), told(&import(&manifest())));
    assert_eq!(mixed.rows::<ModuleRow>().len(), 1);
}

#[test]
fn a_real_trace_without_kernel_events_has_its_processes() {
    let Some(dir) = folder() else { return };
    let outcome = real::import(&[dir.join("tx/Process.etl")]);
    let lines = told(&outcome);
    let line = |pid: &str| lines.lines().find(|line| line.starts_with(pid)).unwrap();
    let outlook = line("2880 OUTLOOK.EXE ");
    assert!(outlook.contains(" exit 0 "), "{outlook}");
    assert!(
        outlook.contains(r"\Microsoft Office\Office14\OUTLOOK.EXE"),
        "{outlook}"
    );
    assert!(line("5380 SearchProtocol ").contains("…-"));
    assert_eq!(outcome.rows::<ThreadRow>().len(), 364);
    assert!(
        outcome
            .rows::<ThreadRow>()
            .iter()
            .all(|row| row.process.0 >= 0)
    );
}

#[test]
fn lost_events_and_lost_buffers_are_told_apart() {
    for (events_lost, buffers_lost) in [(0, 0), (0, 2), (41, 0), (41, 2)] {
        let header = Header {
            events_lost,
            buffers_lost,
            ..Header::default()
        };
        let file = Trace::of(header, [(0, kernel().remove(0).1)]).bytes();
        let outcome = import_file(file);
        let trace: TraceRow = outcome.rows().remove(0);
        let told = (trace.lost_events, trace.lost_buffers);
        assert_eq!(told, (events_lost.into(), Some(buffers_lost.into())));
        let counted = (
            outcome.count(ProblemKind::LostEvents),
            outcome.count(ProblemKind::LostBuffers),
        );
        assert_eq!(counted, (events_lost.into(), buffers_lost.into()));
    }
}

/// Lists are in order of creation: if a process is listed after its child, it only has the parent's
/// id, and the parent has ended.
#[test]
fn a_parent_is_not_younger_than_its_child() {
    let listed = |time: i64, process_id, parent_id, image| {
        let process = Process {
            process_id,
            parent_id,
            image,
            ..Process::default()
        };
        let payload = process.payload(true, 4);
        [0x0303, 0x0304].map(|hook| {
            let time = time + i64::from(hook & 7) * 1000;
            (time, system(true, hook, 4, T0 + time, (4, 1), &payload))
        })
    };
    let events = [
        listed(1, 4, 0, "System"),
        listed(2, 500, 600, "orphan.exe"),
        listed(3, 600, 4, "reused.exe"),
        listed(4, 700, 600, "child.exe"),
    ];
    let outcome = import(&events.concat());
    let rows: Vec<ProcessRow> = outcome.rows();
    let parent_of = |pid| {
        let row = rows.iter().find(|row| row.os_pid == pid).unwrap();
        let parent = row
            .parent
            .and_then(|of| rows.iter().find(|row| row.id == of));
        (row.os_ppid, parent.map(|row| row.os_pid))
    };
    assert_eq!(parent_of(500), (Some(600), None));
    assert_eq!(parent_of(600), (Some(4), Some(4)));
    assert_eq!(parent_of(700), (Some(600), Some(600)));
}
