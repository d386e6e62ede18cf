//! How much memory processes have, in Windows traces.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

#[path = "support/real.rs"]
mod real;
mod support;
#[path = "support/windows.rs"]
mod windows;

use whyslow_model::tables::{ProblemRow, ProcessMemoryRow, ProcessRow};
use whyslow_testkit::payload::{process_counters, working_sets};
use whyslow_testkit::{Manifest, Random, T0, system};

use support::Outcome;
use windows::{IDS, PID, import, is_recorded, there};

const KERNEL_MEMORY: [u8; 16] = [
    0xf7, 0x3e, 0xd9, 0xd1, 0xf2, 0xe1, 0x45, 0x4f, 0x99, 0x43, 0x03, 0xd2, 0x45, 0xfe, 0x6c, 0x00,
];

/// A working set in pages: in RAM, committed, addresses, of its own; later systems add four more.
const OLD: [u64; 4] = [10, 20, 1000, 7];
const NEW: [u64; 8] = [11, 21, 1000, 8, 0, 0, 0, 2];

fn sets(at: i64, of: &[(u32, &[u64])]) -> (i64, Vec<u8>) {
    (
        at,
        system(true, 0x027d, 2, T0 + at, IDS, &working_sets(true, of)),
    )
}

fn provided(at: i64, payload: &[u8]) -> Vec<u8> {
    let event = Manifest {
        wide: true,
        provider: KERNEL_MEMORY,
        id: 2,
        ids: IDS,
        items: &[],
        payload,
    };
    event.at(T0 + at)
}

fn counters(at: i64, opcode: u16, sizes: [u64; 11]) -> (i64, Vec<u8>) {
    let payload = process_counters(true, PID, sizes);
    (at, system(true, 0x0300 | opcode, 2, T0 + at, IDS, &payload))
}

/// Rows as text: process, when, in RAM, of its own, committed, peak, in pages.
fn lines(outcome: &Outcome) -> Vec<String> {
    let processes: Vec<ProcessRow> = outcome.rows();
    let mut rows: Vec<ProcessMemoryRow> = outcome.rows();
    rows.sort_by_key(|row| row.time_ns);
    let pages = |bytes: Option<i64>| bytes.map_or("-".to_owned(), |b| (b / 4096).to_string());
    let lines = rows.into_iter().map(|row| {
        let sizes = [
            row.resident_bytes,
            row.private_bytes,
            row.committed_bytes,
            row.peak_bytes,
        ];
        let name = &processes[row.process.unwrap().index()].name;
        format!(
            "{name} {} {}",
            row.time_ns / 100,
            sizes.map(pages).join(" ")
        )
    });
    lines.collect()
}

#[test]
fn working_sets_become_rows_where_they_change() {
    let mut events = there();
    events.push(sets(100, &[(PID, &OLD), (77, &OLD)]));
    // The same again.
    events.push(sets(200, &[(PID, &OLD)]));
    events.push(sets(300, &[(4, &NEW), (PID, &NEW)]));
    // The manifest's event has the same payload, and may come in addition.
    let payload = working_sets(true, &[(PID, &NEW)]);
    events.push((310, provided(310, &payload)));
    let payload = working_sets(true, &[(PID, &OLD)]);
    events.push((320, provided(320, &payload)));
    events.push(sets(400, &[]));
    let outcome = import(events);
    assert_eq!(
        lines(&outcome),
        [
            "writer.exe 100 10 7 20 -",
            "writer.exe 300 11 8 21 -",
            "writer.exe 320 10 7 20 -",
        ]
    );
    assert_eq!(is_recorded(&outcome, "memory of processes"), "yes");
}

#[test]
fn counters_have_the_peak_and_what_is_left_at_the_end() {
    let page = 4096;
    let mut sizes = [0; 11];
    (sizes[1], sizes[6], sizes[10]) = (9 * page, 5 * page, 6 * page);
    let mut events = there();
    events.push(counters(100, 33, sizes));
    events.push(counters(200, 32, sizes));
    let outcome = import(events);
    assert_eq!(
        lines(&outcome),
        ["writer.exe 100 5 - 6 9", "writer.exe 200 - - - 9"]
    );
    assert_eq!(is_recorded(&outcome, "memory of processes"), "partial");
}

#[test]
fn counters_of_a_real_trace_are_complete() {
    let Some(dir) = real::folder() else { return };
    let outcome = real::import(&[dir.join("perfview/net.4.5.2.x64.etl")]);
    let rows: Vec<ProcessMemoryRow> = outcome.rows();
    // 32 processes at the end of the recording, and one that had ended before: it has nothing but a peak.
    assert_eq!(rows.len(), 33);
    let ended = rows.iter().filter(|row| row.resident_bytes.is_none());
    let peaks: Vec<_> = ended.map(|row| row.peak_bytes).collect();
    assert_eq!(peaks, [Some(0x0116_0000)]);
    // As another reader shows them: of a virus scanner, 0x3a19000, 0xa186000 and 0xe9bc000 bytes.
    let lines = lines(&outcome);
    let scanner = lines.iter().find(|line| line.starts_with("MsMpEng"));
    let scanner = scanner.unwrap().split(' ').skip(2).collect::<Vec<_>>();
    assert_eq!(scanner, ["14873", "-", "41350", "59836"], "{lines:#?}");
    assert_eq!(is_recorded(&outcome, "memory of processes"), "partial");
}

#[test]
fn what_cannot_be_is_damage() {
    let mut events = there();
    events.push(sets(100, &[(PID, &[1 << 50, 1, 1, 1])]));
    events.push(sets(110, &[(PID, &[1, 1, 1])]));
    let payload = u32::MAX.to_le_bytes();
    events.push((120, system(true, 0x027d, 2, T0 + 120, IDS, &payload)));
    events.push((130, system(true, 0x0320, 2, T0 + 130, IDS, &[0; 40])));
    let outcome = import(events);
    assert!(lines(&outcome).is_empty());
    let problems: Vec<ProblemRow> = outcome.rows();
    let bad = problems.iter().filter(|row| row.kind == "bad-record");
    assert_eq!(bad.map(|row| row.count).sum::<i64>(), 4);
    assert_eq!(is_recorded(&outcome, "memory of processes"), "yes");
}

#[test]
fn damaged_payloads_do_no_harm() {
    let mut random = Random(7);
    for _ in 0..200 {
        let mut payload = working_sets(true, &[(PID, &OLD), (PID, &OLD)]);
        for _ in 0..3 {
            let at = random.below(payload.len());
            payload[at] ^= 1 << random.below(8);
        }
        payload.truncate(random.below(payload.len() + 1));
        let mut events = there();
        events.push((100, system(true, 0x027d, 2, T0 + 100, IDS, &payload)));
        events.push((110, system(true, 0x0321, 2, T0 + 110, IDS, &payload)));
        import(events);
    }
}
