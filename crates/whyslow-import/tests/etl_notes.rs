//! Exceptions, marks and services in Windows traces.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

#[path = "support/real.rs"]
mod real;
mod support;
#[path = "support/windows.rs"]
mod windows;

use support::Outcome;
use whyslow_model::tables::{AddressRow, ExceptionRow, MarkRow, ProcessRow, StackRow};
use whyslow_model::{ExceptionFlags, ProblemKind, StackId};
use whyslow_testkit::{Bytes, Manifest, T0, system};

use windows::{PID, TID, import, is_recorded, label, there};

const RUNTIME: [u8; 16] = [
    0x23, 0x0d, 0x3c, 0xe1, 0xbc, 0xcc, 0x12, 0x4e, 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4,
];

fn runtime(time: i64, id: u16, items: &[(u16, Vec<u8>)], payload: &[u8]) -> (i64, Vec<u8>) {
    let event = Manifest {
        wide: true,
        provider: RUNTIME,
        id,
        ids: (PID, TID),
        items,
        payload,
    };
    let mut event = event.at(T0 + time);
    event[0x2a] = 1;
    (time, event)
}

fn thrown(kind: &str, message: &str, flags: u16) -> Vec<u8> {
    let out = Bytes::default().utf16(kind).utf16(message);
    out.u64(0x7ff6_0000_1000)
        .u32(0x8013_1505)
        .u16(flags)
        .u16(9)
        .0
}

fn walked(frames: &[u64]) -> Vec<u8> {
    let count = u32::try_from(frames.len()).unwrap();
    let out = Bytes::default().u16(9).u16(0).u32(count);
    out.pointers(true, frames).0
}

/// Addresses of a stack, the innermost first.
fn frames(outcome: &Outcome, stack: Option<StackId>) -> Vec<u64> {
    let stacks: Vec<StackRow> = outcome.rows();
    let addresses: Vec<AddressRow> = outcome.rows();
    let (mut node, mut found) = (stack, Vec::new());
    while let Some(row) = node.map(|node| &stacks[node.index()]) {
        let address = row.address.map(|address| addresses[address.index()].rva);
        found.extend(address.map(i64::cast_unsigned));
        node = row.parent;
    }
    found
}

#[test]
fn exceptions_have_type_message_and_the_stack_of_their_thread() {
    let mut events = there();
    let timeout = thrown("System.TimeoutException", "too late", 0x10);
    // The stack is an event of its own.
    events.push(runtime(100, 80, &[], &timeout));
    events.push(runtime(
        110,
        82,
        &[],
        &walked(&[0x7ff6_0000_1000, 0x7ff6_0000_2000]),
    ));
    // It is part of the event.
    let mut own = 0_u64.to_le_bytes().to_vec();
    for frame in [0xffff_8000_0000_1000_u64, 0x7ff6_0000_3000] {
        own.extend(frame.to_le_bytes());
    }
    events.push(runtime(200, 80, &[(6, own)], &timeout));
    // There is none; the next stack is of another event.
    events.push(runtime(300, 80, &[], &thrown("Other", "", 0x04)));
    events.push(runtime(400, 80, &[], &thrown("Last", "x", 0)));
    let outcome = import(events);
    let rows: Vec<ExceptionRow> = outcome.rows();
    let told = rows.iter().map(|row| {
        let (kind, message) = (label(&outcome, row.kind), label(&outcome, row.message));
        let again = ExceptionFlags(row.flags).has(ExceptionFlags::AGAIN);
        let stack = frames(&outcome, row.stack);
        let code = row.code.cast_unsigned();
        assert!(row.process.is_some() && row.thread.is_some());
        format!(
            "{} {kind} '{message}' {code:x} {again} {stack:x?}",
            row.time_ns / 100
        )
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            "100 System.TimeoutException 'too late' 80131505 false [7ff600001000, 7ff600002000]",
            "200 System.TimeoutException 'too late' 80131505 false [ffff800000001000, 7ff600003000]",
            "300 Other '-' 80131505 true []",
            "400 Last 'x' 80131505 false []",
        ]
    );
    assert_eq!(is_recorded(&outcome, "exceptions"), "yes");
}

#[test]
fn marks_and_services_are_found() {
    let mut events = there();
    let mark = |text: &str| [text.as_bytes(), &[0]].concat();
    events.push((
        100,
        system(
            true,
            0x0f22,
            2,
            T0 + 100,
            (PID, TID),
            &mark("test 1 starts"),
        ),
    ));
    events.push((
        200,
        system(true, 0x0f22, 2, T0 + 200, (PID, TID), &mark("test 1 ends")),
    ));
    let service = |pid: u32, name: &str| {
        let out = Bytes::default().u32(pid).u32(4).u32(1).utf16(name);
        let out = out
            .utf16("shown")
            .utf16("svchost.exe")
            .utf16("")
            .utf16("netsvcs");
        system(true, 0x0b0f, 2, T0 + 300, (0, 0), &out.0)
    };
    events.push((300, service(PID, "Dnscache")));
    events.push((300, service(PID, "Schedule")));
    events.push((300, service(PID, "Schedule")));
    events.push((300, service(0, "Stopped")));
    events.push((300, system(true, 0x0b0f, 2, T0 + 300, (0, 0), &[1])));
    let outcome = import(events);
    let marks: Vec<MarkRow> = outcome.rows();
    let told = marks
        .iter()
        .map(|row| (row.time_ns / 100, label(&outcome, row.text)));
    let expected = [(100, "test 1 starts"), (200, "test 1 ends")];
    let expected = expected.map(|(time, text)| (time, text.to_owned()));
    assert_eq!(told.collect::<Vec<_>>(), expected);
    assert_eq!(is_recorded(&outcome, "marks"), "yes");
    let processes: Vec<ProcessRow> = outcome.rows();
    let services = processes.iter().filter_map(|row| row.services.as_deref());
    assert_eq!(services.collect::<Vec<_>>(), ["Dnscache, Schedule"]);
    assert_eq!(outcome.count(ProblemKind::BadRecord), 1);
}

#[test]
fn a_real_trace_has_its_exception_and_services() {
    let Some(dir) = real::folder() else { return };
    let outcome = real::import(&[dir.join("perfview/net.4.5.2.x64.etl")]);
    let rows: Vec<ExceptionRow> = outcome.rows();
    let kinds = rows.iter().map(|row| label(&outcome, row.kind));
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        ["System.IO.FileNotFoundException"]
    );
    // The file was not found.
    assert_eq!(rows[0].code, -2_147_024_894);
    assert!(label(&outcome, rows[0].message).starts_with("The session PerfView"));
    let processes: Vec<ProcessRow> = outcome.rows();
    let hosts = processes
        .iter()
        .filter(|row| row.name.starts_with("svchost"));
    let (with, without): (Vec<_>, Vec<_>) = hosts.partition(|row| row.services.is_some());
    assert!(
        with.len() > 5 && without.len() <= 1,
        "{} {}",
        with.len(),
        without.len()
    );
}
