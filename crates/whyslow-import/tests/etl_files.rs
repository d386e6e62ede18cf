//! Calls on files of Windows traces: from the events of the kernel, and of its manifest provider, to
//! the rows that Linux fills too.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;
#[path = "support/windows.rs"]
mod windows;

use std::collections::BTreeMap;

use whyslow_model::tables::{FileCallRow, FileRow, SingleFileCallRow, ThreadRow};
use whyslow_model::{FileFlags, FileOperation, Named, ProblemKind};
use whyslow_testkit::payload::{file_name, stack};
use whyslow_testkit::{FileAsk, FileScript, Random, T0, perfinfo, system};

use windows::{IDS, OTHER, PID, TID, import, in_volume, is_recorded, lines, path, there, volume};

const NOT_FOUND: u32 = 0xc000_0034;

/// A program reads a file, misses another one, writes, renames, lists and deletes.
fn session(mut script: FileScript) -> (FileScript, Vec<String>) {
    use_a_file(&mut script);
    use_a_folder(&mut script);
    let file = r"C:\data\a.txt";
    let told = [
        format!("404 open {file} 100 250 ok - -"),
        r"404 open C:\data\missing.ini 400 10 STATUS_OBJECT_NAME_NOT_FOUND - -".to_owned(),
        format!("404 read {file} 500 200 ok 4096 1000"),
        format!("404 page in {file} 510 180 ok 65536 65536"),
        format!("404 read {file} 710 10 STATUS_END_OF_FILE 4096 -"),
        format!("408 write {file} 800 100 ok 512 512"),
        format!("404 sync {file} 910 90 ok - -"),
        format!("404 stat {file} 1010 1 ok - -"),
        format!("404 resize {file} 1020 2 ok - -"),
        format!("404 remove {file} 1030 3 ok - -"),
        format!("404 close {file} 1040 4 ok - -"),
        format!("404 release {file} 1050 5 ok - -"),
        r"404 open C:\data\c.txt 1100 10 ok - -".to_owned(),
        r"404 list C:\data\c.txt 1120 10 ok 4096 300".to_owned(),
        r"404 read C:\data\c.txt 1140 - ok 4096 -".to_owned(),
    ];
    (script, told.to_vec())
}

/// The open file of the script.
const OPENED: FileAsk<'static> = FileAsk {
    opcode: 0,
    object: 0x1000,
    key: 0x9000,
    path: "",
    flags: 0,
    offset: 0,
    size: 0,
    class: 0,
    status: 0,
    information: 0,
};

const READ: FileAsk<'static> = FileAsk {
    opcode: 67,
    size: 4096,
    information: 1000,
    ..OPENED
};

fn use_a_file(script: &mut FileScript) {
    let (a, b) = (in_volume(r"data\a.txt"), in_volume(r"data\missing.ini"));
    let a = a.as_str();
    let open = FileAsk {
        path: a,
        object: 0x1000,
        ..FileAsk::open()
    };
    script.ask(100, Some(350), IDS, open);
    let miss = FileAsk {
        path: &b,
        object: 0x2000,
        status: NOT_FOUND,
        information: 0,
        ..FileAsk::open()
    };
    script.ask(400, Some(410), IDS, miss);
    script.ask(500, Some(700), IDS, READ);
    // The cache reads it meanwhile.
    let page_in = FileAsk {
        flags: 0x43,
        size: 65536,
        information: 65536,
        ..READ
    };
    script.ask(510, Some(690), IDS, page_in);
    let at_end = FileAsk {
        status: 0xc000_0011,
        information: 0,
        ..READ
    };
    script.ask(710, Some(720), IDS, at_end);
    let write = FileAsk {
        opcode: 68,
        size: 512,
        information: 512,
        ..OPENED
    };
    script.ask(800, Some(900), (PID, OTHER), write);
    let of = |opcode| FileAsk { opcode, ..OPENED };
    script.ask(910, Some(1000), IDS, of(73));
    let ask = FileAsk {
        class: 34,
        ..of(74)
    };
    script.ask(1010, Some(1011), IDS, ask);
    let resize = FileAsk {
        class: 20,
        ..of(69)
    };
    script.ask(1020, Some(1022), IDS, resize);
    let remove = FileAsk {
        class: 13,
        ..of(70)
    };
    script.ask(1030, Some(1033), IDS, remove);
    script.ask(1040, Some(1044), IDS, of(65));
    script.ask(1050, Some(1055), IDS, of(66));
}

fn use_a_folder(script: &mut FileScript) {
    // The same address is another file now.
    let c = in_volume(r"data\c.txt");
    let open = FileAsk {
        path: &c,
        object: 0x1000,
        ..FileAsk::open()
    };
    script.ask(1100, Some(1110), IDS, open);
    let list = FileAsk {
        opcode: 72,
        key: 0x9100,
        path: "*",
        size: 4096,
        information: 300,
        ..OPENED
    };
    script.ask(1120, Some(1130), IDS, list);
    // The program is still waiting when the trace ends.
    script.ask(
        1140,
        None,
        IDS,
        FileAsk {
            key: 0x9100,
            ..READ
        },
    );
}

#[test]
fn every_call_is_found_whoever_reports_it_and_with_any_size_of_pointers() {
    let mut scripts = vec![
        FileScript::new(2),
        FileScript::new(3),
        FileScript::provided(),
    ];
    // A program's events have the pointers of the program.
    let mut narrow = FileScript::provided();
    narrow.wide = false;
    scripts.push(narrow);
    for script in scripts {
        let (script, told) = session(script);
        let mut events = there();
        events.push(volume());
        events.extend(script.events());
        let outcome = import(events);
        assert_eq!(lines(&outcome), told, "{script:?}");
        assert_eq!(is_recorded(&outcome, "files"), "yes");
        assert_eq!(outcome.count(ProblemKind::UnmatchedEnd), 0);
        assert_eq!(outcome.count(ProblemKind::BadRecord), 0);
        let files: Vec<FileRow> = outcome.rows();
        let named = |flags: i32| FileFlags(flags).has(FileFlags::NAME_ONLY);
        let only_names = files.iter().filter(|file| named(file.flags));
        let only_names: Vec<_> = only_names.map(|file| file.path.as_str()).collect();
        assert_eq!(only_names, [r"C:\data\missing.ini"]);
        let kinds = files.iter().map(|file| file.kind.as_deref());
        assert_eq!(kinds.collect::<Vec<_>>(), [None, None, Some("folder")]);
    }
}

/// By thread, operation, status and object: calls, bytes, ticks, the longest.
type Sums = BTreeMap<(u32, FileOperation, u32, u64), (i64, i64, i64, i64)>;

/// Writes random calls of several seconds, so that there are several stretches.
fn random_calls() -> (FileScript, Sums) {
    let mut random = Random(7);
    let mut script = FileScript::new(3);
    let mut expected = Sums::new();
    let mut at = 100_i64;
    for object in 0..40_u64 {
        let path = in_volume(&format!("{object}.dat"));
        let open = FileAsk {
            path: &path,
            object: 0x1000 + object * 0x100,
            ..FileAsk::open()
        };
        script.ask(at, Some(at + 5), IDS, open);
        *expected
            .entry((TID, FileOperation::Open, 0, object))
            .or_default() = (1, 0, 5, 5);
        at += 10;
    }
    for _ in 0..6000 {
        let object = random.below(40) as u64;
        let tid = if random.below(2) == 0 { TID } else { OTHER };
        let is_write = random.below(3) == 0;
        let fails = random.below(10) == 0;
        let lasts = 1 + i64::try_from(random.below(3000)).unwrap();
        let got = u32::try_from(random.below(4096)).unwrap();
        let ask = FileAsk {
            opcode: if is_write { 68 } else { 67 },
            object: 0x1000 + object * 0x100,
            key: 0x9_0000 + object * 0x100,
            size: 4096,
            status: if fails { 0xc000_0022 } else { 0 },
            information: if fails { 0 } else { got.into() },
            ..FileAsk::default()
        };
        script.ask(at, Some(at + lasts), (PID, tid), ask);
        let operation = match is_write {
            true => FileOperation::Write,
            false => FileOperation::Read,
        };
        let sum = expected
            .entry((tid, operation, ask.status, object))
            .or_default();
        sum.0 += 1;
        sum.1 += i64::try_from(ask.information).unwrap();
        sum.2 += lasts;
        sum.3 = sum.3.max(lasts);
        at += 1 + i64::try_from(random.below(10_000)).unwrap();
    }
    (script, expected)
}

#[test]
fn counts_are_the_sums_of_the_single_calls() {
    let (script, expected) = random_calls();
    let mut events = there();
    events.extend(script.events());
    let outcome = import(events);
    let threads: Vec<ThreadRow> = outcome.rows();
    let mut found = Sums::new();
    let rows: Vec<FileCallRow> = outcome.rows();
    for row in &rows {
        let name = path(&outcome, row.file);
        let name = name.rsplit('\\').next().unwrap().trim_end_matches(".dat");
        let operation = FileOperation::from_code(row.operation).unwrap();
        let tid = threads[row.thread.unwrap().index()].os_tid;
        let tid = u32::try_from(tid).unwrap();
        let key = (
            tid,
            operation,
            row.result.cast_unsigned(),
            name.parse::<u64>().unwrap(),
        );
        let sum = found.entry(key).or_default();
        sum.0 += row.count;
        sum.1 += row.bytes.unwrap_or(0);
        sum.2 += row.time_ns.unwrap() / 100;
        sum.3 = sum.3.max(row.longest_ns.unwrap() / 100);
        assert_eq!(row.timed_count, row.count);
        assert!(row.duration_ns <= 1_100_000_000, "{row:?}");
    }
    assert_eq!(found, expected);
    // The stretches of a thread do not overlap.
    let mut ends: BTreeMap<_, i64> = BTreeMap::new();
    let mut spans: Vec<_> = rows
        .iter()
        .map(|row| (row.thread, row.from_ns, row.duration_ns))
        .collect();
    spans.sort();
    spans.dedup();
    assert!(spans.len() > 4);
    for (thread, from, duration) in spans {
        let end = ends.entry(thread).or_insert(i64::MIN);
        assert!(from >= *end, "{from} {end}");
        *end = from + duration;
    }
}

#[test]
fn files_get_the_names_that_are_told_at_the_end() {
    let mut script = FileScript::new(3);
    let read = |key| FileAsk {
        opcode: 67,
        object: 0x1000 + key,
        key,
        size: 10,
        information: 10,
        ..FileAsk::default()
    };
    script.ask(100, Some(110), IDS, read(0x9000));
    script.ask(120, Some(130), IDS, read(0x9100));
    // The kernel forgets this file: its address becomes another one's.
    let name = |key, text: &str| file_name(true, key, &in_volume(text));
    script.event(200, 35, IDS, &name(0x9000, "first.txt"));
    script.ask(210, Some(220), IDS, read(0x9000));
    script.event(900, 36, (0, 0), &name(0x9000, "second.txt"));
    script.event(901, 36, (0, 0), &name(0x9300, "of no call.txt"));
    let mut events = there();
    events.push(volume());
    events.extend(script.events());
    let told = [
        r"404 read C:\first.txt 100 10 ok 10 10",
        "404 read [unnamed] 120 10 ok 10 10",
        r"404 read C:\second.txt 210 10 ok 10 10",
    ];
    assert_eq!(lines(&import(events)), told);
}

#[test]
fn a_renaming_has_both_names_in_whatever_order_they_are_told() {
    for path_first in [false, true] {
        let mut script = FileScript::new(3);
        let old = in_volume("old.txt");
        let open = FileAsk {
            path: &old,
            object: 0x1000,
            ..FileAsk::open()
        };
        script.ask(100, Some(110), IDS, open);
        let mut events = there();
        events.push(volume());
        events.extend(script.events());
        let of = whyslow_testkit::payload::FileIo {
            irp: 0x77,
            thread: TID,
            file_object: 0x1000,
            file_key: 0x9000,
        };
        let rename = whyslow_testkit::payload::file_info(of, true, 3, 0, 10);
        let target = whyslow_testkit::payload::file_path(of, true, 3, 10, &in_volume("new.txt"));
        let order = if path_first { [201, 200] } else { [200, 201] };
        let [plain, named] = order.map(|at| T0 + at);
        events.push((order[0], system(true, 0x0447, 3, plain, IDS, &rename)));
        events.push((order[1], system(true, 0x0450, 3, named, IDS, &target)));
        let end = whyslow_testkit::payload::operation_end(true, 0x77, 0, 0);
        events.push((300, system(true, 0x044c, 3, T0 + 300, (0, 0), &end)));
        let outcome = import(events);
        let rows: Vec<SingleFileCallRow> = outcome.rows();
        let rows: Vec<_> = rows
            .iter()
            .filter(|row| row.operation == FileOperation::Rename.code())
            .map(|row| (path(&outcome, row.file), path(&outcome, row.other_file)))
            .collect();
        assert_eq!(rows, [(r"C:\old.txt".to_owned(), r"C:\new.txt".to_owned())]);
    }
}

#[test]
fn a_call_has_its_own_stack_and_process() {
    let mut script = FileScript::provided();
    let path = in_volume("a.txt");
    let open = FileAsk {
        path: &path,
        object: 0x1000,
        ..FileAsk::open()
    };
    // A session without processes and threads: the header of the event has them.
    script.ask(100, Some(110), (77, 78), open);
    let mut events = script.events();
    let walk = stack(
        true,
        T0 + 100,
        (77, 78),
        &[0xffff_8000_0000_1000, 0x7ff6_0000_1000],
    );
    events.push((101, perfinfo(0x1820, 2, T0 + 101, &[], &walk)));
    let outcome = import(events);
    let rows: Vec<SingleFileCallRow> = outcome.rows();
    assert_eq!(rows.len(), 1);
    assert!(rows[0].process.is_some() && rows[0].thread.is_some() && rows[0].stack.is_some());
}

#[test]
fn without_ends_calls_have_no_times_but_what_they_asked_for() {
    let mut script = FileScript::new(3);
    for at in 0..5 {
        let read = FileAsk {
            opcode: 67,
            object: 0x1000,
            key: 0x9000,
            size: 100,
            ..FileAsk::default()
        };
        script.ask(100 + at, None, IDS, read);
    }
    let mut events = there();
    events.extend(script.events());
    let outcome = import(events);
    let rows: Vec<FileCallRow> = outcome.rows();
    let sums = rows.iter().map(|row| (row.count, row.bytes, row.time_ns));
    assert_eq!(sums.collect::<Vec<_>>(), [(5, Some(500), None)]);
    assert_eq!(outcome.count(ProblemKind::UnmatchedEnd), 0);
}

#[test]
fn ends_and_beginnings_without_their_other_half_are_counted() {
    let mut script = FileScript::new(3);
    let read = FileAsk {
        opcode: 67,
        key: 0x9000,
        size: 100,
        information: 100,
        ..FileAsk::default()
    };
    script.ask(100, Some(110), IDS, read);
    let end = whyslow_testkit::payload::operation_end(true, 0x5555, 0, 0);
    script.event(200, 76, (0, 0), &end);
    script.event(300, 67, IDS, &[1, 2, 3]);
    script.event(310, 76, IDS, &[]);
    script.event(320, 36, IDS, &[9]);
    let mut events = there();
    events.extend(script.events());
    let outcome = import(events);
    assert_eq!(lines(&outcome), ["404 read [unnamed] 100 10 ok 100 100"]);
    assert_eq!(outcome.count(ProblemKind::UnmatchedEnd), 1);
    assert_eq!(outcome.count(ProblemKind::BadRecord), 3);
}

#[test]
fn the_providers_events_do_not_count_beside_the_kernels() {
    let (own, told) = session(FileScript::new(3));
    let (provided, _) = session(FileScript::provided());
    let mut events = there();
    events.push(volume());
    events.extend(own.events());
    // They come a little later.
    events.extend(provided.events());
    let outcome = import(events);
    assert_eq!(lines(&outcome), told);
}

#[test]
fn payloads_cut_off_anywhere_are_counted_or_read_but_never_stop_the_import() {
    let (script, _) = session(FileScript::new(3));
    let (provided, _) = session(FileScript::provided());
    let mut events = there();
    for (_, event) in script.events().into_iter().chain(provided.events()) {
        // Kernel events have their size behind the version, those of manifests at the start.
        let (at, head) = if event[2] == 2 { (4, 32) } else { (0, 80) };
        for keep in head..event.len() {
            let mut cut = event[..keep].to_vec();
            let size = u16::try_from(keep).unwrap().to_le_bytes();
            cut[at..at + 2].copy_from_slice(&size);
            events.push((100, cut));
        }
    }
    let outcome = import(events);
    assert!(outcome.count(ProblemKind::BadRecord) > 100);
}
