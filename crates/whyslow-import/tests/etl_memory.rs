//! Memory that processes get and give back, in Windows traces.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;
#[path = "support/windows.rs"]
mod windows;

use whyslow_model::tables::AllocationRow;
use whyslow_testkit::payload::{Process, virtual_memory};
use whyslow_testkit::{Random, T0, system};

use support::Outcome;
use windows::{
    IDS, OTHER, PID, import, is_recorded, owned, problem, process_starts, there, thread_starts,
};

/// `MEM_COMMIT`, `MEM_RESERVE`, `MEM_DECOMMIT`, `MEM_RELEASE`.
const COMMIT: u32 = 0x1000;
const RESERVE: u32 = 0x2000;
const DECOMMIT: u32 = 0x4000;
const RELEASE: u32 = 0x8000;

const PAGE: u64 = 0x1000;
const BASE: u64 = 0x1_0000_0000;

/// An event about so many pages from a page on.
fn event(at: i64, ids: (u32, u32), (page, pages): (u64, u64), flags: u32) -> (i64, Vec<u8>) {
    event_of(at, ids, ids.0, (page, pages), flags)
}

fn event_of(
    at: i64,
    ids: (u32, u32),
    pid: u32,
    (page, pages): (u64, u64),
    flags: u32,
) -> (i64, Vec<u8>) {
    let frees = flags & (DECOMMIT | RELEASE) != 0;
    let hook = 0x0200 | if frees { 99 } else { 98 };
    let payload = virtual_memory(true, BASE + page * PAGE, pages * PAGE, pid, flags);
    (at, system(true, hook, 2, T0 + at, ids, &payload))
}

/// Rows as text: process and thread, when, how long, first page, pages.
fn lines(outcome: &Outcome) -> Vec<String> {
    let mut rows: Vec<AllocationRow> = outcome.rows();
    rows.sort_by_key(|row| (row.time_ns, row.address));
    let lines = rows.into_iter().map(|row| {
        let when = (row.time_ns, row.duration_ns);
        format!(
            "{} {}+{}",
            owned(outcome, (row.process, row.thread), when),
            (row.address.cast_unsigned() - BASE) / PAGE,
            row.size_bytes.cast_unsigned() / PAGE,
        )
    });
    lines.collect()
}

#[test]
fn ranges_are_given_back_whole_in_parts_or_not_at_all() {
    let mut events = there();
    // Addresses alone are no memory.
    events.push(event(100, IDS, (0, 100), RESERVE));
    events.push(event(110, IDS, (0, 10), COMMIT));
    events.push(event(120, (PID, OTHER), (20, 4), COMMIT | RESERVE));
    // A part that the process already has, and one that it has not.
    events.push(event(130, IDS, (8, 4), COMMIT));
    // From the middle, over both.
    events.push(event(200, IDS, (4, 7), DECOMMIT));
    events.push(event(300, (PID, OTHER), (20, 4), RELEASE));
    // What it does not have.
    events.push(event(310, IDS, (50, 4), RELEASE));
    let outcome = import(events);
    assert_eq!(
        lines(&outcome),
        [
            "writer.exe/404 110 - 0+4",
            "writer.exe/404 110 90 4+6",
            "writer.exe/408 120 180 20+4",
            "writer.exe/404 130 70 10+1",
            "writer.exe/404 130 - 11+1",
        ]
    );
    assert_eq!(is_recorded(&outcome, "memory allocations"), "yes");
}

#[test]
fn memory_belongs_to_the_process_that_it_is_in() {
    let mut events = there();
    events.push(process_starts(50, 900, "child.exe"));
    // Before it has a thread, too.
    events.push(event_of(55, IDS, 900, (10, 1), COMMIT));
    events.push(thread_starts(60, (900, 904)));
    // Its parent gets memory for it, which it gives back itself.
    events.push(event_of(100, IDS, 900, (0, 2), COMMIT));
    events.push(event(150, IDS, (0, 1), COMMIT));
    events.push(event(200, (900, 904), (0, 2), RELEASE));
    events.push(event(210, (900, 904), (10, 1), RELEASE));
    // Nothing at all, and more than there is.
    events.push(event(220, IDS, (0, 0), DECOMMIT));
    events.push(event(230, IDS, (0, 1 << 50), COMMIT));
    let expected = [
        "child.exe/904 55 155 10+1",
        "child.exe/904 100 100 0+2",
        "writer.exe/404 150 - 0+1",
    ];
    assert_eq!(lines(&import(events)), expected);
}

#[test]
fn an_id_that_is_used_again_is_another_process() {
    let mut events = there();
    let start = |at, tid| {
        let image = if tid == 904 { "one.exe" } else { "two.exe" };
        let process = process_starts(at, 900, image);
        [process, thread_starts(at + 1, (900, tid))]
    };
    events.extend(start(50, 904));
    events.push(event(100, (900, 904), (0, 2), COMMIT));
    let process = Process {
        process_id: 900,
        image: "one.exe",
        ..Process::default()
    };
    let payload = process.payload(true, 4);
    events.push((200, system(true, 0x0302, 4, T0 + 200, IDS, &payload)));
    events.extend(start(300, 908));
    events.push(event(400, (900, 908), (0, 2), COMMIT));
    events.push(event(500, (900, 908), (0, 2), RELEASE));
    let expected = ["one.exe/904 100 - 0+2", "two.exe/908 400 100 0+2"];
    assert_eq!(lines(&import(events)), expected);
}

#[test]
fn pages_add_up_whatever_is_asked_in_whatever_order() {
    for seed in 0..20 {
        let mut random = Random(seed + 1);
        let mut events = there();
        // The page and when the process got it.
        let mut has = vec![None; 32];
        let (mut got, mut given_back) = (0_u64, 0_i64);
        for at in 1..300_i64 {
            let (page, pages) = (random.below(28), 1 + random.below(4));
            let range = page..page + pages;
            let asked = (u64::try_from(page).unwrap(), u64::try_from(pages).unwrap());
            if random.below(2) == 0 {
                events.push(event(at * 10, IDS, asked, COMMIT));
                for one in has[range].iter_mut().filter(|one| one.is_none()) {
                    *one = Some(at * 10);
                    got += 1;
                }
            } else {
                events.push(event(at * 10, IDS, asked, DECOMMIT));
                for one in &mut has[range] {
                    given_back += one.take().map_or(0, |from| at * 10 - from);
                }
            }
        }
        let outcome = import(events);
        let rows: Vec<AllocationRow> = outcome.rows();
        let pages = |row: &AllocationRow| row.size_bytes / 4096;
        let all: i64 = rows.iter().map(pages).sum();
        assert_eq!(all.cast_unsigned(), got, "{seed}");
        let kept = rows.iter().filter(|row| row.duration_ns.is_none());
        let kept: i64 = kept.map(pages).sum();
        let expected = has.iter().flatten().count();
        assert_eq!(kept, i64::try_from(expected).unwrap(), "{seed}");
        let times = rows
            .iter()
            .filter_map(|row| Some(row.duration_ns? / 100 * pages(row)));
        assert_eq!(times.sum::<i64>(), given_back, "{seed}");
    }
}

#[test]
fn an_event_that_is_cut_leaves_the_others_alone() {
    let payload = virtual_memory(true, BASE, 2 * PAGE, PID, COMMIT);
    for length in 0..payload.len() {
        let mut events = there();
        events.push(event(100, IDS, (0, 1), COMMIT));
        let cut = system(true, 0x0200 | 98, 2, T0 + 200, IDS, &payload[..length]);
        events.push((200, cut));
        let outcome = import(events);
        assert_eq!(lines(&outcome), ["writer.exe/404 100 - 0+1"], "{length}");
        let bad = problem(&outcome, "a VirtualAlloc or VirtualFree event");
        assert_eq!(bad, 1, "{length}");
    }
}

#[test]
fn nonsense_is_bounded() {
    let mut events = there();
    let extremes = [0, 1, u64::MAX, u64::MAX - 1, 1 << 63];
    for (at, address) in (100..).zip(extremes) {
        for bytes in extremes {
            for (hook, flags) in [(0x0262, COMMIT), (0x0263, RELEASE)] {
                let payload = virtual_memory(true, address, bytes, PID, flags);
                events.push((at, system(true, hook, 2, T0 + at, IDS, &payload)));
            }
        }
    }
    let rows: Vec<AllocationRow> = import(events).rows();
    assert!(rows.iter().all(|row| row.size_bytes > 0), "{rows:?}");
}
