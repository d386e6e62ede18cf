//! `handles` and `udp`, of Windows.

use whyslow_model::tables::{DatagramRow, HandleRow, LabelRow};
use whyslow_model::{DatagramWay, HandleOrigin, LabelId, StackId, Table};

use super::*;

fn labels(texts: &[&str]) -> Table {
    let rows = texts.iter().zip(0..).map(|(text, id)| LabelRow {
        id: LabelId(id),
        text: (*text).to_owned(),
    });
    Table::from_rows(rows)
}

/// A handle of a type that a process got at a time, and how long it had it.
fn handle(of: (i32, i32), kind: i32, ms: i64, lasts_ms: Option<i64>) -> HandleRow {
    HandleRow {
        time_ns: ms * MS,
        process: Some(ProcessId(of.0)),
        thread: Some(ThreadId(of.1)),
        duration_ns: lasts_ms.map(|ms| ms * MS),
        origin: HandleOrigin::Created.code(),
        handle: 0x10 + ms,
        object: -0x1000,
        kind: Some(LabelId(kind)),
        name: None,
        stack: None,
    }
}

const EVENT: i32 = 0;
const KEY: i32 = 1;

fn with_handles() -> MemoryTrace {
    let (daemon, cc) = ((0, 0), (2, 2));
    let mut scene = scene();
    scene.capabilities.set(Capability::Handles);
    let leak: StackId = scene.stack("leak", "open_event < parse");
    let mut trace = scene.trace("t");
    let listed = HandleRow {
        origin: HandleOrigin::Listed.code(),
        name: Some(LabelId(2)),
        ..handle(daemon, KEY, 0, Some(20))
    };
    let leaked = |ms| HandleRow {
        stack: Some(leak),
        ..handle(cc, EVENT, ms, None)
    };
    trace.put(Table::from_rows([
        listed,
        handle(cc, EVENT, 100, Some(50)),
        leaked(120),
        leaked(130),
        handle(cc, KEY, 140, Some(10)),
        handle(cc, KEY, 150, Some(5)),
    ]));
    trace.put(labels(&["Event", "Key", r"\REGISTRY\MACHINE"]));
    trace
}

const WORDS: [&str; 8] = [
    "process", "type", "opened", "before", "closed", "left", "peak", "lifetime",
];

#[test]
fn handles_are_summed_by_process_and_type() {
    let trace = with_handles();
    let everything = Selection::default();
    let table = ask("handles", &trace, &everything);
    // What is closed at 150 ms is closed before the next is opened then.
    assert_eq!(
        cells(&table, &WORDS),
        [
            "cc Event 3 0 1 2 3 50",
            "daemon Key 0 1 1 0 1 20",
            "cc Key 2 0 2 0 1 10",
        ]
    );
    // At the end of the selected time, some of them have not been closed yet.
    let selection = Selection {
        to: Some(TimePoint::Trace(125 * MS)),
        ..Selection::default()
    };
    let table = ask("handles", &trace, &selection);
    assert_eq!(
        cells(&table, &WORDS),
        ["cc Event 2 0 0 2 2 -", "daemon Key 0 1 1 0 1 20"]
    );
}

#[test]
fn handles_that_stay_open_are_found_by_stack_and_one_by_one() {
    let trace = with_handles();
    let everything = Selection::default();
    let answer = |given: &[(&str, ArgumentValue)], words: &[&str]| {
        let answer = put("handles", &trace, &everything, given);
        cells(&answer.table().expect("recorded"), words)
    };
    let open = ("open", ArgumentValue::Given);
    let by_stack = [("by", word("stack")), open.clone()];
    assert_eq!(
        answer(&by_stack, &["process", "type", "left", "frames"]),
        ["cc Event 2 open_event < parse"]
    );
    assert_eq!(
        answer(&[("by", word("process"))], &["process", "type", "left"]),
        ["cc - 2", "daemon - 0"]
    );
    let list = [("list", ArgumentValue::Given), open];
    assert_eq!(
        answer(&list, &["at", "how", "left", "frames"]),
        [
            "120 created 1 open_event < parse",
            "130 created 1 open_event < parse"
        ]
    );
    let object = [("object", ArgumentValue::Pattern(r"\REG*".to_owned()))];
    assert_eq!(answer(&object, &["process", "before"]), ["daemon 1"]);
    let by_object = [
        ("by", word("object")),
        ("type", ArgumentValue::Pattern("Key".to_owned())),
    ];
    assert_eq!(
        answer(&by_object, &["process", "object", "closed"]),
        [r"daemon \REGISTRY\MACHINE 1", "cc - 2"]
    );
}

fn with_datagrams() -> MemoryTrace {
    let mut scene = scene();
    scene.capabilities.set(Capability::Datagrams);
    let mut trace = scene.trace("t");
    let datagrams = |way: DatagramWay, port: i32, peer: i32, (count, bytes)| DatagramRow {
        from_ns: 100 * MS,
        process: Some(ProcessId(2)),
        thread: Some(ThreadId(2)),
        duration_ns: 20 * MS,
        way: way.code(),
        local_address: Some(LabelId(0)),
        local_port: Some(port),
        remote_address: Some(LabelId(peer)),
        remote_port: Some(53),
        count,
        bytes,
    };
    let unknown = DatagramRow {
        process: None,
        thread: None,
        local_address: None,
        ..datagrams(DatagramWay::Received, 4000, 2, (1, 9))
    };
    trace.put(Table::from_rows([
        unknown,
        datagrams(DatagramWay::Sent, 4000, 1, (3, 120)),
        datagrams(DatagramWay::Received, 4000, 1, (2, 900)),
        datagrams(DatagramWay::Sent, 4001, 1, (1, 50)),
        datagrams(DatagramWay::Sent, 4001, 2, (1, 60)),
    ]));
    trace.put(labels(&["10.0.0.1", "10.0.0.53", "fe80::53"]));
    trace
}

#[test]
fn datagrams_are_summed_by_process_and_peer() {
    let trace = with_datagrams();
    let everything = Selection::default();
    let words = [
        "process",
        "local",
        "peer",
        "sent",
        "sent-bytes",
        "received",
        "received-bytes",
    ];
    let answer = |given: &[(&str, ArgumentValue)]| {
        let answer = put("udp", &trace, &everything, given);
        cells(&answer.table().expect("recorded"), &words)
    };
    assert_eq!(
        answer(&[]),
        [
            "cc - 10.0.0.53:53 4 170 2 900",
            "cc - [fe80::53]:53 1 60 0 0",
            "- - [fe80::53]:53 0 0 1 9",
        ]
    );
    assert_eq!(
        answer(&[
            ("by", word("socket")),
            ("peer", ArgumentValue::Pattern("10.*".to_owned()))
        ]),
        [
            "cc 10.0.0.1:4000 10.0.0.53:53 3 120 2 900",
            "cc 10.0.0.1:4001 10.0.0.53:53 1 50 0 0",
        ]
    );
    assert_eq!(
        answer(&[("by", word("process"))]),
        ["cc - - 5 230 2 900", "- - - 0 0 1 9"]
    );
}
