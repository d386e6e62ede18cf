//! What is said about a file that is opened again and again.

use whyslow_model::tables::{FileCallRow, FileRow, SingleFileCallRow};
use whyslow_model::{FileId, FileOperation, Named, Table, TableRow};

use super::*;

const CLOSE: i32 = 3;
const MMAP: i32 = 9;
const MUNMAP: i32 = 11;
const OPENAT: i32 = 257;
const NEWFSTATAT: i32 = 262;
const RENAME: i32 = 82;

/// A program that computes for a second and uses `/t/words` so often meanwhile, for so many milliseconds each.
fn uses(operations: &[(FileOperation, i64, i64)], calls: &[(i32, i64, i64)]) -> Literal {
    uses_in("look_up < main", operations, calls)
}

/// The same of one that computes there.
pub(super) fn uses_in(
    stack: &str,
    operations: &[(FileOperation, i64, i64)],
    calls: &[(i32, i64, i64)],
) -> Literal {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("work", stack);
    trace.play(main, "R1000");
    trace.sample(main, &(0..1000).collect::<Vec<_>>(), "work");
    for &(call, count, ms) in calls {
        trace.calls(main, (call, 0), count, None, ms);
    }
    let id = FileId::from_index(0).expect("few");
    trace.tables.push(Table::from_rows([FileRow {
        id,
        path: "/t/words".to_owned(),
        inode: None,
        device: None,
        kind: Some("file".to_owned()),
        file_system: None,
        flags: 0,
    }]));
    let rows = operations
        .iter()
        .map(|&(operation, count, ms)| FileCallRow {
            from_ns: 0,
            process: Some(app),
            thread: Some(main),
            duration_ns: 1000 * MS,
            file: Some(id),
            operation: operation.code(),
            result: 0,
            flags: 0,
            count,
            bytes: None,
            time_ns: Some(ms * MS),
            longest_ns: Some(MS.min(ms * MS)),
            timed_count: count,
        });
    trace.tables.push(Table::from_rows(rows));
    trace
}

#[test]
fn a_file_that_is_mapped_each_time_costs_the_unmapping_too() {
    let operations = [
        (FileOperation::Open, 5000, 60),
        (FileOperation::Map, 5000, 60),
    ];
    let calls = [
        (OPENAT, 5000, 60),
        (CLOSE, 5000, 20),
        (MMAP, 5000, 60),
        (MUNMAP, 5000, 300),
    ];
    let answer = explain_pid(&uses(&operations, &calls), 100);
    let says_it = "It opened /t/words and mapped it into memory 5000 times: 44 % of the time";
    says(&answer, &[says_it, "Map it once and keep the mapping"]);
    assert!(!answer.contains("gave it back"), "{answer}");
    // Half of what is mapped is memory: half of the unmapping is for it.
    let calls = [
        (OPENAT, 5000, 60),
        (CLOSE, 5000, 20),
        (MMAP, 10_000, 120),
        (MUNMAP, 10_000, 300),
    ];
    let answer = explain_pid(&uses(&operations, &calls), 100);
    says(
        &answer,
        &["mapped it into memory 5000 times: 29 % of the time"],
    );
}

#[test]
fn reading_a_file_again_counts_although_its_calls_cost_little() {
    let calls = [(OPENAT, 5000, 30), (CLOSE, 5000, 10)];
    let read = [
        (FileOperation::Open, 5000, 30),
        (FileOperation::Read, 10_000, 30),
    ];
    let answer = explain_pid(&uses(&read, &calls), 100);
    says(
        &answer,
        &["It opened and read /t/words 5000 times: 7 % of the time"],
    );
    // Although nothing else stands out: the code that computes has no name.
    let answer = explain_pid(
        &uses_in("libc.so.6!step < libc.so.6!run", &read, &calls),
        100,
    );
    says(&answer, &["It opened and read /t/words 5000 times"]);
    let few = [
        (FileOperation::Open, 150, 30),
        (FileOperation::Read, 1000, 30),
    ];
    let answer = explain_pid(&uses(&few, &calls), 100);
    assert!(!answer.contains("opened and read"), "{answer}");
}

#[test]
fn three_processes_that_read_one_file_are_counted() {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("wait4", "k:do_wait < waitpid < check < main");
    trace.play(main, "R10 W200:wait4<unzip-0 R10 R10 W200:wait4<unzip-1 R10 R10 W200:wait4<unzip-2 R10 R10 W200:wait4<unzip-3 R10");
    trace.stack("inflate", "inflate < main < _start");
    let mut rows = Vec::new();
    let id = FileId::from_index(0).expect("few");
    for at in 0..4 {
        let from = at * 220 + 10;
        let pid = 200 + i32::try_from(at).expect("few");
        let (child, thread) = process(&mut trace, "unzip", pid, Some(app), (from, from + 200));
        trace.threads[thread.index()].name = Some(format!("unzip-{at}"));
        trace.play(thread, "R200");
        trace.sample(thread, &(from..from + 200).collect::<Vec<_>>(), "inflate");
        rows.push(FileCallRow {
            from_ns: from * MS,
            process: Some(child),
            thread: Some(thread),
            duration_ns: 200 * MS,
            file: Some(id),
            operation: FileOperation::Read.code(),
            result: 0,
            flags: 0,
            count: 10,
            bytes: Some(1_000_000),
            time_ns: Some(MS),
            longest_ns: Some(MS),
            timed_count: 10,
        });
    }
    trace.tables.push(Table::from_rows([FileRow {
        id,
        path: "/t/logs.zip".to_owned(),
        inode: None,
        device: None,
        kind: Some("file".to_owned()),
        file_system: None,
        flags: 0,
    }]));
    trace.tables.push(Table::from_rows(rows));
    let says_it = "There were 4 such processes, and all of them read /t/logs.zip.";
    says(&explain_pid(&trace, 100), &[says_it]);
}

#[test]
fn half_a_kilobyte_at_a_time_is_little_for_a_file_only_where_it_costs_much() {
    const WRITE: i32 = 1;
    let written = |path: &str, ms: i64| {
        let mut trace = uses(&[(FileOperation::Write, 400_000, ms)], &[]);
        let row = FileRow {
            id: FileId::from_index(0).expect("few"),
            path: path.to_owned(),
            inode: None,
            device: None,
            kind: None,
            file_system: None,
            flags: 0,
        };
        trace.tables.retain(|table| table.schema.name != "file");
        trace.tables.push(Table::from_rows([row]));
        trace.calls(ThreadId(0), (WRITE, 0), 400_000, Some(400_000 * 512), ms);
        let all = findings(&trace, 100).into_iter();
        all.map(|one| one.cause).any(|cause| cause == "tiny-writes")
    };
    assert!(written("/t/words", 600));
    // A tenth of the time is what writing costs; messages have to be passed on.
    assert!(!written("/t/words", 120));
    assert!(!written("TCP", 600));
}

#[test]
fn a_tree_that_is_walked_costs_what_listing_its_folders_costs_too() {
    const NEWFSTATAT: i32 = 262;
    let walk = |lists: i64| {
        let mut trace = Literal::new(1000);
        let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
        trace.play(main, "R1000");
        trace.calls(main, (NEWFSTATAT, 0), 50_000, None, 400);
        let file = |at: usize, path: String, kind: &str| FileRow {
            id: FileId::from_index(at).expect("few"),
            path,
            inode: None,
            device: None,
            kind: Some(kind.to_owned()),
            file_system: None,
            flags: 0,
        };
        let files = (1..40).map(|at| file(at, format!("/t/album/{at}.jpg"), "file"));
        let folder = file(0, "/t/album".to_owned(), "folder");
        trace
            .tables
            .push(Table::from_rows(std::iter::once(folder).chain(files)));
        let row = |at: usize, operation: FileOperation, count: i64, ms: i64| FileCallRow {
            from_ns: 0,
            process: Some(app),
            thread: Some(main),
            duration_ns: 1000 * MS,
            file: FileId::from_index(at),
            operation: operation.code(),
            result: 0,
            flags: 0,
            count,
            bytes: None,
            time_ns: Some(ms * MS),
            longest_ns: Some(MS),
            timed_count: count,
        };
        let stats = (1..40).map(|at| row(at, FileOperation::Stat, 1000, 10));
        let listing = row(0, FileOperation::List, lists, 80);
        trace.tables.push(Table::from_rows(stats.chain([listing])));
        let all = findings(&trace, 100);
        let found = all
            .iter()
            .find(|one| one.cause == "stat-storm")
            .expect("stats");
        (found.wall_ns / MS, found.fact("listed").cloned())
    };
    assert_eq!(walk(500), (470, Some(Value::Count(500))));
    assert_eq!(walk(5), (390, None));
}

#[test]
fn a_file_that_is_read_many_times_over_is_named_with_its_size() {
    let answer = |size: i64, written: i64, writer: Writer| {
        let (count, each) = (25_000, 8192);
        let mut trace = uses_in("read < is_in_index < main", &[], &[(0, count, 600)]);
        let (app, main) = (ProcessId(0), ThreadId(0));
        let other = process(&mut trace, "other", 200, None, (0, 1000));
        trace.play(other.1, "W1000");
        trace
            .tables
            .retain(|table| table.schema.name != "file_call");
        let id = FileId::from_index(0).expect("few");
        let counted = |operation: FileOperation, bytes, ms| FileCallRow {
            from_ns: 0,
            process: Some(app),
            thread: Some(main),
            duration_ns: 1000 * MS,
            file: Some(id),
            operation: operation.code(),
            result: 0,
            flags: 0,
            count,
            bytes: Some(bytes),
            time_ns: Some(ms * MS),
            longest_ns: Some(MS),
            timed_count: count,
        };
        let mut writes = counted(FileOperation::Write, written, 1);
        if writer == Writer::Other {
            (writes.process, writes.thread) = (Some(other.0), Some(other.1));
        }
        let mut counts = vec![counted(FileOperation::Read, count * each, 600)];
        counts.extend((writer != Writer::Kernel).then_some(writes));
        trace.tables.push(Table::from_rows(counts));
        let row = |offset| SingleFileCallRow {
            start_ns: MS,
            process: Some(app),
            thread: Some(main),
            file: Some(id),
            operation: FileOperation::Read.code(),
            offset_bytes: Some(offset),
            asked_bytes: Some(each),
            bytes: Some(each),
            ..SingleFileCallRow::unknown()
        };
        // A file that is read once never goes back, even if only its first reads are recorded.
        let offsets = (0..20).map(|at| match size {
            4_096_000 => (at % 2 + 1) * size / 2 - each,
            _ => at * each,
        });
        let copy = SingleFileCallRow {
            file: None,
            other_file: Some(id),
            bytes: Some(written),
            ..row(0)
        };
        let copies = (writer == Writer::Kernel).then_some(copy);
        trace
            .tables
            .push(Table::from_rows(offsets.map(row).chain(copies)));
        explain_pid(&trace, 100)
    };
    let own = |size, written| answer(size, written, Writer::Own);
    says(
        &own(4_096_000, 4_096_000),
        &[
            "It read /t/words 50 times over: 60 % of the time",
            "It read 205 MB in 25000 calls, all from the first 4 MB.",
        ],
    );
    let once = own(204_800_000, 0);
    assert!(!once.contains("times over"), "{once}");
    // If it is written again and again, its contents are not the same each time, no matter who wrote it.
    for writer in [Writer::Own, Writer::Other, Writer::Kernel] {
        let changes = answer(4_096_000, 40_960_000, writer);
        assert!(!changes.contains("times over"), "{writer:?}: {changes}");
        let is_the_same = answer(4_096_000, 4_000_000, writer);
        says(&is_the_same, &["times over"]);
    }
}

/// Who writes to a file: the program that reads it, another one, or the kernel, which copies another file to it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Writer {
    Own,
    Other,
    Kernel,
}

#[test]
fn calls_of_a_script_without_frames_cost_what_its_interpreter_spends_on_them() {
    let cost = |stack: &str| {
        let operations = [(FileOperation::Stat, 500_000, 300)];
        let mut trace = uses_in(stack, &operations, &[(NEWFSTATAT, 500_000, 300)]);
        let main = ThreadId::from_index(0).expect("the first");
        let times: Vec<i64> = (0..60).collect();
        trace.called_from(main, &times, (NEWFSTATAT, 8000), "work");
        let all = findings(&trace, 100);
        let storm = all.into_iter().find(|one| one.cause == "stat-storm");
        storm.map(|one| one.wall_ns / MS)
    };
    // Entering and leaving the kernel is not in the time of the calls.
    let interpreter = "php8.2!php_stat < php8.2!execute_ex < php8.2!main";
    let stat = format!("k:do_syscall_64 < libc.so.6!fstatat64 < {interpreter}");
    assert_eq!(cost(&stat), Some(1000));
}

/// What is done to a file: the operation, the system call with the function that makes it, how often in all, and for
/// how many milliseconds.
type Done = (FileOperation, (i32, &'static str), i64, i64);

/// A program that computes on a stack for a second, and does this to each of so many files in one folder.
fn does_to_many(names: usize, stack: &str, done: &[Done]) -> String {
    let calls = done
        .iter()
        .map(|&(_, (call, _), count, ms)| (call, count, ms));
    let mut trace = uses_in(stack, &[], &calls.collect::<Vec<_>>());
    let (app, main) = (ProcessId(0), ThreadId(0));
    let every_20: Vec<i64> = (0..50).map(|at| at * 20).collect();
    for &(_, (call, function), count, _) in done {
        trace.stack(function, &format!("libc.so.6!{function} < note < main"));
        trace.called_from(main, &every_20, (call, count / 50), function);
    }
    trace.tables.clear();
    let id = |at: usize| FileId::from_index(at).expect("few");
    let files = (0..names).map(|at| FileRow {
        id: id(at),
        path: format!("/t/parts/log.{at}"),
        inode: None,
        device: None,
        kind: None,
        file_system: None,
        flags: 0,
    });
    trace.tables.push(Table::from_rows(files));
    let each = i64::try_from(names).expect("few");
    let rows = done.iter().flat_map(|&(operation, _, count, ms)| {
        (0..names).map(move |at| FileCallRow {
            from_ns: 0,
            process: Some(app),
            thread: Some(main),
            duration_ns: 1000 * MS,
            file: Some(id(at)),
            operation: operation.code(),
            result: 0,
            flags: 0,
            count: count / each,
            bytes: None,
            time_ns: Some(ms * MS / each),
            longest_ns: Some(MS.min(ms * MS / each)),
            timed_count: count / each,
        })
    });
    trace.tables.push(Table::from_rows(rows));
    explain_pid(&trace, 100)
}

fn renames(names: usize) -> String {
    let stack = "k:do_renameat2 < k:__x64_sys_rename < libc.so.6!rename < note < main";
    let done = [
        (FileOperation::Rename, (RENAME, "rename"), 200_000, 500),
        (FileOperation::Open, (OPENAT, "open"), 200_000 / 100, 20),
    ];
    does_to_many(names, stack, &done)
}

#[test]
fn opening_a_file_now_and_then_costs_no_more_beside_other_calls_of_the_same_function() {
    let again = renames(100);
    says(
        &again,
        &[
            "1 It renamed files in /t/parts/ 200000 times: 100 % of the time",
            "These were 100 different names.",
        ],
    );
    assert!(!again.contains("It opened"), "{again}");
}

#[test]
fn a_program_that_renames_each_file_once_does_what_it_is_for() {
    let once = renames(100_000);
    assert!(!once.contains("It renamed"), "{once}");
}

#[test]
fn files_that_are_asked_about_opened_and_read_again_and_again_cost_all_of_that() {
    let stack = "k:vfs_read < k:ksys_read < libc.so.6!read < note < main";
    let asks = (FileOperation::Stat, (NEWFSTATAT, "fstat"), 100_000, 100);
    let opens = (FileOperation::Open, (OPENAT, "open"), 100_000, 300);
    let reads = (FileOperation::Read, (0, "read"), 200_000, 200);
    let all = does_to_many(100, stack, &[asks, opens, reads]);
    let opened = "1 It opened and read the files /t/parts/log.* 100000 times: 60 % of the time";
    says(&all, &[opened, "These were 100 different files."]);
    // Who opens them to write does not read them.
    let writes = (FileOperation::Write, (1, "write"), 100_000, 200);
    let written = does_to_many(100, stack, &[asks, opens, writes]);
    assert!(!written.contains("opened and read"), "{written}");
    let asked = does_to_many(100, stack, &[asks]);
    says(
        &asked,
        &["It checked the files /t/parts/log.* 100000 times (stat)"],
    );
}

/// Gives the file another path.
fn lies_at(trace: &mut Literal, path: &str) {
    let files = trace
        .tables
        .iter_mut()
        .find(|table| table.schema == FileRow::SCHEMA);
    let files = files.expect("files");
    let rows: Vec<FileRow> = files.rows::<FileRow>().collect();
    let renamed = rows.into_iter().map(|row| FileRow {
        path: path.to_owned(),
        ..row
    });
    *files = Table::from_rows(renamed);
}

#[test]
fn who_looks_at_a_file_after_each_sleep_waits_for_it_to_change() {
    let causes = |path: &str, looks: i64, reads: i64| {
        let operations = [
            (FileOperation::Stat, looks, 1),
            (FileOperation::Read, reads, 1),
        ];
        let mut trace = uses(&operations, &[(NEWFSTATAT, looks, 1)]);
        lies_at(&mut trace, path);
        trace.states.clear();
        trace.start(ThreadId(0), 0);
        trace.stack(
            "nap",
            "k:do_nanosleep < clock_nanosleep < await_report < main",
        );
        trace.play(ThreadId(0), &"R10 W90:nap<! ".repeat(10));
        let answer = explain_pid(&trace, 100);
        let is_told = answer.contains(
            "It looked at /run/words, slept, and looked again, 10 times: 90 % of the time",
        );
        (is_told, answer)
    };
    let run = "/run/words";
    let (is_told, answer) = causes(run, 10, 0);
    assert!(is_told, "{answer}");
    says(
        &answer,
        &[
            "It called newfstatat 10 times, about once per sleep, and did little else with the file.",
        ],
    );
    // Who also reads it each time follows it; who looks more often does something else.
    assert!(!causes(run, 10, 10).0 && !causes(run, 100, 0).0);
    // The C library looks at the time zone for each local time, and runtimes look for modules.
    for of_runtime in ["/etc/localtime", "/var/lib/gems"] {
        assert!(!causes(of_runtime, 10, 0).1.contains("looked again"));
    }
}

#[test]
fn writing_one_line_each_time_that_a_file_is_opened_is_part_of_opening_it() {
    let (open, write) = (FileOperation::Open, FileOperation::Write);
    let trace = uses(
        &[(open, 10_000, 200), (write, 10_000, 300)],
        &[(OPENAT, 10_000, 200), (1, 10_000, 300)],
    );
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &["It opened /t/words and wrote to it 10000 times: 50 % of the time"],
    );
    assert!(!answer.contains("at a time:"), "{answer}");
}

#[test]
fn what_is_removed_again_and_again_was_made_as_often() {
    let trace = uses(
        &[
            (FileOperation::Open, 9_000, 400),
            (FileOperation::Remove, 9_000, 200),
        ],
        &[(OPENAT, 9_000, 400), (87, 9_000, 200)],
    );
    says(
        &explain_pid(&trace, 100),
        &["It made and removed /t/words 9000 times: 60 % of the time"],
    );
    // Who reads it gets it from somebody else.
    let open = (FileOperation::Open, 9_000, 200);
    let operations = [
        open,
        (FileOperation::Read, 9_000, 200),
        (FileOperation::Remove, 9_000, 200),
    ];
    let calls = [(OPENAT, 9_000, 200), (0, 9_000, 200), (87, 9_000, 200)];
    let answer = explain_pid(&uses(&operations, &calls), 100);
    assert!(!answer.contains("made and removed"), "{answer}");
}

#[test]
fn a_file_that_is_parsed_again_and_again_is_named() {
    let parse = "app!v8::internal::JsonParser::Parse < facts_about < main";
    let answer = |opened: i64| {
        let operations = [
            (FileOperation::Open, opened, 1),
            (FileOperation::Read, opened, 1),
        ];
        explain_pid(&uses_in(parse, &operations, &[]), 100)
    };
    let named = "It opened and read /t/words 150 times.";
    says(&answer(150), &["It read or wrote JSON", named]);
    assert!(!answer(3).contains("It opened and read"), "{}", answer(3));
}

#[test]
fn a_file_that_is_made_each_time_hides_none_that_is_opened_again() {
    let mut trace = uses(
        &[
            (FileOperation::Open, 9_000, 400),
            (FileOperation::Read, 9_000, 100),
        ],
        &[(OPENAT, 18_001, 600), (0, 9_000, 100)],
    );
    let id = FileId::from_index(1).expect("few");
    let files = trace
        .tables
        .iter_mut()
        .find(|table| table.schema == FileRow::SCHEMA);
    let files = files.expect("files");
    let mut rows: Vec<FileRow> = files.rows::<FileRow>().collect();
    rows.push(FileRow {
        id,
        path: "/t/part.tmp".to_owned(),
        ..rows[0].clone()
    });
    *files = Table::from_rows(rows);
    let calls = trace
        .tables
        .iter_mut()
        .find(|table| table.schema == FileCallRow::SCHEMA);
    let calls = calls.expect("calls");
    let mut rows: Vec<FileCallRow> = calls.rows::<FileCallRow>().collect();
    for operation in [FileOperation::Open, FileOperation::Remove] {
        let of_part = FileCallRow {
            file: Some(id),
            operation: operation.code(),
            count: 9_001,
            ..rows[0].clone()
        };
        rows.push(of_part);
    }
    *calls = Table::from_rows(rows);
    says(
        &explain_pid(&trace, 100),
        &["It opened and read /t/words 9000 times"],
    );
}
