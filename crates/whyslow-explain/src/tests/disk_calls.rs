//! What is said of waits for the disk that show in other calls than reads and writes.

use whyslow_model::tables::{DiskIoRow, FileCallRow, FileRow};
use whyslow_model::{DiskOperation, FileId, FileOperation, Named, Table};

use super::*;

fn cause(trace: &Literal) -> Finding {
    findings(trace, 100).into_iter().next().expect("a finding")
}

#[test]
fn waits_for_a_ring_are_for_the_disk_while_it_has_requests_there() {
    let asks = |requests: i64, is_own: bool| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let other = trace.thread(app, "writer");
        trace.stack(
            "ring",
            "k:io_cqring_wait < k:__do_sys_io_uring_enter < syscall < verify < main",
        );
        trace.play(main, &"R1 W9:ring<! ".repeat(100));
        let row = |at: i64| DiskIoRow {
            issue_ns: (at * 10 + 1) * MS,
            process: Some(app),
            thread: Some(if is_own { main } else { other }),
            duration_ns: Some(9 * MS),
            service_ns: None,
            disk: Some(254 << 20),
            operation: DiskOperation::Read.code(),
            offset_bytes: None,
            size_bytes: Some(4096),
            result: Some(0),
            flags: 0,
            priority: None,
            stack: None,
            file: None,
            queued_ns: None,
        };
        let rows: Vec<DiskIoRow> = (0..requests).map(row).collect();
        trace.tables.push(Table::from_rows(rows));
        trace
    };
    assert_eq!(cause(&asks(100, true)).cause, "disk");
    let answer = explain_pid(&asks(100, true), 100);
    says(&answer, &["It waited for the disk: 90 % of the time"]);
    // Most of its waits were for something else.
    assert_eq!(cause(&asks(10, true)).cause, "io-uring");
    // Another thread made the requests.
    assert_eq!(cause(&asks(100, false)).cause, "io-uring");
}

#[test]
fn a_file_that_is_written_anew_again_and_again_waits_for_its_last_version() {
    let saved = |opened: i64, kernel: &str| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack(
            "truncate",
            &format!("k:folio_wait_bit_common < k:truncate_inode_pages_range < k:ext4_setattr < k:notify_change < k:{kernel} < k:do_sys_openat2 < k:__x64_sys_openat < open < save < main"),
        );
        trace.stack(
            "close",
            "k:ext4_release_file < k:__x64_sys_close < close < save < main",
        );
        trace.play(main, &"R4 D6:truncate<! ".repeat(100));
        trace.sample(
            main,
            &(0..400).map(|at| at / 4 * 10 + at % 4).collect::<Vec<_>>(),
            "close",
        );
        let file = FileRow {
            id: FileId::from_index(0).expect("few"),
            path: "/srv/import.state".to_owned(),
            inode: None,
            device: None,
            kind: None,
            file_system: None,
            flags: 0,
        };
        let row = |operation: FileOperation, ms: i64| FileCallRow {
            from_ns: 0,
            process: Some(app),
            thread: Some(main),
            duration_ns: 1000 * MS,
            file: Some(file.id),
            operation: operation.code(),
            result: 0,
            flags: 0,
            count: opened,
            bytes: None,
            time_ns: Some(ms * MS),
            longest_ns: Some(MS),
            timed_count: opened,
        };
        let rows = vec![row(FileOperation::Open, 650), row(FileOperation::Write, 50)];
        trace.tables.push(Table::from_rows(vec![file]));
        trace.tables.push(Table::from_rows(rows));
        trace
    };
    let found = cause(&saved(5000, "do_truncate"));
    assert_eq!(found.cause, "disk");
    assert_eq!(found.fact("opened"), Some(&Value::Count(5000)));
    // The CPU time of the calls belongs to it.
    assert!(found.wall_ns >= 950 * MS, "{found:?}");
    let answer = explain_pid(&saved(5000, "do_truncate"), 100);
    let words = "It opened /srv/import.state 5000 times, and mostly waited";
    says(&answer, &[words]);
    assert!(!explain_pid(&saved(100, "do_truncate"), 100).contains("earlier contents"));
    // It waited for something else while it opened the file.
    assert!(!explain_pid(&saved(5000, "path_openat"), 100).contains("earlier contents"));
}

#[test]
fn who_provides_the_pages_of_another_thread_takes_turns_with_it() {
    let mut trace = Literal::new(3000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 3000));
    let restorer = trace.thread(app, "restorer");
    trace.start(restorer, 0);
    trace.stack(
        "touch",
        "k:handle_userfault < k:do_anonymous_page < k:handle_mm_fault < k:exc_page_fault < step < main",
    );
    trace.stack(
        "next",
        "k:userfaultfd_read_iter < k:vfs_read < read < restore < start_thread",
    );
    trace.play(
        main,
        &"R1 W1:touch<restorer r1:touch<restorer ".repeat(1000),
    );
    trace.play(restorer, &"W1:next<app R1 r1:next<app ".repeat(1000));
    let all = findings(&trace, 100);
    let causes: Vec<_> = all.iter().map(|one| one.cause.as_str()).collect();
    assert!(causes.contains(&"hand-over"), "{causes:?}");
}

#[test]
fn who_lists_folders_while_it_starts_waits_for_its_start() {
    let cause_in = |caller: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "python3", 100, None, (0, 1000));
        let reads = "k:io_schedule < k:ext4_bread";
        trace.stack("list", &format!("{reads} < {caller} < main"));
        for module in &mut trace.modules {
            if module.name == "libpython3.so" {
                module.path = "/usr/lib/libpython3.so".to_owned();
            }
        }
        trace.play(main, "R100 D800:list<! R100");
        cause(&trace).cause
    };
    assert_eq!(cause_in("k:ext4_readdir < list_tides"), "disk");
    // It only ends.
    assert_eq!(cause_in("k:evict < k:__fput < k:do_exit < _exit"), "disk");
    let starts =
        "k:ext4_readdir < libpython3.so!addsitedir < libpython3.so!Py_InitializeFromConfig";
    assert_eq!(cause_in(starts), "startup");
}
