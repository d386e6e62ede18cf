//! What is said of another process that keeps the disk busy.

use whyslow_model::tables::{DiskIoRow, FileCallRow, FileRow};
use whyslow_model::{DiskOperation, FileId, FileOperation, Named, Table, TableRow as _};

use super::connections::causes_of;
use super::*;

const DISK: i32 = 254 << 20;

/// A request to a disk.
fn request(
    process: Option<ProcessId>,
    (issue_ms, ms): (i64, i64),
    (operation, bytes): (DiskOperation, i64),
) -> DiskIoRow {
    DiskIoRow {
        issue_ns: issue_ms * MS,
        process,
        thread: None,
        duration_ns: Some(ms * MS),
        service_ns: None,
        disk: Some(DISK),
        operation: operation.code(),
        offset_bytes: None,
        size_bytes: Some(bytes),
        result: Some(0),
        flags: 0,
        priority: None,
        stack: None,
        file: None,
        queued_ns: None,
    }
}

/// A program that reads from a disk 100 times, each for `read_ms(at)`, and the requests of others.
fn reads(read_ms: impl Fn(i64) -> i64, others: impl Fn(&mut Literal) -> Vec<DiskIoRow>) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "read",
        "k:folio_wait_bit_common < k:filemap_get_pages < k:vfs_read < pread < look_up < main",
    );
    trace.play(main, &"R1 D9:read<! ".repeat(100));
    let of_app = |at| {
        request(
            Some(app),
            (at * 10 + 1, read_ms(at)),
            (DiskOperation::Read, 4096),
        )
    };
    let mut rows: Vec<DiskIoRow> = (0..100).map(of_app).collect();
    rows.extend(others(&mut trace));
    trace.tables.push(Table::from_rows(rows));
    trace
}

/// A process that reads 1 MB after the other from `from_ms` on.
fn copier(trace: &mut Literal, from_ms: i64) -> Vec<DiskIoRow> {
    let (id, thread) = process(trace, "cp", 200, None, (0, 1000));
    trace.play(thread, "R1000");
    let all = (from_ms / 10..100).map(|at| (at * 10, 10));
    let large = (DiskOperation::Read, 1 << 20);
    all.map(|span| request(Some(id), span, large)).collect()
}

#[test]
fn who_keeps_the_disk_busy_is_named_below_the_waits() {
    let slower = |at: i64| if at < 40 { 2 } else { 9 };
    says(
        &explain_pid(&reads(slower, |trace| copier(trace, 400)), 100),
        &[
            "It read data that was not in memory: 90 % of the time",
            "below: cp(200) used the same disk while app waited for it: 54 % of the time  likely",
            "During this time, cp(200) made 60 of the 160 requests to disk 254:0, and 63 MB of 63 MB were for it.",
            "A request from app typically took 9 ms while cp(200) used the disk, and 2 ms otherwise.",
        ],
    );
    // Several processes of one program use it together.
    let both = |trace: &mut Literal| {
        let (second, _) = process(trace, "cp", 201, None, (0, 1000));
        let mut rows = copier(trace, 400);
        for row in rows.iter_mut().step_by(2) {
            row.process = Some(second);
        }
        rows
    };
    says(
        &explain_pid(&reads(slower, both), 100),
        &["below: cp (2 processes) used the same disk while app waited for it: 54 %"],
    );
    // With nothing to compare it with, it is only likely.
    says(
        &explain_pid(&reads(|_| 9, |trace| copier(trace, 0)), 100),
        &["cp(200) used the same disk while app waited for it: 90 % of the time  likely"],
    );
}

#[test]
fn requests_of_others_without_a_completion_last_until_their_next_one() {
    let unseen = |trace: &mut Literal| {
        let rows = copier(trace, 400).into_iter();
        let rows = rows.map(|row| DiskIoRow {
            duration_ns: None,
            ..row
        });
        rows.collect()
    };
    let slower = |at: i64| if at < 40 { 2 } else { 9 };
    says(
        &explain_pid(&reads(slower, unseen), 100),
        &[
            "used the same disk while app waited for it: 53 % of the time  likely",
            "A request from app typically took 9 ms while cp(200) used the disk, and 2 ms otherwise.",
        ],
    );
    let causes = causes_of(&reads(|_| 9, unseen));
    assert!(!causes.contains(&"busy-disk".to_owned()), "{causes:?}");
}

#[test]
fn who_does_not_slow_the_disk_or_uses_little_of_it_is_not_blamed() {
    let blamed = |trace: Literal| causes_of(&trace).contains(&"busy-disk".to_owned());
    let slower = |at: i64| if at < 40 { 2 } else { 9 };
    assert!(blamed(reads(slower, |trace| copier(trace, 400))));
    // Requests take as long as without it.
    assert!(!blamed(reads(|_| 9, |trace| copier(trace, 400))));
    // It comes after they began: long requests meet it more often.
    let late = |at: i64| if at % 2 == 0 { 9 } else { 2 };
    let often = |trace: &mut Literal| {
        let (id, thread) = process(trace, "cp", 200, None, (0, 1000));
        trace.play(thread, "R1000");
        let large = (DiskOperation::Read, 1 << 20);
        let all = (0..100).map(|at| (at * 10 + 4, 6));
        all.map(|span| request(Some(id), span, large)).collect()
    };
    assert!(!blamed(reads(late, often)));
    // It is there for a fifth of the time.
    assert!(!blamed(reads(slower, |trace| copier(trace, 800))));
    // It is at another disk.
    assert!(!blamed(reads(slower, |trace| {
        let mut rows = copier(trace, 400);
        rows.iter_mut().for_each(|row| row.disk = Some(DISK + 16));
        rows
    })));
}

#[test]
fn what_is_written_back_is_of_who_wrote_it() {
    let written = |bytes: i64| {
        let slower = |at: i64| if at < 40 { 2 } else { 9 };
        let mut trace = reads(slower, |trace| {
            let (id, thread) = process(trace, "kworker/u8:1", 20, None, (0, 1000));
            trace.processes[id.index()].is_kernel = 1;
            trace.play(thread, "W1000");
            let all = (40..100).map(|at| (at * 10, 10));
            let large = (DiskOperation::Write, 1 << 20);
            all.map(|span| request(Some(id), span, large)).collect()
        });
        let (id, thread) = process(&mut trace, "tar", 200, None, (0, 1000));
        trace.play(thread, "R1000");
        let row = |process, thread, bytes| FileCallRow {
            from_ns: 10 * MS,
            process: Some(process),
            thread: Some(thread),
            duration_ns: 900 * MS,
            operation: FileOperation::Write.code(),
            count: 60,
            bytes: Some(bytes),
            ..FileCallRow::unknown()
        };
        let (app, main) = (ProcessId(0), ThreadId(0));
        let rows = vec![row(id, thread, bytes), row(app, main, 10 << 20)];
        trace.tables.push(Table::from_rows(rows));
        trace
    };
    says(
        &explain_pid(&written(60 << 20), 100),
        &["tar(200) used the same disk while app waited for it"],
    );
    // It depends on where it wrote to.
    let elsewhere = |device: i32| {
        let mut trace = written(60 << 20);
        for table in &mut trace.tables {
            if table.schema == FileCallRow::SCHEMA {
                let rows = table.rows::<FileCallRow>().map(|row| FileCallRow {
                    file: FileId::from_index(0),
                    ..row
                });
                *table = Table::from_rows(rows.collect::<Vec<_>>());
            }
        }
        let file = FileRow {
            id: FileId::from_index(0).expect("few"),
            path: "/srv/a".to_owned(),
            inode: Some(1),
            device: Some(device),
            kind: Some("file".to_owned()),
            file_system: None,
            flags: 0,
        };
        trace.tables.push(Table::from_rows(vec![file]));
        causes_of(&trace).contains(&"busy-disk".to_owned())
    };
    // A part of a disk, and a file system in memory.
    assert!(elsewhere(DISK) && elsewhere(DISK + 2) && !elsewhere(30));
    // The program itself wrote most of it, or much.
    for bytes in [5 << 20, 20 << 20] {
        assert!(!causes_of(&written(bytes)).contains(&"busy-disk".to_owned()));
    }
}
