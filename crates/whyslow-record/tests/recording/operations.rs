//! Every call about files is counted for its file, and what is no path never becomes one.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;

use whyslow_perfdata::whyslow_events::FileFlags;
use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, program, recorded_whole};

const EBADF: u16 = libc::EBADF as u16;
const ENOENT: u16 = libc::ENOENT as u16;
const EEXIST: u16 = libc::EEXIST as u16;
const EINVAL: u16 = libc::EINVAL as u16;
const ENAMETOOLONG: u16 = libc::ENAMETOOLONG as u16;
const ENOTDIR: u16 = libc::ENOTDIR as u16;
const ERANGE: u16 = libc::ERANGE as u16;
const EFAULT: u16 = libc::EFAULT as u16;

/// Path in the folder, operation, error, count, bytes.
type Line = (&'static str, u8, u16, u64, u64);

/// What `known_operations` does, by the codes of operations.
#[rustfmt::skip]
const EXPECTED: &[Line] = &[
    ("", 19, 0, 1, 0),
    ("/data", 1, 0, 2, 0),
    ("/data", 6, 0, 15, 1 + 2 * 10 + (3 + 4 + 5) * 7),
    ("/data", 6, EBADF, 6, 0),
    ("/data", 5, 0, 18, 2 + 2 * 5 + (3 + 4 + 5) * 7 + 9),
    ("/data", 7, 0, 10, 0),
    ("/data", 14, 0, 6, 0),
    ("/data", 15, 0, 3, 0),
    ("/data", 16, 0, 4, 0),
    ("/asked", 1, 0, 1, 0),
    ("/asked", 2, 0, 21, 0),
    ("/asked", 3, 0, 6, 0),
    ("/link", 12, 0, 1, 0),
    ("/link", 4, 0, 9, 0),
    ("/asked", 4, EINVAL, 2, 0),
    ("/asked", 18, 0, 3, 0),
    ("/asked", 20, 0, 3, 0),
    ("/asked", 20, EBADF, 4, 0),
    ("/asked", 19, ENOTDIR, 2, 0),
    ("/asked", 13, ERANGE, 21, 0),
    ("/asked", 2, ERANGE, 6, 0),
    ("/made", 1, 0, 5, 0),
    ("/folder", 11, 0, 1, 0),
    ("/folder", 11, EEXIST, 6, 0),
    ("/pipe", 11, 0, 1, 0),
    ("/pipe", 11, EEXIST, 1, 0),
    ("/made", 12, 0, 2, 0),
    ("/symbolic", 12, 0, 1, 0),
    ("/second", 9, 0, 1, 0),
    ("/third", 9, 0, 1, 0),
    ("/renamed", 9, 0, 1, 0),
    ("/renamed-2", 10, 0, 1, 0),
    ("/renamed-3", 10, 0, 1, 0),
    ("/renamed-3", 10, ENOENT, 1, 0),
    ("/folder", 10, 0, 1, 0),
    ("/folder", 10, ENOENT, 2, 0),
    ("/changed", 1, 0, 1, 0),
    ("/changed", 13, 0, 11, 0),
    ("/edge", 2, ENOENT, 6, 0),
];

/// The calls of the first thread in the folder: path, operation, error; count, bytes, flags.
struct Counted {
    folder: Vec<u8>,
    calls: BTreeMap<(String, u8, u16), (u64, u64, u32)>,
}

fn counted() -> Option<Counted> {
    let example = program()?.with_file_name("known_operations");
    if !has(Feature::Bpf) {
        return None;
    }
    let scratch = Scratch::new();
    let folder = scratch.path("known");
    std::fs::create_dir(&folder).unwrap();
    let folder = folder.canonicalize().unwrap();
    let output = scratch.path("operations.data");
    // A recording with losses is made again, and must find the folder as it was.
    let script = "rm -rf \"$1\"; mkdir \"$1\"; exec \"$0\" \"$1\"";
    let shell = ["sh".as_ref(), "-c".as_ref(), script.as_ref()];
    let command = [&shell, [example.as_os_str(), folder.as_os_str()].as_slice()].concat();
    recorded_whole(&Settings::new(&output), &command)?;
    let recording = Recording::read(&output);
    let pid: u32 = recording.info("command_pid").unwrap().parse().unwrap();
    let folder = folder.as_os_str().as_bytes().to_vec();
    let mut calls = BTreeMap::new();
    for (_, _, name, call) in recording
        .file_calls
        .iter()
        .filter(|(_, tid, ..)| *tid == pid)
    {
        assert_ne!(call.error, EFAULT, "no path: {name:?}");
        // What is cut does not begin with the folder.
        let inner = name.path.strip_prefix(folder.as_slice());
        let inner = inner.or_else(|| name.path.strip_prefix("…".as_bytes()));
        let Some(inner) = inner else { continue };
        let key = (inner.escape_ascii().to_string(), call.operation, call.error);
        let sum: &mut (u64, u64, u32) = calls.entry(key).or_default();
        *sum = (sum.0 + call.count, sum.1 + call.bytes, sum.2 | name.flags.0);
    }
    Some(Counted { folder, calls })
}

#[test]
fn every_call_counts_for_its_file() {
    let Some(counted) = counted() else { return };
    for &(path, operation, error, count, bytes) in EXPECTED {
        let found = counted.calls.get(&(path.to_owned(), operation, error));
        let found = found.map(|&(count, bytes, _)| (count, bytes));
        assert_eq!(found, Some((count, bytes)), "{path} {operation} {error}");
    }
    let known = |path: &str| EXPECTED.iter().any(|line| line.0 == path);
    let more: Vec<_> = counted.calls.keys().filter(|key| known(&key.0)).collect();
    assert_eq!(more.len(), EXPECTED.len(), "{more:#?}");

    // The longest path, one that is too long, and the longest name.
    const STAT: u8 = 2;
    let stat = |path: &str, error| counted.calls.get(&(path.to_owned(), STAT, error));
    let count = |path: &str, error| stat(path, error).map(|sum| sum.0);
    assert_eq!(count("/xxxxx", ENOENT), Some(3));
    assert_eq!(count(&format!("/{}", "n".repeat(255)), ENOENT), Some(5));
    let (too_long, _, flags) = stat("/xxx", ENAMETOOLONG).copied().unwrap();
    assert_eq!(too_long, 4);
    assert!(FileFlags(flags).has(FileFlags::CUT), "{flags:#x}");
    // A folder whose path does not fit says so, and its end is right.
    let deep = counted.calls.iter();
    let mut deep = deep.filter(|((path, ..), _)| path.ends_with("/deepest"));
    let ((path, ..), &(count, _, flags)) = deep.next().unwrap();
    assert_eq!((deep.next(), count), (None, 7));
    assert!(FileFlags(flags).has(FileFlags::CUT), "{flags:#x}");
    let part = format!("/{}", "d".repeat(200));
    let inner = path.strip_suffix("/deepest").unwrap().replace(&part, "");
    assert!(inner.is_empty(), "{inner}");
    assert!(counted.folder.len() < 4096);
    // A name that changes under the call is one of those that it was.
    let changing = ["/p1", "/p2"].map(|path| count_of(&counted, path));
    assert_eq!(changing.iter().sum::<u64>(), 2000);
    let odd: Vec<_> = counted
        .calls
        .keys()
        .filter(|key| key.0.starts_with("/p"))
        .collect();
    assert!(
        odd.iter()
            .all(|key| matches!(key.0.as_str(), "/p1" | "/p2" | "/pipe")),
        "{odd:?}"
    );
}

fn count_of(counted: &Counted, path: &str) -> u64 {
    let of_path = counted.calls.iter().filter(|((one, ..), _)| one == path);
    of_path.map(|(_, sum)| sum.0).sum()
}
