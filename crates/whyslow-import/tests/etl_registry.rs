//! The registry in Windows traces: operations, their results and times, and the names of keys.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;
#[path = "support/windows.rs"]
mod windows;

use whyslow_model::tables::{ProblemRow, RegistryCallRow, ThreadRow};
use whyslow_model::{Named, RegistryOperation, SystemCallResult};
use whyslow_testkit::payload::Registry;
use whyslow_testkit::{T0, system};

use support::Outcome;
use windows::{IDS, OTHER, PID, import, is_recorded, label, path, there};

const NOT_FOUND: u32 = 0xc000_0034;
/// Opcodes.
const CREATE: u16 = 10;
const OPEN: u16 = 11;
const QUERY: u16 = 13;
const SET_VALUE: u16 = 14;
const QUERY_VALUE: u16 = 16;
const LIST_VALUES: u16 = 18;
const KCB_CREATE: u16 = 22;
const KCB_DELETE: u16 = 23;
const RUNDOWN_BEGIN: u16 = 24;
const RUNDOWN_END: u16 = 25;
const CLOSE: u16 = 27;

/// The machine's settings of an application, and its address.
const APP: u64 = 0xffff_8a00_0001_0000;
const APP_NAME: &str = r"\REGISTRY\MACHINE\SOFTWARE\App";

fn event(at: i64, ids: (u32, u32), opcode: u16, of: Registry<'_>) -> (i64, Vec<u8>) {
    let payload = of.payload(true, 2);
    (at, system(true, 0x0900 | opcode, 2, T0 + at, ids, &payload))
}

/// An operation that lasts so long and ends then.
fn done<'a>(at: i64, lasts: i64, key: u64, name: &'a str) -> Registry<'a> {
    Registry {
        since: T0 + at - lasts,
        key,
        name,
        ..Registry::default()
    }
}

fn named(opcode: u16, at: i64, key: u64, name: &str) -> (i64, Vec<u8>) {
    event(at, (0, 0), opcode, done(at, 0, key, name))
}

/// Rows as text: thread, operation, key, value, result, count, time, longest.
fn lines(outcome: &Outcome) -> Vec<String> {
    let threads: Vec<ThreadRow> = outcome.rows();
    let rows: Vec<RegistryCallRow> = outcome.rows();
    let ticks = |ns: Option<i64>| ns.map_or("-".to_owned(), |ns| (ns / 100).to_string());
    let lines = rows.into_iter().map(|row| {
        let operation = RegistryOperation::from_code(row.operation).unwrap().name();
        format!(
            "{} {operation} {} {} {} {} {} {}",
            threads[row.thread.unwrap().index()].os_tid,
            path(outcome, row.key),
            label(outcome, row.value),
            SystemCallResult(row.result).spelled(),
            row.count,
            ticks(row.time_ns),
            ticks(row.longest_ns),
        )
    });
    let mut lines: Vec<_> = lines.collect();
    lines.sort();
    lines
}

#[test]
fn operations_are_counted_by_key_value_and_result() {
    let mut events = there();
    events.push(named(RUNDOWN_BEGIN, 1, APP, APP_NAME));
    // Relative to a key, and whole.
    events.push(event(100, IDS, OPEN, done(100, 30, APP, r"Recent\Files")));
    events.push(event(
        150,
        IDS,
        CREATE,
        done(150, 20, 0, r"\Registry\User\S-1-5-18\Env"),
    ));
    for at in [200, 300, 400] {
        let missing = Registry {
            status: NOT_FOUND,
            ..done(at, at / 10, APP, "Color")
        };
        events.push(event(at, IDS, QUERY_VALUE, missing));
    }
    events.push(event(500, IDS, QUERY_VALUE, done(500, 7, APP, "Size")));
    events.push(event(510, IDS, SET_VALUE, done(510, 8, APP, "")));
    events.push(event(520, (PID, OTHER), QUERY, done(520, 1, APP, "")));
    events.push(event(530, (PID, OTHER), LIST_VALUES, done(530, 2, APP, "")));
    let outcome = import(events);
    assert_eq!(
        lines(&outcome),
        [
            r"404 create HKU\S-1-5-18\Env - ok 1 20 20",
            r"404 open HKLM\SOFTWARE\App\Recent\Files - ok 1 30 30",
            r"404 query value HKLM\SOFTWARE\App Color STATUS_OBJECT_NAME_NOT_FOUND 3 90 40",
            r"404 query value HKLM\SOFTWARE\App Size ok 1 7 7",
            r"404 set value HKLM\SOFTWARE\App (default) ok 1 8 8",
            r"408 list values HKLM\SOFTWARE\App - ok 1 2 2",
            r"408 query HKLM\SOFTWARE\App - ok 1 1 1",
        ]
    );
    assert_eq!(is_recorded(&outcome, "registry operations"), "yes");
    let rows: Vec<RegistryCallRow> = outcome.rows();
    let first = rows.iter().filter(|row| row.thread == rows[0].thread);
    assert_eq!(first.map(|row| row.from_ns).min(), Some(7_000));
}

#[test]
fn keys_are_named_late_and_addresses_are_used_again() {
    const USED_AGAIN: u64 = 0xffff_8a00_0002_0000;
    const NEVER: u64 = 0xffff_8a00_0003_0000;
    let close = |at, key| event(at, IDS, CLOSE, done(at, 1, key, ""));
    let mut events = there();
    events.push(close(100, APP));
    events.push(named(KCB_CREATE, 200, USED_AGAIN, r"\REGISTRY\MACHINE\One"));
    events.push(close(210, USED_AGAIN));
    events.push(named(KCB_DELETE, 220, USED_AGAIN, r"\REGISTRY\MACHINE\One"));
    events.push(named(KCB_CREATE, 230, USED_AGAIN, r"\REGISTRY\MACHINE\Two"));
    events.push(close(240, USED_AGAIN));
    events.push(close(300, NEVER));
    events.push(event(310, IDS, OPEN, done(310, 1, NEVER, "Below")));
    // The list at the end names what was there all the time.
    events.push(named(RUNDOWN_END, 900, APP, APP_NAME));
    let outcome = import(events);
    assert_eq!(
        lines(&outcome),
        [
            r"404 close HKLM\One - ok 1 1 1",
            r"404 close HKLM\SOFTWARE\App - ok 1 1 1",
            r"404 close HKLM\Two - ok 1 1 1",
            r"404 close [unnamed] - ok 1 1 1",
            r"404 open [unnamed]\Below - ok 1 1 1",
        ]
    );
}

#[test]
fn before_version_2_nothing_has_a_duration() {
    let mut events = there();
    for wide in [true, false] {
        let of = Registry {
            since: 1234,
            status: NOT_FOUND,
            index: 7,
            key: 0,
            name: r"\REGISTRY\MACHINE\Old",
        };
        let payload = of.payload(wide, 1);
        let event = system(wide, 0x0900 | OPEN, 1, T0 + 100, IDS, &payload);
        events.push((100, event));
    }
    let outcome = import(events);
    let expected = r"404 open HKLM\Old - STATUS_OBJECT_NAME_NOT_FOUND 2 - -";
    assert_eq!(lines(&outcome), [expected]);
    // A clock that jumps does not make one negative.
    let mut events = there();
    let of = done(100, -50, 0, r"\REGISTRY\MACHINE\Jump");
    events.push(event(100, IDS, OPEN, of));
    assert_eq!(lines(&import(events)), [r"404 open HKLM\Jump - ok 1 - -"]);
}

#[test]
fn an_event_that_is_cut_leaves_the_others_alone() {
    let whole = done(100, 10, 0, r"\REGISTRY\MACHINE\Whole");
    let payload = whole.payload(true, 2);
    for length in 0..payload.len() {
        let mut events = there();
        events.push(event(100, IDS, CREATE, whole));
        let cut = system(true, 0x0900 | OPEN, 2, T0 + 200, IDS, &payload[..length]);
        events.push((200, cut));
        let outcome = import(events);
        let found = lines(&outcome);
        assert!(
            found.contains(&r"404 create HKLM\Whole - ok 1 10 10".to_owned()),
            "{length}"
        );
        // Time, status, index and key are needed.
        let is_short = length < 24;
        let problems: Vec<ProblemRow> = outcome.rows();
        let bad = problems.iter();
        let bad = bad.filter(|row| row.detail.contains("a registry event"));
        assert_eq!(bad.count(), usize::from(is_short), "{length}");
    }
}
