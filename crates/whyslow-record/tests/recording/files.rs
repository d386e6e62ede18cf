//! Calls about files are counted by file.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use whyslow_perfdata::whyslow_events::{FileCall, FileFlags, SingleFileCall};
use whyslow_record::{Missing, Settings};
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, missing, program, recorded_whole};

const OPEN: u8 = 1;
const STAT: u8 = 2;
const ACCESS: u8 = 3;
const READ: u8 = 5;
const WRITE: u8 = 6;
const SYNC: u8 = 7;
const LIST: u8 = 8;
const RENAME: u8 = 9;
const REMOVE: u8 = 10;
const CREATE: u8 = 11;
const LOCK: u8 = 15;
const MAP: u8 = 16;
const EXECUTE: u8 = 17;
const LINK: u8 = 12;
const ENTER: u8 = 19;
const CLOSE: u8 = 21;
const CONNECT: u8 = 23;

const ENOENT: u16 = 2;
const DURABLE: u8 = 1;

/// Path in the scratch folder, operation, error: count, bytes.
type Counts = BTreeMap<(String, u8, u16), (u64, u64)>;

struct Known {
    recording: Recording,
    pid: u32,
    folder: Vec<u8>,
}

fn known() -> Option<Known> {
    // Enough for whatever else the machine does.
    known_with(10_000_000)
}

/// The known program, recorded with so many rows per second and CPU.
fn known_with(file_rows_per_second: u32) -> Option<Known> {
    let example = program()?.with_file_name("known_files");
    if !has(Feature::Bpf) {
        return None;
    }
    let scratch = Scratch::new();
    let folder = scratch.path("known");
    std::fs::create_dir(&folder).unwrap();
    let folder = folder.canonicalize().unwrap();
    let settings = Settings {
        file_rows_per_second,
        ..Settings::new(scratch.path("files.data"))
    };
    // A recording with losses is made again, and must find the folder as it was.
    let script = OsStr::new("rm -rf \"$1\"; mkdir \"$1\"; exec \"$0\" \"$1\"");
    let shell = [OsStr::new("sh"), OsStr::new("-c"), script];
    let command = [&shell, [example.as_os_str(), folder.as_os_str()].as_slice()].concat();
    let report = recorded_whole(&settings, &command)?;
    assert_eq!(missing(&report), Vec::<&Missing>::new());
    let recording = Recording::read(&scratch.path("files.data"));
    let pid = recording.info("command_pid").unwrap().parse().unwrap();
    assert_eq!(recording.info("lost_file_calls"), None);
    assert_eq!(recording.info("lost_file_names"), None);
    Some(Known {
        recording,
        pid,
        folder: folder.as_os_str().as_bytes().to_vec(),
    })
}

impl Known {
    /// The calls of the threads that are wanted, with what is known of the path; only those in the
    /// folder, which is left out, and on absent paths.
    fn calls(&self, is_of: impl Fn(u32, u32) -> bool) -> Vec<(String, FileFlags, FileCall)> {
        let all = self.recording.file_calls.iter();
        let all = all.filter(|(pid, tid, ..)| is_of(*pid, *tid));
        let named = all.filter_map(|(_, _, name, call)| {
            let path = name.path.strip_prefix(self.folder.as_slice());
            let path = path.or(name.path.starts_with(b"/missing").then_some(&name.path))?;
            let text = OsStr::from_bytes(path).as_bytes().escape_ascii();
            Some((text.to_string(), name.flags, *call))
        });
        named.collect()
    }

    fn counts(&self, is_of: impl Fn(u32, u32) -> bool) -> Counts {
        let mut counts = Counts::new();
        for (path, _, call) in self.calls(is_of) {
            let sum = counts.entry((path, call.operation, call.error));
            let sum = sum.or_default();
            sum.0 += call.count;
            sum.1 += call.bytes;
        }
        counts
    }
}

#[test]
fn counts_bytes_errors_and_paths_are_exact() {
    let Some(known) = known() else { return };
    let mut counts = known.counts(|_, tid| tid == known.pid);
    // What a `getdents64` gives depends on the file system.
    let listed = counts.remove(&("/list".to_owned(), LIST, 0)).unwrap();
    assert_eq!(listed.0, 2);
    let many = |(path, ..): &(String, u8, u16)| path.starts_with("/many-");
    let files: Vec<_> = counts.iter().filter(|(key, _)| many(key)).collect();
    assert_eq!(files.len(), 200);
    assert!(files.iter().all(|(_, sum)| **sum == (3, 0)), "{files:?}");
    counts.retain(|key, _| !many(key));
    let expected = [
        ("", ENTER, 0, 1, 0),
        ("/odd \\n\\xff", OPEN, 0, 1, 0),
        ("/odd \\n\\xff", WRITE, 0, 10, 70),
        ("/odd \\n\\xff", SYNC, 0, 5, 0),
        ("/odd \\n\\xff", READ, 0, 20, 60),
        ("/odd \\n\\xff", LOCK, 0, 8, 0),
        ("/durable", OPEN, 0, 1, 0),
        ("/durable", WRITE, 0, 6, 24),
        ("/missing", STAT, ENOENT, 200, 0),
        ("/missing/at/all", OPEN, ENOENT, 30, 0),
        ("/no-such-program", EXECUTE, ENOENT, 3, 0),
        ("/shared", OPEN, 0, 1, 0),
        ("/shared", WRITE, 0, 4, 4),
        ("/list", CREATE, 0, 1, 0),
        ("/list", OPEN, 0, 1, 0),
        ("/list/inner", OPEN, 0, 7, 0),
        ("/before", CREATE, 0, 1, 0),
        ("/before/file", OPEN, 0, 11, 0),
        ("/before", RENAME, 0, 1, 0),
        ("/after/file", OPEN, 0, 12, 0),
        ("/source", OPEN, 0, 1, 0),
        ("/source", WRITE, 0, 1, 10),
        ("/source", READ, 0, 3, 16),
        ("/source", LINK, 0, 1, 0),
        ("/sent", OPEN, 0, 1, 0),
        ("/sent", WRITE, 0, 1, 4),
        ("/sent", RENAME, 0, 1, 0),
        ("/copy", OPEN, 0, 1, 0),
        ("/copy", WRITE, 0, 1, 5),
        ("/copy", CLOSE, 0, 1, 0),
        ("/cold", OPEN, 0, 1, 0),
        ("/cold", WRITE, 0, 1, 8192),
        ("/cold", SYNC, 0, 1, 0),
        ("/cold", READ, 0, 2, 16384),
        ("/socket", CREATE, 0, 1, 0),
        ("/socket", CONNECT, 0, 2, 0),
        ("/nobody", CONNECT, ENOENT, 3, 0),
        ("/mapped", OPEN, 0, 1, 0),
        ("/mapped", WRITE, 0, 1, 8192),
        ("/mapped", MAP, 0, 1, 0),
        ("/mapped", SYNC, 0, 2, 0),
        ("/removed", OPEN, 0, 1, 0),
        ("/removed", REMOVE, 0, 1, 0),
        ("/removed", WRITE, 0, 5, 5),
        ("/gone", CREATE, 0, 1, 0),
        ("/gone", ENTER, 0, 1, 0),
        ("/gone/../gone", REMOVE, 0, 1, 0),
        ("/gone/x", ACCESS, ENOENT, 13, 0),
    ];
    let expected = expected.map(|(path, operation, error, n, bytes)| {
        ((path.to_owned(), operation, error), (n, bytes))
    });
    assert_eq!(counts, Counts::from(expected));
}

impl Known {
    /// The single calls of the program's first thread on a path in the folder, with the second file's path there.
    fn single(&self, path: &str, operation: u8) -> Vec<(Option<String>, SingleFileCall)> {
        let in_folder = |of: &[u8]| {
            let inner = of.strip_prefix(self.folder.as_slice());
            inner.map(|inner| inner.escape_ascii().to_string())
        };
        let all = self.recording.single_file_calls.iter();
        let all = all.filter(|(pid, tid, name, _, call)| {
            let is_own = *pid == self.pid && *tid == self.pid;
            is_own && call.operation == operation && in_folder(&name.path).as_deref() == Some(path)
        });
        all.map(|(_, _, _, other, call)| {
            let other = other.as_ref().and_then(|name| in_folder(&name.path));
            (other, *call)
        })
        .collect()
    }
}

#[test]
fn single_calls_say_where_how_much_and_to_what() {
    let Some(known) = known() else { return };
    let told = |path: &str, operation: u8| {
        let rows = known.single(path, operation);
        let told = rows.into_iter().map(|(other, call)| {
            let other = other.unwrap_or_default();
            (call.offset, call.asked_bytes, call.result, other)
        });
        told.collect::<Vec<_>>()
    };
    let row = |offset: u64, asked: u64, got: i64, other: &str| {
        (Some(offset), Some(asked), got, other.to_owned())
    };
    assert_eq!(told("/source", WRITE), [row(0, 10, 10, "")]);
    let reads = [
        row(3, 100, 7, ""),
        row(2, 4, 4, "/sent"),
        row(1, 5, 5, "/copy"),
    ];
    assert_eq!(told("/source", READ), reads);
    assert_eq!(
        told("/source", LINK),
        [(None, None, 0, "/linked".to_owned())]
    );
    assert_eq!(
        told("/sent", RENAME),
        [(None, None, 0, "/received".to_owned())]
    );
    assert_eq!(
        told("/before", RENAME),
        [(None, None, 0, "/after".to_owned())]
    );
    assert_eq!(told("/copy", CLOSE), [(None, None, 0, String::new())]);
    let synced = [row(0, 8192, 0, ""), row(4096, 4096, 0, "")];
    assert_eq!(told("/mapped", SYNC), synced);
    assert_eq!(told("/missing", STAT).len(), 200);
    let absent = known.single("/missing", STAT);
    assert!(absent.iter().all(|(_, call)| call.error == ENOENT));
    let durable = known.single("/durable", WRITE);
    let at = durable.iter().map(|(_, call)| call.offset.unwrap());
    assert_eq!(at.collect::<Vec<_>>(), [0, 4, 8, 12, 16, 20]);
    assert!(durable.iter().all(|(_, call)| call.flags == DURABLE));
}

/// Below the rate limit each call has its row; `known_files` makes few.
#[test]
fn each_call_has_a_row_where_there_are_few() {
    let Some(known) = known() else { return };
    let counted = known.calls(|_, tid| tid == known.pid);
    let mut counts: BTreeMap<(String, u8, u16), u64> = BTreeMap::new();
    for (path, _, call) in counted {
        *counts
            .entry((path, call.operation, call.error))
            .or_default() += call.count;
    }
    for ((path, operation, error), count) in counts {
        // What is copied has a row as read.
        if operation == WRITE && matches!(path.as_str(), "/sent" | "/copy") {
            continue;
        }
        let rows = match path.starts_with("/missing/") {
            true => continue,
            false => known.single(&path, operation),
        };
        let rows: Vec<_> = rows
            .iter()
            .filter(|(_, call)| call.error == error)
            .collect();
        assert_eq!(rows.len() as u64, count, "{path} {operation} {error}");
        for (_, call) in rows {
            assert!(call.start_ns > 0 && call.start_ns < known.recording.end_ns);
        }
    }
    assert_eq!(known.recording.info("lost_single_file_calls"), None);
}

#[test]
fn beyond_the_rate_rows_are_left_out_and_counts_are_whole() {
    let Some(known) = known_with(1) else { return };
    let counts = known.counts(|_, tid| tid == known.pid);
    let absent = ("/missing".to_owned(), STAT, ENOENT);
    assert_eq!(counts[&absent], (200, 0));
    // One or two per CPU, and those that the machine made wait.
    let rows = known.single("/missing", STAT).len();
    assert!(rows < 100, "{rows}");
    assert_eq!(
        known.recording.info("single_file_calls_per_second"),
        Some("1")
    );
}

#[test]
fn reads_say_whether_they_were_from_a_disk() {
    let Some(known) = known() else { return };
    let on_disk = known.recording.file_calls.iter().any(|(_, _, name, _)| {
        let is_it = name.path.ends_with(b"/cold") && name.path.starts_with(&known.folder);
        is_it && matches!(name.file_system.as_slice(), b"ext4" | b"xfs")
    });
    // In memory, nothing is read from disks.
    if !on_disk {
        return;
    }
    let reads = known.single("/cold", READ);
    let disk: Vec<_> = reads.iter().map(|(_, call)| call.disk_bytes).collect();
    assert!(disk[0].is_some_and(|bytes| bytes >= 8192), "{disk:?}");
    assert_eq!(disk[1], Some(0));
    let counted = known.calls(|_, tid| tid == known.pid);
    let counted = counted
        .iter()
        .filter(|(path, _, call)| path == "/cold" && call.operation == READ);
    let counted: BTreeMap<u8, u64> = counted
        .map(|(_, _, call)| (call.flags, call.count))
        .collect();
    const FROM_DISK: u8 = 4;
    assert_eq!(counted, BTreeMap::from([(0, 1), (FROM_DISK, 1)]));
}

#[test]
fn a_file_is_the_same_by_every_descriptor_and_in_every_process() {
    let Some(known) = known() else { return };
    let shared = |is_of: &dyn Fn(u32, u32) -> bool| {
        let counts = known.counts(is_of);
        counts.get(&("/shared".to_owned(), WRITE, 0)).copied()
    };
    let pid = known.pid;
    let thread = shared(&|other, tid| other == pid && tid != pid);
    assert_eq!(thread, Some((9, 27)));
    assert_eq!(shared(&|other, _| other != pid), Some((6, 12)));
    let calls = known.calls(|_, _| true);
    let written = calls
        .iter()
        .filter(|(path, _, call)| path == "/shared" && call.operation == WRITE);
    let mut numbers: Vec<u64> = written.map(|(_, _, call)| call.file).collect();
    numbers.dedup();
    assert_eq!(numbers.len(), 1, "{numbers:?}");
}

#[test]
fn what_is_removed_only_asked_for_or_durable_says_so() {
    let Some(known) = known() else { return };
    let calls = known.calls(|_, tid| tid == known.pid);
    let flags = |path: &str, operation: u8| {
        let mut calls = calls.iter();
        let found = calls.find(|(other, _, call)| other == path && call.operation == operation);
        let (_, flags, call) = found.unwrap();
        (flags.0, call.flags)
    };
    assert_eq!(flags("/removed", WRITE), (FileFlags::DELETED, 0));
    assert_eq!(flags("/durable", WRITE), (0, DURABLE));
    assert_eq!(flags("/missing", STAT), (FileFlags::NAME_ONLY, 0));
    let both = FileFlags::NAME_ONLY | FileFlags::DELETED;
    assert_eq!(flags("/gone/x", ACCESS), (both, 0));
    for (pid, _, name, call) in &known.recording.file_calls {
        assert!(
            call.timed_count <= call.count && call.longest_ns <= call.time_ns.max(1),
            "{call:?}"
        );
        let is_named = !name.flags.has(FileFlags::NAME_ONLY) && name.mode != 0;
        let is_in_folder = name.path.starts_with(&known.folder);
        if *pid == known.pid && is_named && is_in_folder {
            assert!(name.inode != 0 && !name.file_system.is_empty(), "{name:?}");
        }
    }
}

/// A file system of its own, of which nothing is in memory.
struct Cold(std::path::PathBuf);

impl Cold {
    /// Makes one at `at` with a file in it.
    fn with_file(scratch: &Scratch, file: &str) -> Self {
        let (image, at) = (scratch.path("image"), scratch.path("cold"));
        std::fs::create_dir(&at).unwrap();
        let run = |program: &str, arguments: &[&OsStr]| {
            let done = Command::new(program).args(arguments).output().unwrap();
            assert!(done.status.success(), "{program}: {done:?}");
        };
        let image = image.as_os_str();
        run("mke2fs", &["-qFtext4".as_ref(), image, "64M".as_ref()]);
        let mount = |options: &str| {
            let options = OsStr::new(options);
            run("mount", &["-o".as_ref(), options, image, at.as_os_str()]);
        };
        mount("loop");
        std::fs::write(at.join(file), vec![0; 100_000]).unwrap();
        run("umount", &[at.as_os_str()]);
        // Otherwise the kernel reads what it will need in the background.
        mount("loop,no_prefetch_block_bitmaps,noinit_itable");
        Self(at)
    }
}

impl Drop for Cold {
    fn drop(&mut self) {
        let _done = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_descriptor_that_was_closed_by_a_call_that_read_a_disk_is_another_files() {
    const DISK: u8 = 1 << 2;
    let Some(program) = program().filter(|_| has(Feature::Bpf) && has(Feature::Ext)) else {
        return;
    };
    let program = program.with_file_name("reused_descriptor");
    let scratch = Scratch::new();
    let settings = Settings::new(scratch.path("reused.data"));
    let cold = Cold::with_file(&scratch, "file");
    let file = cold.0.join("file");
    let command = [program.as_os_str(), file.as_os_str()];
    // A recording with losses cannot be made again: the file is gone.
    let report = crate::recorder(settings.clone())
        .unwrap()
        .run_command(&command);
    assert_eq!(report.unwrap().command.unwrap().ending.shell_code(), 0);
    let recording = Recording::read(&settings.output);
    let calls = recording.file_calls.iter();
    let calls = calls.filter(|(_, _, name, _)| name.path.ends_with(b"/cold/file"));
    let sum = |operation: u8| {
        let calls = calls
            .clone()
            .filter(|(.., call)| call.operation == operation);
        calls
            .map(|(.., call)| (call.count, call.flags))
            .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 | one.1))
    };
    assert_eq!(sum(CLOSE), (1, DISK), "it frees the blocks of the file");
    assert_eq!(sum(READ).0, 5000);
}
