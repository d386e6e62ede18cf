//! What is said of programs that look for a file until it is there, or until a lock on it is free.

use whyslow_model::tables::{FileCallRow, FileRow};
use whyslow_model::{FileId, FileOperation, Named, Table};

use super::*;

const FCNTL: i32 = 72;
const NEWFSTATAT: i32 = 262;
const WRITE: i32 = 1;
const ENOENT: i32 = 2;
const EAGAIN: i32 = 11;

/// Who did what with which of the files, what it ended with, and how often.
type Done = (ProcessId, ThreadId, FileOperation, (usize, i32), i64);

fn did(trace: &mut Literal, paths: &[String], done: &[Done]) {
    let id = |at: usize| FileId::from_index(at).expect("few");
    let names = paths.iter().enumerate().map(|(at, path)| FileRow {
        id: id(at),
        path: path.clone(),
        inode: None,
        device: None,
        kind: None,
        file_system: None,
        flags: 0,
    });
    let calls =
        done.iter().map(
            |&(process, thread, operation, (file, result), count)| FileCallRow {
                from_ns: 0,
                process: Some(process),
                thread: Some(thread),
                duration_ns: 1000 * MS,
                file: Some(id(file)),
                operation: operation.code(),
                result,
                flags: 0,
                count,
                bytes: None,
                time_ns: Some(MS),
                longest_ns: Some(MS),
                timed_count: count,
            },
        );
    trace.tables.push(Table::from_rows(names));
    trace.tables.push(Table::from_rows(calls));
}

/// A program that asks for 100,000 files that are not there, each of `names` as often; and writes.
fn looks(names: usize, writes: i64) -> Vec<Finding> {
    let paths: Vec<String> = (0..names).map(|at| format!("/srv/label-{at}")).collect();
    looks_for(&paths, writes)
}

fn looks_for(paths: &[String], writes: i64) -> Vec<Finding> {
    let (mut trace, app, main) = looking(1000, writes);
    let each = i64::try_from(100_000 / paths.len()).expect("few");
    let files = 0..paths.len();
    let done = files.map(|at| (app, main, FileOperation::Stat, (at, ENOENT), each));
    did(&mut trace, paths, &done.collect::<Vec<Done>>());
    findings(&trace, 100)
}

/// A program that looks for files for part of a second, computes for the rest, and writes.
fn looking(looks_ms: i64, writes: i64) -> (Literal, ProcessId, ThreadId) {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("stat", "k:vfs_statx < stat < await_label < main < _start");
    trace.stack("compute", "compute < main < _start");
    trace.play(main, "R1000");
    trace.sample(main, &(0..looks_ms).collect::<Vec<_>>(), "stat");
    trace.sample(main, &(looks_ms..1000).collect::<Vec<_>>(), "compute");
    let call_ms = looks_ms / 10 * 9;
    trace.calls(main, (NEWFSTATAT, ENOENT), 100_000, None, call_ms);
    trace.calls(main, (WRITE, 0), writes, Some(writes * 5000), 5);
    (trace, app, main)
}

#[test]
fn who_looks_for_the_same_file_without_a_pause_waits_for_it() {
    let causes = |names, writes| {
        let all = looks(names, writes).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    assert_eq!(causes(1, 10)[0], "spin");
    assert_eq!(causes(9, 10)[0], "spin");
    // It searches, or has something else to do.
    assert_eq!(causes(10_000, 10)[0], "search-path");
    assert_eq!(causes(1, 50_000)[0], "search-path");
    let in_folders = (0..9).map(|at| format!("/srv/plugins-{at}/codec.so"));
    let in_folders: Vec<String> = in_folders.collect();
    assert_eq!(looks_for(&in_folders, 10)[0].cause, "search-path");
    assert_eq!(causes(40, 10)[0], "search-path");
    let all = looks(3, 10);
    let Some(Value::Path { full, .. }) = all[0].fact("object") else {
        panic!("{all:?}");
    };
    assert!(full.starts_with("/srv/label-"), "{full}");
}

/// How often it looked for a file, if it is said to have waited for it.
fn looks_told(trace: &Literal) -> Option<Value> {
    let mut all = findings(trace, 100).into_iter();
    let spin = all.find(|one| one.cause == "spin")?;
    spin.fact("count").cloned()
}

#[test]
fn who_computes_between_its_looks_does_not_wait() {
    let told = |looks_ms: i64| {
        let (mut trace, app, main) = looking(looks_ms, 10);
        let done = (app, main, FileOperation::Stat, (0, ENOENT), 100_000);
        did(&mut trace, &["/etc/localtime".to_owned()], &[done]);
        looks_told(&trace)
    };
    assert!(told(900).is_some());
    assert_eq!(told(150), None);
}

#[test]
fn what_else_is_looked_for_is_not_counted() {
    let labels = ["/srv/label-0".to_owned()];
    // A thread that also does other things.
    let (mut trace, app, main) = looking(1000, 10);
    let other = trace.thread(app, "other");
    trace.play(other, "R1000");
    trace.calls(other, (NEWFSTATAT, ENOENT), 90_000, None, 300);
    trace.calls(other, (WRITE, 0), 90_000, Some(90_000), 300);
    let done = (app, main, FileOperation::Stat, (0, ENOENT), 100_000);
    did(&mut trace, &labels, &[done]);
    assert_eq!(looks_told(&trace), Some(Value::Count(100_000)));
    // Files that are not known by name.
    let told = |unknown: i64| {
        let (mut trace, app, main) = looking(1000, 10);
        let looks = [(0, 100_000 - unknown), (1, unknown)];
        let done =
            looks.map(|(file, count)| (app, main, FileOperation::Stat, (file, ENOENT), count));
        did(&mut trace, &labels, &done);
        looks_told(&trace)
    };
    assert!(told(1000).is_some());
    assert_eq!(told(40_000), None);
}

/// What is said of a program that finds a file locked; who else does what with its locks, outside the command or in
/// it.
fn finds_locked(others: i32, siblings: i32) -> String {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("nap", "k:do_nanosleep < clock_nanosleep < update < main");
    trace.play(main, &"R10 W90:nap<! ".repeat(10));
    trace.calls(main, (FCNTL, EAGAIN), 10, None, 1);
    let mut done: Vec<Done> = vec![
        (app, main, FileOperation::Lock, (0, EAGAIN), 10),
        (app, main, FileOperation::Lock, (0, 0), 1),
        // Another one of its calls that would have had to wait.
        (app, main, FileOperation::Read, (1, EAGAIN), 15),
    ];
    let outside = (200..200 + others).map(|pid| ("report", pid, None));
    let inside = (300..300 + siblings).map(|pid| ("worker", pid, Some(app)));
    for (name, pid, parent) in outside.chain(inside) {
        let (other, its_main) = process(&mut trace, name, pid, parent, (0, 1000));
        done.push((other, its_main, FileOperation::Lock, (0, 0), 1));
    }
    let paths = ["/srv/shop.db".to_owned(), "/srv/feed".to_owned()];
    did(&mut trace, &paths, &done);
    explain_pid(&trace, 100)
}

#[test]
fn a_file_that_is_found_locked_again_and_again_is_named_with_who_else_locks_it() {
    // An unlock looks the same in a recording: nobody is said to have had the lock.
    let told = [
        "It found /srv/shop.db locked, slept, and tried again, 10 times: 90 % of the time  likely",
        "report(200) is the only other program that was seen to lock or unlock it while this was",
    ];
    says(&finds_locked(1, 0), &told);
    says(&finds_locked(2, 0), &told[..1]);
    assert!(!finds_locked(2, 0).contains("the only other"));
}

#[test]
fn a_process_of_the_same_command_may_have_the_lock_too() {
    assert!(!finds_locked(1, 1).contains("the only other"));
    let answer = finds_locked(0, 1);
    says(&answer, &["worker(300) is the only other program"]);
}
