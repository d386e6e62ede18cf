//! Requests to disks: from the events of both systems to the rows of `disk_io`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use std::ops::ControlFlow;

use support::{EVERYTHING, Outcome, outcome};
use whyslow_import::operations::{DiskEvent, DiskPhase, DiskRequest, RequestKey};
use whyslow_import::{
    Event, EventKind, ImportOptions, Importer, MemorySink, OperationEvent, StackRef, import_etl,
};
use whyslow_model::tables::{CapabilityRow, DiskIoRow, EventCountRow, StackRow, ThreadRow};
use whyslow_model::{DiskFlags, DiskOperation, Named, ProblemKind, RawTable};
use whyslow_testkit::payload::{DiskIo, Process, Thread, stack};
use whyslow_testkit::{Header, Manifest, T0, Trace, perfinfo, system};

/// A row as text: issue, thread, duration, service, disk, operation, place, size, result.
fn lines(outcome: &Outcome) -> Vec<String> {
    let threads: Vec<ThreadRow> = outcome.rows();
    let rows = outcome.rows::<DiskIoRow>().into_iter();
    let mut lines: Vec<_> = rows
        .map(|row| {
            let tid = row.thread.map(|thread| threads[thread.index()].os_tid);
            let process = row.thread.map(|thread| threads[thread.index()].process);
            assert_eq!(row.process, process);
            let operation = DiskOperation::from_code(row.operation).unwrap().name();
            let number =
                |value: Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
            let fields = [
                Some(row.issue_ns),
                tid.map(i64::from),
                row.duration_ns,
                row.service_ns,
                row.disk.map(i64::from),
                row.offset_bytes,
                row.size_bytes,
                row.result.map(i64::from),
            ];
            format!("{operation} {}", fields.map(number).join(" "))
        })
        .collect();
    lines.sort();
    lines
}

fn send(importer: &mut Importer<'_>, ns: i64, tid: u32, place: u64, size: i64, phase: DiskPhase) {
    let disk = DiskEvent {
        key: RequestKey { space: 1, place },
        tid: Some(tid),
        request: DiskRequest {
            disk: Some(8),
            offset_bytes: i64::try_from(place).ok(),
            size_bytes: Some(size),
            flags: DiskFlags::SYNC,
            ..DiskRequest::of(DiskOperation::Write)
        },
        file_key: 0,
        phase,
    };
    let event = Event {
        time_ns: Some(ns),
        cpu: Some(0),
        kind: EventKind::Operation(OperationEvent {
            pid: None,
            tid: Some(tid),
            stack: StackRef::NONE,
            operation: disk.into(),
        }),
    };
    importer.event(&event).unwrap();
}

#[test]
fn issue_and_completion_are_one_row_whatever_is_between_them() {
    let done = |result| DiskPhase::Completion {
        is_told_whole: false,
        service_ns: None,
        result: Some(result),
    };
    let outcome = support::import(EVERYTHING, |importer| {
        send(importer, 100, 7, 4096, 8192, DiskPhase::Issue);
        send(importer, 110, 9, 65536, 512, DiskPhase::Issue);
        // Done in two parts, in the context of a thread that was interrupted.
        send(importer, 150, 9, 4096, 4096, done(0));
        send(importer, 170, 9, 8192, 4096, done(0));
        send(importer, 180, 7, 65536, 0, done(-5));
        // It was issued before the trace.
        send(importer, 190, 7, 1 << 30, 512, done(0));
        // Its completion is lost: the same place is written again.
        send(importer, 200, 7, 0, 1024, DiskPhase::Issue);
        send(importer, 250, 7, 0, 1024, DiskPhase::Issue);
        send(importer, 260, 7, 0, 1024, done(0));
        // It is not complete when the trace ends.
        send(importer, 300, 7, 512, 2048, DiskPhase::Issue);
    });
    assert_eq!(
        lines(&outcome),
        [
            "write 0 7 70 - 8 4096 8192 0",
            "write 10 9 70 - 8 65536 512 -5",
            "write 100 7 - - 8 0 1024 -",
            "write 150 7 10 - 8 0 1024 0",
            "write 200 7 - - 8 512 2048 -",
        ]
    );
    assert_eq!(outcome.count(ProblemKind::UnmatchedEnd), 2);
    assert_eq!(outcome.summary.rows_of(RawTable::DiskIo), 5);
}

#[test]
fn a_request_is_of_who_queued_it_and_one_that_the_driver_returned_is_not_another_one() {
    let done = DiskPhase::Completion {
        is_told_whole: false,
        service_ns: None,
        result: Some(0),
    };
    let outcome = support::import(EVERYTHING, |importer| {
        send(importer, 100, 7, 4096, 512, DiskPhase::Insertion);
        // Another thread takes it out of the queue, and the driver has no room.
        send(importer, 110, 8, 4096, 512, DiskPhase::Issue);
        send(importer, 120, 8, 4096, 512, DiskPhase::Return);
        send(importer, 125, 9, 4096, 512, DiskPhase::Insertion);
        send(importer, 130, 9, 4096, 512, DiskPhase::Issue);
        send(importer, 190, 9, 4096, 512, done);
        // The same place again, without a queue.
        send(importer, 200, 8, 4096, 512, DiskPhase::Issue);
        send(importer, 210, 8, 4096, 512, DiskPhase::Return);
        send(importer, 220, 9, 4096, 512, DiskPhase::Issue);
        send(importer, 230, 9, 4096, 512, done);
        // What was queued long ago was merged with another request.
        send(importer, 300, 7, 8192, 512, DiskPhase::Insertion);
        send(importer, 9_000_000_300, 8, 8192, 512, DiskPhase::Issue);
        send(importer, 9_000_000_310, 8, 8192, 512, done);
    });
    assert_eq!(
        lines(&outcome),
        [
            "write 0 7 90 - 8 4096 512 0",
            "write 100 8 30 - 8 4096 512 0",
            "write 9000000200 8 10 - 8 8192 512 0",
        ]
    );
    // Until the driver took them; what was not queued has no time in a queue.
    let mut rows: Vec<DiskIoRow> = outcome.rows();
    rows.sort_by_key(|row| row.issue_ns);
    let queued = rows.iter().map(|row| row.queued_ns);
    assert_eq!(queued.collect::<Vec<_>>(), [Some(30), Some(20), None]);
    assert_eq!(outcome.count(ProblemKind::UnmatchedEnd), 0);
}

#[test]
fn a_loss_makes_what_was_under_way_doubtful() {
    let done = DiskPhase::Completion {
        is_told_whole: false,
        service_ns: None,
        result: Some(0),
    };
    let outcome = support::import(EVERYTHING, |importer| {
        send(importer, 100, 7, 4096, 512, DiskPhase::Issue);
        let lost = EventKind::Lost {
            count: 9,
            since_ns: None,
        };
        let lost = Event {
            time_ns: Some(150),
            cpu: Some(1),
            kind: lost,
        };
        importer.event(&lost).unwrap();
        // This completes the request, or another one at the same place whose issue was lost.
        send(importer, 300, 7, 4096, 512, done);
        send(importer, 400, 7, 4096, 512, DiskPhase::Issue);
        send(importer, 410, 7, 4096, 512, done);
    });
    assert_eq!(
        lines(&outcome),
        [
            "write 0 7 - - 8 4096 512 -",
            "write 300 7 10 - 8 4096 512 0"
        ]
    );
    assert_eq!(outcome.count(ProblemKind::UnmatchedEnd), 2);
}

#[test]
fn a_request_has_the_stack_of_its_issue() {
    let outcome = support::import(EVERYTHING, |importer| {
        let stack = support::stack(importer, &[0x10, 0x20], &[]);
        let disk = DiskEvent {
            key: RequestKey { space: 1, place: 8 },
            tid: Some(7),
            request: DiskRequest::of(DiskOperation::Read),
            file_key: 0,
            phase: DiskPhase::Issue,
        };
        let kind = EventKind::Operation(OperationEvent {
            pid: None,
            tid: Some(7),
            stack,
            operation: disk.into(),
        });
        let event = Event {
            time_ns: Some(100),
            cpu: Some(0),
            kind,
        };
        importer.event(&event).unwrap();
    });
    let rows: Vec<DiskIoRow> = outcome.rows();
    let stacks: Vec<StackRow> = outcome.rows();
    let leaf = &stacks[rows[0].stack.unwrap().index()];
    let root = &stacks[leaf.parent.unwrap().index()];
    assert_eq!((root.parent, stacks.len()), (None, 2));
}

const PID: u32 = 400;
const TID: u32 = 404;

fn import_trace(events: Vec<(i64, Vec<u8>)>) -> Outcome {
    let events = events.into_iter().map(|(_, event)| (0, event));
    let file = Trace::of(Header::default(), events).bytes();
    let mut sink = MemorySink::new();
    let mut go_on = |_| ControlFlow::Continue(());
    let settled = import_etl(&[file], ImportOptions::default(), &mut sink, &mut go_on).unwrap();
    outcome(sink, settled)
}

fn there() -> Vec<(i64, Vec<u8>)> {
    let process = Process {
        process_id: PID,
        parent_id: 4,
        image: "writer.exe",
        ..Process::default()
    };
    let thread = Thread {
        process_id: PID,
        thread_id: TID,
        ..Thread::default()
    };
    let process = system(true, 0x0303, 4, T0, (0, 0), &process.payload(true, 4));
    let thread = thread.payload(true, 3, false);
    let thread = system(true, 0x0503, 3, T0, (0, 0), &thread);
    vec![(0, process), (0, thread)]
}

#[test]
fn every_request_of_a_windows_trace_is_found() {
    let mut events = there();
    let mut expected = Vec::new();
    for number in 0..200_u32 {
        let begin = 1000 + i64::from(number) * 40;
        let end = begin + 100 + i64::from(number % 7);
        let io = DiskIo {
            disk: number % 3,
            irp_flags: 0x43 | (3 << 17),
            size: 4096 * (1 + number % 4),
            offset: i64::from(number) * 65536,
            irp: 0xffff_8000_0000_1000 + u64::from(number % 16) * 0x200,
            response_time: 90,
            thread: TID,
            ..DiskIo::default()
        };
        let (name, init, done) = match number % 3 {
            0 => ("read", 0x010c, 0x010a),
            1 => ("write", 0x010d, 0x010b),
            _ => ("flush", 0x010f, 0x010e),
        };
        // One in five has only its completion, as in traces that do not record issues.
        let has_issue = number % 5 != 0;
        if has_issue {
            let payload = io.init_payload(true, 3);
            events.push((
                begin,
                system(true, init, 3, T0 + begin, (PID, TID), &payload),
            ));
        }
        let payload = match name {
            "flush" => io.flush_payload(true, 3),
            _ => io.payload(true, 3),
        };
        events.push((end, system(true, done, 3, T0 + end, (0, 0), &payload)));
        let (issue, duration) = match has_issue {
            true => (begin, end - begin),
            false => (end - 90, 90),
        };
        let (place, size) = match name {
            "flush" => ("-".to_owned(), 0),
            _ => (io.offset.to_string(), io.size),
        };
        expected.push(format!(
            "{name} {} {TID} {} 9000 {} {place} {size} -",
            issue * 100,
            duration * 100,
            io.disk
        ));
    }
    events.sort_by_key(|(time, _)| *time);
    let outcome = import_trace(events);
    expected.sort();
    assert_eq!(lines(&outcome), expected);
    let rows: Vec<DiskIoRow> = outcome.rows();
    assert!(rows.iter().all(|row| row.priority == Some(2)));
    assert!(rows.iter().all(|row| row.flags == DiskFlags::PAGING.0));
    assert!(rows.is_sorted_by_key(|row| (row.process, row.thread, row.issue_ns)));
    assert_eq!(outcome.count(ProblemKind::UnmatchedEnd), 0);
    let capabilities: Vec<CapabilityRow> = outcome.rows();
    let disk = capabilities.iter().find(|row| row.name == "disk requests");
    assert_eq!(disk.unwrap().presence, "yes");
}

#[test]
fn a_request_under_way_at_the_end_and_one_of_nobody_are_kept() {
    let mut events = there();
    let io = DiskIo {
        irp: 0x1000,
        thread: TID,
        ..DiskIo::default()
    };
    let issue = io.init_payload(true, 3);
    events.push((500, system(true, 0x010d, 3, T0 + 500, (PID, TID), &issue)));
    let frames = [0xffff_8000_0000_1000, 0xffff_8000_0000_2000];
    let walk = stack(true, T0 + 500, (PID, TID), &frames);
    events.push((510, perfinfo(0x1820, 2, T0 + 510, &[], &walk)));
    let io = DiskIo {
        irp: 0x2000,
        size: 512,
        response_time: 100,
        ..io
    };
    // Version 2 does not say who issued it.
    let done = io.payload(true, 2);
    events.push((
        900,
        system(true, 0x010a, 2, T0 + 900, (u32::MAX, u32::MAX), &done),
    ));
    // It took longer than the trace had run.
    let io = DiskIo {
        irp: 0x3000,
        response_time: 5000,
        ..io
    };
    let done = io.payload(true, 3);
    events.push((950, system(true, 0x010a, 3, T0 + 950, (0, 0), &done)));
    let outcome = import_trace(events);
    assert_eq!(
        lines(&outcome),
        [
            &format!("read 0 {TID} 95000 500000 0 0 512 -"),
            "read 80000 - 10000 10000 0 0 512 -",
            &format!("write 50000 {TID} - - - - - -"),
        ]
    );
    let rows: Vec<DiskIoRow> = outcome.rows();
    let with_stack = rows.iter().filter(|row| row.stack.is_some());
    assert_eq!(
        with_stack.map(|row| row.issue_ns).collect::<Vec<_>>(),
        [50_000]
    );
}

/// A request as reported by Microsoft-Windows-Kernel-Disk: its fields are those of version 2 of the
/// kernel's own event.
fn provided(time: i64, id: u16, io: DiskIo) -> (i64, Vec<u8>) {
    let payload = match id {
        14 => io.flush_payload(true, 2),
        _ => io.payload(true, 2),
    };
    let event = Manifest {
        wide: true,
        provider: [
            0x9a, 0xe6, 0xbd, 0xc7, 0xe0, 0xe1, 0x77, 0x41, 0xb6, 0xef, 0x28, 0x3a, 0xd1, 0x52,
            0x52, 0x71,
        ],
        id,
        ids: (PID, TID),
        items: &[],
        payload: &payload,
    };
    (time, event.at(T0 + time))
}

#[test]
fn the_manifest_provider_tells_of_requests_where_the_kernel_does_not() {
    let io = |irp, size| DiskIo {
        irp,
        size,
        disk: 1,
        offset: 8192,
        response_time: 100,
        ..DiskIo::default()
    };
    let mut events = there();
    events.push(provided(500, 10, io(0x1000, 4096)));
    events.push(provided(600, 11, io(0x2000, 512)));
    events.push(provided(700, 14, io(0x3000, 0)));
    // Other events of the provider are not disk requests.
    events.push(provided(750, 99, io(0x4000, 4096)));
    let outcome = import_trace(events.clone());
    let told = [
        "flush 60000 - 10000 10000 1 - 0 -",
        "read 40000 - 10000 10000 1 8192 4096 -",
        "write 50000 - 10000 10000 1 8192 512 -",
    ];
    assert_eq!(lines(&outcome), told);
    let capabilities: Vec<CapabilityRow> = outcome.rows();
    let disk = capabilities.iter().find(|row| row.name == "disk requests");
    assert_eq!(disk.unwrap().presence, "yes");
    let used = |outcome: &Outcome| -> Vec<_> {
        let counts: Vec<EventCountRow> = outcome.rows();
        let counts = counts.into_iter();
        counts
            .filter_map(|row| Some((row.event, row.used_for?)))
            .filter(|(_, used_for)| used_for == "disk requests")
            .map(|(event, _)| event)
            .collect()
    };
    assert_eq!(used(&outcome), ["Microsoft-Windows-Kernel-Disk"]);

    // The kernel's own event of a request comes first here, and has more data.
    let own = DiskIo {
        thread: TID,
        ..io(0x1000, 4096)
    };
    let own = own.payload(true, 3);
    events.insert(2, (500, system(true, 0x010a, 3, T0 + 500, (0, 0), &own)));
    let outcome = import_trace(events);
    let own = format!("read 40000 {TID} 10000 10000 1 8192 4096 -");
    assert_eq!(lines(&outcome), [own]);
    assert_eq!(used(&outcome), ["DiskIO/Read"]);
}
