//! What is said about programs that look for a file until it is there, or until a lock on it is free.

use whyslow_model::tables::{FileCallRow, FileRow, SingleFileCallRow};
use whyslow_model::{FileId, FileOperation, Named, Table, TableRow};

use super::*;

const FCNTL: i32 = 72;
const NEWFSTATAT: i32 = 262;
const WRITE: i32 = 1;
const ENOENT: i32 = 2;
const EAGAIN: i32 = 11;

/// Who did what with which of the files, what it ended with, and how often.
pub(super) type Done = (ProcessId, ThreadId, FileOperation, (usize, i32), i64);

pub(super) fn did(trace: &mut Literal, paths: &[String], done: &[Done]) {
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
    let stat = "k:vfs_statx < k:__do_sys_newfstatat < libc.so.6!stat";
    trace.stack("stat", &format!("{stat} < await_label < main < _start"));
    trace.stack("compute", "compute < main < _start");
    trace.play(main, "R1000");
    trace.sample(main, &(0..looks_ms).collect::<Vec<_>>(), "stat");
    trace.sample(main, &(looks_ms..1000).collect::<Vec<_>>(), "compute");
    // Entering and leaving the kernel is not in the time of the calls.
    let call_ms = looks_ms / 10 * 4;
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

#[test]
fn who_makes_what_is_not_there_does_not_search() {
    let causes = |looks: i64, made: usize, others: usize| {
        let (mut trace, app, main) = looking(1000, 10);
        let paths = (0..5000 + others).map(|at| format!("/srv/copy-{at}"));
        let paths: Vec<String> = paths.collect();
        let reads = (5000..paths.len()).map(|at| (app, main, FileOperation::Read, (at, 0), 1));
        let files = 0..5000;
        let done = files.flat_map(|at| {
            let looked = (app, main, FileOperation::Stat, (at, ENOENT), looks);
            let makes = (app, main, FileOperation::Open, (at, 0), 1);
            [looked, makes]
                .into_iter()
                .take(if at % 5 < made { 2 } else { 1 })
        });
        let done = done.chain(reads);
        did(&mut trace, &paths, &done.collect::<Vec<Done>>());
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    let searches = |causes: Vec<String>| causes.contains(&"search-path".to_owned());
    assert!(!searches(causes(1, 5, 0)));
    assert!(searches(causes(1, 2, 0)), "most of it is made by nobody");
    let often = "it looks for each again and again";
    assert!(searches(causes(20, 5, 0)), "{often}");
    // What else it reads was never looked for.
    assert!(searches(causes(20, 5, 50_000)), "{often}");
}

/// How a program asked about files: the end of their names, the result, and how many files.
type Asked = (&'static str, i32, i64);

/// Explains a program that loads 100 modules from 100 folders and asks about each folder `asks` times. It also asks
/// about other files, in the same thread or in another one.
fn loads(asks: i64, others: &[Asked], other_thread: i64) -> String {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let worker = trace.thread(app, "worker");
    let loads = "libc.so.6!stat < libc.so.6!import_find_and_load < load < main < _start";
    trace.stack("load", loads);
    trace.play(main, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "load");
    let mut paths: Vec<String> = Vec::new();
    let mut done: Vec<Done> = Vec::new();
    let mut add = |path: String, thread, calls: &[(FileOperation, i32, i64)]| {
        for &(operation, result, count) in calls {
            done.push((app, thread, operation, (paths.len(), result), count));
        }
        paths.push(path);
    };
    for at in 0..100 {
        let folder = format!("/srv/add-on-{at}");
        let module = format!("{folder}/tool.py");
        add(folder, main, &[(FileOperation::Stat, 0, asks)]);
        add(module, main, &[(FileOperation::Open, 0, 1)]);
    }
    for &(ending, result, files) in others {
        for at in 0..files {
            let path = format!("/home/ann/photo-{at}{ending}");
            add(path, main, &[(FileOperation::Stat, result, 1)]);
        }
    }
    for at in 0..other_thread {
        let path = format!("/srv/add-on-{at}");
        add(path, worker, &[(FileOperation::Access, 0, 100)]);
    }
    did(&mut trace, &paths, &done);
    explain_pid(&trace, 100)
}

#[test]
fn a_long_search_for_modules_is_named_with_its_folders() {
    let told = [
        "It loaded modules: 100 % of the time",
        "It checked /srv/add-on-* 40000 times, and opened 100 modules.",
        "Shorten the module search path",
    ];
    says(&loads(400, &[], 0), &told);
    says(&loads(400, &[(".jpg", 0, 6000)], 0), &told);
    assert!(!loads(15, &[], 0).contains("It asked"));
}

#[test]
fn what_else_is_asked_about_is_no_search_for_modules() {
    let is_search = |answer: &str| answer.contains("It asked") || answer.contains("Shorten");
    // Files of the user's, modules or not, after few modules were loaded.
    for others in [(".jpg", 0, 6000), (".jpg", ENOENT, 6000), (".py", 0, 6000)] {
        let answer = loads(15, &[others], 0);
        assert!(!is_search(&answer), "{answer}");
    }
    // It asks about other files as often, so nothing shows which questions cost the time.
    let answer = loads(60, &[(".jpg", 0, 6000)], 0);
    assert!(!is_search(&answer), "{answer}");
    // Another thread asks, which loads nothing.
    let answer = loads(15, &[], 100);
    assert!(!is_search(&answer), "{answer}");
}

#[test]
fn what_one_thread_does_for_the_other_in_each_turn_is_named() {
    let answer = |reads: i64| {
        let mut trace = habits::turns("pthread_cond_wait");
        let consumer = ThreadId::from_index(1).expect("few");
        let app = ProcessId::from_index(0).expect("few");
        let done = (app, consumer, FileOperation::Read, (0, 0), reads);
        did(&mut trace, &["/srv/diary.txt".to_owned()], &[done]);
        explain_pid(&trace, 100)
    };
    let told = "About once per turn, app/consumer(1001) read from /srv/diary.txt.";
    says(&answer(1100), &[told]);
    assert!(!answer(100).contains(told));
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

/// Who else locks and unlocks a file: name, process, whether of the command, from when to when it lived.
type Locker = (&'static str, i32, bool, (i64, i64));

/// What is said about a program that finds a file locked.
fn finds_locked(lockers: &[Locker]) -> String {
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
    for &(name, pid, is_inside, life) in lockers {
        let parent = is_inside.then_some(app);
        let (other, its_main) = process(&mut trace, name, pid, parent, life);
        done.push((other, its_main, FileOperation::Lock, (0, 0), 1));
    }
    let paths = ["/srv/shop.db".to_owned(), "/srv/feed".to_owned()];
    did(&mut trace, &paths, &done);
    explain_pid(&trace, 100)
}

const ALWAYS: (i64, i64) = (0, 1000);
const REPORT: Locker = ("report", 200, false, ALWAYS);
const WORKER: Locker = ("worker", 300, true, ALWAYS);

#[test]
fn a_file_that_is_found_locked_again_and_again_is_named_with_who_else_locks_it() {
    // An unlock looks the same in a recording: nobody is said to have had the lock.
    let told = [
        "It found /srv/shop.db locked, slept, and tried again, 10 times: 90 % of the time  likely",
        "report(200) is the only other program that ran then and was seen to lock or unlock it.",
    ];
    says(&finds_locked(&[REPORT]), &told);
    let several = finds_locked(&[REPORT, ("backup", 201, false, ALWAYS)]);
    says(&several, &told[..1]);
    assert!(!several.contains("is the only"), "{several}");
}

#[test]
fn who_did_not_run_while_the_file_was_found_locked_did_not_have_the_lock() {
    let ended = ("worker", 300, true, (0, 50));
    let late = ("backup", 201, false, (900, 1000));
    let told = "report(200) is the only other program that ran then";
    says(&finds_locked(&[REPORT, ended, late]), &[told]);
    let answer = finds_locked(&[ended, late]);
    assert!(!answer.contains("is the only"), "{answer}");
}

#[test]
fn a_process_of_the_same_command_may_have_the_lock_too() {
    let told = "worker(300) is the only other program";
    says(&finds_locked(&[WORKER]), &[told]);
    let told = "report(200) is the only program outside this command that ran then";
    says(&finds_locked(&[REPORT, WORKER]), &[told]);
}

#[test]
fn who_starts_a_program_looks_for_it_in_several_folders() {
    let causes = |child: &str, folders: &[&str]| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        process(&mut trace, child, 101, Some(app), (10, 990));
        trace.stack("nap", "k:do_nanosleep < k:hrtimer_nanosleep < nap < main");
        trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
        trace.play(main, &"R10 W90:nap<!@timer ".repeat(10));
        trace.calls_from((main, 500), (NEWFSTATAT, ENOENT), 20, None, 1);
        let paths: Vec<String> = folders.iter().map(|path| format!("{path}/sort")).collect();
        let done = |at| (app, main, FileOperation::Stat, (at, ENOENT), 10);
        did(
            &mut trace,
            &paths,
            &(0..paths.len()).map(done).collect::<Vec<_>>(),
        );
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    let several = ["/opt/tools", "/usr/local/bin"];
    assert_eq!(causes("sort", &several), ["sleep"]);
    assert_eq!(causes("sort", &["/usr/local/bin"]), ["sleep"]);
    assert_eq!(causes("other", &several)[0], "poll-loop");
    // It waits until the program it started has made a file of its own name.
    assert_eq!(causes("sort", &["/run"])[0], "poll-loop");
}

#[test]
fn who_talks_to_another_program_after_each_sleep_does_not_wait_for_a_file() {
    let causes = |talks: i64| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
        trace.stack(
            "nap",
            "k:do_nanosleep < k:__x64_sys_clock_nanosleep < nap < ask < main",
        );
        trace.play(main, &"R5 W95:nap<!@timer R25 ".repeat(8));
        // A library looks for settings each time it is to send something.
        trace.calls(main, (NEWFSTATAT, ENOENT), 8, None, 1);
        trace.calls(main, (44, 0), talks, Some(talks * 100), 1);
        trace.calls(main, (45, 0), talks, Some(talks * 100), 1);
        let path = "/home/me/_netrc".to_owned();
        did(
            &mut trace,
            &[path],
            &[(app, main, FileOperation::Stat, (0, ENOENT), 8)],
        );
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    assert!(causes(0).contains(&"poll-loop".to_owned()));
    assert_eq!(causes(8)[0], "sleep");
    assert!(!causes(8).contains(&"poll-loop".to_owned()));
}

#[test]
fn who_looked_for_a_file_before_it_slept_did_not_check_again() {
    let causes = |times: Vec<i64>| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.stack("nap", "k:do_nanosleep < k:hrtimer_nanosleep < nap < main");
        trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
        trace.play(main, &"R10 W90:nap<!@timer ".repeat(10));
        trace.calls_from((main, 500), (NEWFSTATAT, ENOENT), 10, None, 1);
        let path = "/t/ready".to_owned();
        let done = [(app, main, FileOperation::Stat, (0, ENOENT), 10)];
        did(&mut trace, &[path], &done);
        let looks = times.into_iter().map(|ms| SingleFileCallRow {
            start_ns: ms * MS,
            process: Some(app),
            thread: Some(main),
            file: FileId::from_index(0),
            operation: FileOperation::Stat.code(),
            result: ENOENT,
            ..SingleFileCallRow::unknown()
        });
        trace.tables.push(Table::from_rows(looks));
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).collect::<Vec<_>>()
    };
    let checks = (0..10).map(|at| at * 100 + 5).collect();
    assert_eq!(causes(checks)[0], "poll-loop");
    assert_eq!(causes((0..10).collect()), ["sleep"]);
}

/// A tool runs ten times, one run after the other. Each run finds a file locked for 90 ms; the runs use `files` files in
/// turn. Returns the time of each finding, and how many tries it counts.
fn tools_find_locked(files: usize) -> Vec<(i64, Option<Value>)> {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("nap", "k:do_nanosleep < clock_nanosleep < enter < main");
    trace.stack("wait", "k:do_wait < k:__x64_sys_wait4 < wait4 < main");
    let mut done: Vec<Done> = Vec::new();
    for nth in 0..10_i32 {
        let from = i64::from(nth) * 100;
        let life = (from, from + 100);
        let (tool, its_main) = process(&mut trace, "tool", 200 + nth, Some(app), life);
        trace.threads[its_main.index()].name = Some(format!("tool-{nth}"));
        trace.play(its_main, &"R1 W18:nap<! ".repeat(5));
        trace.play(its_main, "R5");
        trace.calls(its_main, (FCNTL, EAGAIN), 5, None, 1);
        let file = usize::try_from(nth).expect("a number") % files;
        done.push((tool, its_main, FileOperation::Lock, (file, EAGAIN), 5));
    }
    for nth in 0..10 {
        trace.play(main, &format!("W99:wait<tool-{nth} R1"));
    }
    let paths: Vec<String> = (0..files)
        .map(|nth| format!("/srv/shop-{nth}.db"))
        .collect();
    did(&mut trace, &paths, &done);
    let all = findings(&trace, 100).into_iter();
    let locks = all.filter(|one| one.cause == "file-lock");
    locks
        .map(|one| (one.wall_ns / MS, one.fact("tries").cloned()))
        .collect()
}

#[test]
fn processes_of_one_program_that_find_the_same_file_locked_are_one_finding() {
    let tries = |count| Some(Value::Count(count));
    assert_eq!(tools_find_locked(1), [(900, tries(50))]);
    // Each of two files has its own.
    assert_eq!(tools_find_locked(2), [(450, tries(25)), (450, tries(25))]);
    // Each alone is hardly anything.
    assert_eq!(tools_find_locked(10), []);
}
