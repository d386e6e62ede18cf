//! What is said of folders that get slower as they grow, and of reads from a disk.

use whyslow_model::tables::{FileCallRow, FileRow, SingleFileCallRow};
use whyslow_model::{FileCallFlags, FileId, FileOperation, Named, Table, TableRow};

use super::*;

const OPENAT: i32 = 257;
const PREAD: i32 = 17;
const FILES: usize = 2000;

fn id(at: usize) -> FileId {
    FileId::from_index(at).expect("few")
}

fn files(path: impl Fn(usize) -> String) -> Table {
    let rows = (0..FILES).map(|at| FileRow {
        id: id(at),
        path: path(at),
        inode: None,
        device: None,
        kind: Some("file".to_owned()),
        file_system: None,
        flags: 0,
    });
    Table::from_rows(rows.collect::<Vec<_>>())
}

/// Calls about one file after the other, which take as long as `cost_us` says, in a program that does nothing else.
fn calls(
    operation: FileOperation,
    path: impl Fn(usize) -> String,
    cost_us: impl Fn(i64) -> i64,
    flags: FileCallFlags,
) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "open",
        "k:ext4_add_entry < k:do_sys_openat2 < open < store_scan < main",
    );
    trace.play(main, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "open");
    trace.calls(main, (OPENAT, 0), 2000, None, 900);
    trace.called_from(main, &[100, 500, 900], (OPENAT, 600), "open");
    let each: Vec<i64> = (0..2000).map(cost_us).collect();
    let (mut single, mut counted) = (Vec::new(), Vec::new());
    for (at, &us) in each.iter().enumerate() {
        let start_ns = i64::try_from(at).expect("few") * MS / 2;
        single.push(SingleFileCallRow {
            start_ns,
            process: Some(app),
            thread: Some(main),
            duration_ns: Some(us * 1000),
            file: Some(id(at)),
            operation: operation.code(),
            call: OPENAT,
            flags: flags.0,
            ..SingleFileCallRow::unknown()
        });
        counted.push(FileCallRow {
            from_ns: start_ns,
            process: Some(app),
            thread: Some(main),
            duration_ns: MS / 4,
            file: Some(id(at)),
            operation: operation.code(),
            count: 1,
            time_ns: Some(us * 1000),
            longest_ns: Some(us * 1000),
            timed_count: 1,
            ..FileCallRow::unknown()
        });
    }
    trace.tables.push(files(path));
    trace.tables.push(Table::from_rows(single));
    trace.tables.push(Table::from_rows(counted));
    trace
}

fn causes_of(trace: &Literal) -> Vec<String> {
    let all = findings(trace, 100).into_iter();
    all.map(|one| one.cause).collect()
}

fn in_one_folder(at: usize) -> String {
    format!("/srv/scans/{at:05}.tif")
}

#[test]
fn a_folder_in_which_each_file_costs_more_than_the_one_before_is_named() {
    let trace = calls(
        FileOperation::Open,
        in_one_folder,
        |at| 20 + at * 9 / 10,
        FileCallFlags(0),
    );
    let found = findings(&trace, 100);
    assert_eq!(found[0].cause, "growing-folder", "{found:#?}");
    assert_eq!(found[0].confidence, Confidence::Likely);
    assert!(found[0].wall_ns > 800 * MS, "{found:#?}");
    says(
        &explain_pid(&trace, 100),
        &[
            "It opened or created files in /srv/scans/, where each call takes longer the more files there are",
            "after 2000 different files.",
            "store_scan",
            "Spread the files over several folders",
        ],
    );
}

#[test]
fn a_folder_whose_calls_cost_the_same_or_wait_is_not_blamed() {
    let is_named = |trace: Literal| causes_of(&trace).iter().any(|one| one == "growing-folder");
    let open = FileOperation::Open;
    let none = FileCallFlags(0);
    assert!(!is_named(calls(open, in_one_folder, |_| 450, none)));
    // It was slow for a while.
    let burst = |at| if (900..1400).contains(&at) { 1500 } else { 50 };
    assert!(!is_named(calls(open, in_one_folder, burst, none)));
    // What waits for a disk or a lock has another reason.
    let rising = |at| 20 + at * 9 / 10;
    for flag in [FileCallFlags::DISK, FileCallFlags::SLEPT] {
        assert!(!is_named(calls(open, in_one_folder, rising, flag)));
    }
    // The same file, opened again and again, is no folder that grows.
    let same = |at| format!("/srv/{}", if at == 0 { "a" } else { "b" });
    let mut trace = calls(open, same, rising, none);
    for table in &mut trace.tables {
        if table.schema == SingleFileCallRow::SCHEMA {
            let rows = table.rows::<SingleFileCallRow>();
            let rows = rows.map(|row| SingleFileCallRow {
                file: Some(id(1)),
                ..row
            });
            *table = Table::from_rows(rows.collect::<Vec<_>>());
        }
    }
    assert!(!is_named(trace));
    // All folders got slower: the reason is not in one of them.
    let spread = |at| format!("/srv/{}/{at}", at % 2);
    assert!(!is_named(calls(open, spread, rising, none)));
}

/// Every 128 KiB of a file, in order.
fn in_order(at: i64) -> i64 {
    at * (128 << 10)
}

/// Records of a file of 4 MB, at random.
fn at_random(at: i64) -> i64 {
    ((at * at * at * 40_503 + at * 977) >> 7) % 1000 * 4096
}

/// A program that reads from a disk: `at_a_time` reads are under way at any moment, of `bytes` each.
fn disk_reads(at_a_time: i64, bytes: i64, offset: impl Fn(i64) -> i64) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "read",
        "k:folio_wait_bit_common < k:filemap_get_pages < k:vfs_read < pread < look_up < main",
    );
    trace.play(main, &"R1 D9:read<! ".repeat(100));
    let rows = (0..100 * at_a_time).map(|at| SingleFileCallRow {
        start_ns: at / at_a_time * 10 * MS + MS,
        process: Some(app),
        thread: Some(main),
        duration_ns: Some(9 * MS),
        file: Some(id(0)),
        operation: FileOperation::Read.code(),
        call: PREAD,
        flags: FileCallFlags::DISK.0,
        offset_bytes: Some(offset(at)),
        asked_bytes: Some(4096),
        bytes: Some(4096),
        disk_bytes: Some(bytes),
        ..SingleFileCallRow::unknown()
    });
    trace.tables.push(files(in_one_folder));
    trace
        .tables
        .push(Table::from_rows(rows.collect::<Vec<_>>()));
    trace
}

#[test]
fn counters_at_their_end_are_no_reason_to_stop() {
    let mut trace = calls(
        FileOperation::Open,
        in_one_folder,
        |_| 1,
        FileCallFlags::DISK,
    );
    for table in &mut trace.tables {
        if table.schema == FileCallRow::SCHEMA {
            let rows = table
                .rows::<FileCallRow>()
                .enumerate()
                .map(|(at, row)| FileCallRow {
                    count: i64::MAX,
                    bytes: Some(i64::MAX),
                    time_ns: Some(if at % 2 == 0 { i64::MAX } else { i64::MIN }),
                    longest_ns: Some(i64::MAX),
                    timed_count: i64::MIN,
                    operation: [1, 2, 5, 6, 8, 15][at % 6],
                    result: [0, 2, 17, 11][at % 4],
                    ..row
                });
            *table = Table::from_rows(rows.collect::<Vec<_>>());
        } else if table.schema == SingleFileCallRow::SCHEMA {
            let rows = table.rows::<SingleFileCallRow>().enumerate();
            let rows = rows.map(|(at, row)| SingleFileCallRow {
                duration_ns: Some([i64::MAX, 0, i64::MIN][at % 3]),
                offset_bytes: Some(i64::MAX),
                bytes: Some(i64::MAX),
                disk_bytes: Some([i64::MAX, i64::MIN][at % 2]),
                operation: [1, 2, 5, 6, 8][at % 5],
                ..row
            });
            *table = Table::from_rows(rows.collect::<Vec<_>>());
        }
    }
    let main = ThreadId(0);
    for call in [0, 1, 2, 24, 42, 217, 262] {
        trace.calls(main, (call, 0), i64::MAX, Some(i64::MAX), i64::MAX / MS);
        trace.calls(main, (call, 2), i64::MAX, Some(i64::MAX), i64::MAX / MS);
    }
    let _text = explain_pid(&trace, 100);
}

#[test]
fn small_reads_one_after_the_other_are_told_from_many_at_a_time_and_large_ones() {
    says(
        &explain_pid(&disk_reads(1, 16 << 10, in_order), 100),
        &[
            "It read from the disk piece by piece, one read after the other: 90 % of the time",
            "100 reads went to the disk, 16 kB on average, and took 9 ms each; only one was under way at a time.",
            "Ask for several parts at once",
        ],
    );
    // Nobody changes how a program that others wrote reads.
    let mut trace = disk_reads(1, 16 << 10, in_order);
    for module in &mut trace.modules {
        module.path = format!("/usr/bin/{}", module.name);
    }
    says(&explain_pid(&trace, 100), &["A second run shows"]);
    let large = disk_reads(1, 1 << 20, at_random);
    for other in [disk_reads(4, 16 << 10, in_order), large] {
        let answer = explain_pid(&other, 100);
        says(
            &answer,
            &["It read data that was not in memory: 90 % of the time"],
        );
        assert!(!answer.contains("at once"), "{answer}");
    }
}

#[test]
fn small_reads_at_random_offsets_are_told_from_reads_in_order() {
    says(
        &explain_pid(&disk_reads(1, 4 << 10, at_random), 100),
        &[
            "It read small pieces from the disk at random offsets, one after the other: 90 % of the time",
            "100 reads went to the disk, 4 kB on average, and took 9 ms each; only one was under way at a time.",
            "Sort the reads by offset",
        ],
    );
    says(
        &explain_pid(&disk_reads(4, 4 << 10, at_random), 100),
        &[
            "It read small pieces from the disk at random offsets: 90 % of the time",
            "400 reads went to the disk, 4 kB on average, and took 9 ms each.",
        ],
    );
    // One that starts from the beginning now and then reads in order, and so does one that reads backwards within
    // what the system reads at once.
    let rounds = |at: i64| in_order(at % 20);
    let nearby = |at: i64| at * 7919 % 100 * 4096;
    for other in [
        disk_reads(1, 4 << 10, rounds),
        disk_reads(1, 4 << 10, nearby),
    ] {
        let answer = explain_pid(&other, 100);
        assert!(!answer.contains("random"), "{answer}");
    }
}
