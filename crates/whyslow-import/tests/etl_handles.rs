//! Handles of kernel objects in Windows traces: opened, duplicated, closed, listed.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;
#[path = "support/windows.rs"]
mod windows;

use whyslow_model::tables::HandleRow;
use whyslow_model::{HandleOrigin, Named};
use whyslow_testkit::payload::{duplicate, handle, listed, object_type};
use whyslow_testkit::{Random, T0, system};

use support::Outcome;
use windows::{
    IDS, OTHER, PID, TID, import, is_recorded, label, owned, problem, process_starts, there,
    thread_starts,
};

/// Opcodes.
const CREATE: u16 = 32;
const CLOSE: u16 = 33;
const DUPLICATE: u16 = 34;
const TYPES_AT_START: u16 = 36;
const TYPES_AT_END: u16 = 37;
const HANDLES_AT_START: u16 = 38;
const HANDLES_AT_END: u16 = 39;

/// Types.
const EVENT: u16 = 16;
const FILE: u16 = 37;

const OBJECT: u64 = 0xffff_a000_0000_1000;

fn event(at: i64, ids: (u32, u32), opcode: u16, payload: &[u8]) -> (i64, Vec<u8>) {
    (at, system(true, 0x1100 | opcode, 2, T0 + at, ids, payload))
}

/// A handle of an event object at an address of its own.
fn opened(at: i64, number: u32) -> (i64, Vec<u8>) {
    let object = OBJECT + u64::from(number);
    event(
        at,
        IDS,
        CREATE,
        &handle(true, (object, number), EVENT, None),
    )
}

fn closed(at: i64, number: u32) -> (i64, Vec<u8>) {
    let object = OBJECT + u64::from(number);
    event(at, IDS, CLOSE, &handle(true, (object, number), EVENT, None))
}

/// Rows as text: process and thread, when, how long, how, handle, type, name.
fn lines(outcome: &Outcome) -> Vec<String> {
    let mut rows: Vec<HandleRow> = outcome.rows();
    rows.sort_by_key(|row| (row.time_ns, row.handle));
    let lines = rows.into_iter().map(|row| {
        let when = (row.time_ns, row.duration_ns);
        format!(
            "{} {} {:#x} {} {}",
            owned(outcome, (row.process, row.thread), when),
            HandleOrigin::from_code(row.origin).unwrap().name(),
            row.handle,
            label(outcome, row.kind),
            label(outcome, row.name),
        )
    });
    lines.collect()
}

#[test]
fn handles_are_opened_closed_and_left_open() {
    let mut events = there();
    events.push(event(
        5,
        (0, 0),
        TYPES_AT_START,
        &object_type(EVENT, "Event"),
    ));
    events.push(opened(100, 0x10));
    events.push(closed(150, 0x10));
    // The number is used again, for an object with a name.
    let named = handle(true, (OBJECT, 0x10), FILE, Some(r"\Device\Log"));
    events.push(event(200, (PID, OTHER), CREATE, &named));
    // What was opened before the recording, and not listed.
    events.push(closed(300, 0x999));
    // The list at the end names types.
    events.push(event(900, (0, 0), TYPES_AT_END, &object_type(FILE, "File")));
    let outcome = import(events);
    assert_eq!(
        lines(&outcome),
        [
            "writer.exe/404 100 50 created 0x10 Event -",
            r"writer.exe/408 200 - created 0x10 File \Device\Log",
        ]
    );
    assert_eq!(is_recorded(&outcome, "handles"), "yes");
    assert_eq!(problem(&outcome, "handles"), 0);
}

#[test]
fn lists_tell_of_handles_from_before_and_name_objects() {
    let list = |at, opcode, number: u32, name: &str| {
        let payload = listed(true, (OBJECT + u64::from(number), number), PID, EVENT, name);
        event(at, (0, 0), opcode, &payload)
    };
    let mut events = there();
    events.push(list(1, HANDLES_AT_START, 0x10, r"\BaseNamedObjects\A"));
    events.push(list(1, HANDLES_AT_START, 0x20, ""));
    events.push(closed(100, 0x20));
    events.push(opened(200, 0x30));
    events.push(list(900, HANDLES_AT_END, 0x10, r"\BaseNamedObjects\A"));
    events.push(list(900, HANDLES_AT_END, 0x30, r"\BaseNamedObjects\B"));
    events.push(list(900, HANDLES_AT_END, 0x40, ""));
    let outcome = import(events);
    assert_eq!(
        lines(&outcome),
        [
            r"writer.exe/404 1 - listed 0x10 [type 16] \BaseNamedObjects\A",
            "writer.exe/404 1 99 listed 0x20 [type 16] -",
            r"writer.exe/404 200 - created 0x30 [type 16] \BaseNamedObjects\B",
            "writer.exe/404 900 - listed 0x40 [type 16] -",
        ]
    );
}

#[test]
fn a_list_alone_does_not_tell_what_was_opened() {
    let mut events = there();
    let payload = listed(true, (OBJECT, 0x10), PID, EVENT, "");
    events.push(event(1, (0, 0), HANDLES_AT_START, &payload));
    assert_eq!(is_recorded(&import(events), "handles"), "no");
}

#[test]
fn a_duplicate_belongs_to_the_process_that_gets_it() {
    let mut events = there();
    events.push(process_starts(50, 900, "child.exe"));
    // Its parent gives it one before it has a thread, and one later; one stays its own.
    let give = |at, from, to| event(at, IDS, DUPLICATE, &duplicate(true, OBJECT, from, to, FILE));
    events.push(give(55, (0x10, PID), (0x4, 900)));
    events.push(thread_starts(60, (900, 904)));
    events.push(give(100, (0x10, PID), (0x8, 900)));
    events.push(give(110, (0x10, PID), (0x14, PID)));
    let close =
        |at, ids, number| event(at, ids, CLOSE, &handle(true, (OBJECT, number), FILE, None));
    events.push(close(200, (900, 904), 0x4));
    events.push(close(210, IDS, 0x14));
    // Not this process's 0x8.
    events.push(close(220, IDS, 0x8));
    assert_eq!(
        lines(&import(events)),
        [
            "child.exe/904 55 145 duplicated 0x4 [type 37] -",
            "child.exe/904 100 - duplicated 0x8 [type 37] -",
            "writer.exe/404 110 100 duplicated 0x14 [type 37] -",
        ]
    );
}

#[test]
fn handles_of_the_kernel_are_closed_by_any_process() {
    const OF_KERNEL: u32 = 0x8000_0123;
    let mut events = there();
    events.push(opened(100, OF_KERNEL));
    let close = handle(true, (OBJECT, OF_KERNEL), EVENT, None);
    events.push(event(200, (4, 8), CLOSE, &close));
    let expected = ["writer.exe/404 100 100 created 0x80000123 [type 16] -"];
    assert_eq!(lines(&import(events)), expected);
}

#[test]
fn a_number_that_is_used_again_was_closed_unseen() {
    let mut events = there();
    events.push(opened(100, 0x10));
    events.push(opened(300, 0x10));
    let outcome = import(events);
    assert_eq!(
        lines(&outcome),
        [
            "writer.exe/404 100 200 created 0x10 [type 16] -",
            "writer.exe/404 300 - created 0x10 [type 16] -",
        ]
    );
    assert_eq!(
        problem(&outcome, "handles whose closing is not in the trace"),
        1
    );
}

#[test]
fn handles_add_up_whatever_the_order() {
    for seed in 0..10 {
        let mut random = Random(seed + 1);
        let mut events = there();
        let mut since = [None; 40];
        let (mut count, mut time) = (0, 0);
        for at in 1..400_i64 {
            let number = random.below(40);
            let handle = u32::try_from(number * 4).unwrap();
            match since[number].take() {
                None => {
                    since[number] = Some(at * 10);
                    count += 1;
                    events.push(opened(at * 10, handle));
                }
                Some(from) => {
                    time += at * 10 - from;
                    events.push(closed(at * 10, handle));
                }
            }
        }
        let rows: Vec<HandleRow> = import(events).rows();
        assert_eq!(rows.len(), count, "{seed}");
        let open = rows.iter().filter(|row| row.duration_ns.is_none()).count();
        assert_eq!(open, since.iter().flatten().count(), "{seed}");
        let all: i64 = rows.iter().filter_map(|row| row.duration_ns).sum();
        assert_eq!(all / 100, time, "{seed}");
    }
}

#[test]
fn an_event_that_is_cut_leaves_the_others_alone() {
    let payloads = [
        (CREATE, handle(true, (OBJECT, 0x50), EVENT, None), 14),
        (CLOSE, handle(true, (OBJECT, 0x50), EVENT, Some("x")), 14),
        (
            DUPLICATE,
            duplicate(true, OBJECT, (1, PID), (0x50, PID), EVENT),
            22,
        ),
        (
            HANDLES_AT_END,
            listed(true, (OBJECT, 0x50), PID, EVENT, "n"),
            18,
        ),
        // A name of at least a byte.
        (TYPES_AT_END, object_type(FILE, "F"), 5),
    ];
    for (opcode, payload, needed) in payloads {
        for length in 0..payload.len() {
            let mut events = there();
            events.push(opened(100, 0x10));
            events.push(event(200, (PID, TID), opcode, &payload[..length]));
            let outcome = import(events);
            let found = lines(&outcome);
            let whole = "writer.exe/404 100 - created 0x10 [type 16] -".to_owned();
            assert!(found.contains(&whole), "{opcode} {length}: {found:?}");
            let bad = problem(&outcome, "an event of a handle")
                + problem(&outcome, "the name of a type of objects");
            assert_eq!(bad, i64::from(length < needed), "{opcode} {length}");
        }
    }
}
