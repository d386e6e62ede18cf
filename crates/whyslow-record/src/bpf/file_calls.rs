//! What the eBPF programs say of files (`bpf/file_calls.h`, `bpf/file.h`).
//!
//! A call about a file is counted by thread, file, operation and result when it returns: in up to 32 slots
//! of memory per thread. The slots are handed over once a second, when all are in use, and when the thread
//! ends or executes another program. So counts, bytes and errors are exact however many files there are; a
//! file that the thread has no slot for only costs more.
//!
//! **Which file** a descriptor refers to is read from the kernel's structures when the call returns: the
//! name it was opened by (dentry) and the mount, up to the root of all mounts, so no bookkeeping of
//! descriptors is needed and none can be wrong. A name that a program passes is read when the call
//! returns, because its page is resident then, and is stored with the folder that it is relative to. A
//! call that opens a file is counted for the file; one that fails is counted for the name.
//!
//! The path of a file is written when a thread begins to count the file and the table of 65,536 known
//! files lacks it. A rename or a mount clears the table, because it may change the paths of everything
//! below.

use whyslow_perfdata::whyslow_events::{FileCall, FileCalls, FileFlags, FileName};

use super::words::{half, short, word};

/// Bytes of `struct file_counts` before its slots, and of a slot.
const HEAD_BYTES: usize = 32;
const SLOT_BYTES: usize = 48;
/// `FILE_SLOTS` in the source.
const MOST_SLOTS: usize = 32;
/// Bytes of `struct file_name`.
const NAME_BYTES: usize = 72;

/// Flags of `struct names`, and of `struct file_name`.
const FLAGS: [(u16, u32); 5] = [
    (1, FileFlags::DELETED),
    (2, FileFlags::UNREACHABLE),
    (4, FileFlags::CUT),
    (0x100, FileFlags::NAME_ONLY),
    (0x200, FileFlags::CUT),
];

/// Reads the counts of one thread, and returns how many bytes they took. `None` if they are cut
/// off.
pub(crate) fn parse_counts(bytes: &[u8]) -> Option<(FileCalls, usize)> {
    let used = usize::try_from(half(bytes, 28)?).ok()?;
    if used > MOST_SLOTS {
        return None;
    }
    let size = HEAD_BYTES + used * SLOT_BYTES;
    let slots = bytes.get(HEAD_BYTES..size)?.chunks_exact(SLOT_BYTES);
    let counts = FileCalls {
        pid: half(bytes, 0)?,
        tid: half(bytes, 4)?,
        from_ns: word(bytes, 8)?,
        to_ns: word(bytes, 16)?,
        calls: slots.map(parse_slot).collect::<Option<_>>()?,
    };
    Some((counts, size))
}

/// Reads a slot of counts.
pub(super) fn parse_slot(slot: &[u8]) -> Option<FileCall> {
    let key = half(slot, 8)?;
    let [operation, flags, ..] = key.to_le_bytes();
    Some(FileCall {
        file: word(slot, 0)?,
        operation,
        flags,
        error: u16::try_from(key >> 16 & 0xfff).ok()?,
        timed_count: half(slot, 12)?.into(),
        count: word(slot, 16)?,
        bytes: word(slot, 24)?,
        time_ns: word(slot, 32)?,
        longest_ns: word(slot, 40)?,
    })
}

/// Reads which file a number refers to.
pub(crate) fn parse_name(bytes: &[u8]) -> Option<FileName> {
    let told = short(bytes, 26)?;
    let body = bytes.get(NAME_BYTES..)?;
    let (names, rest) = body.split_at_checked(short(bytes, 28)?.into())?;
    let text = rest.get(..usize::from(short(bytes, 30)?))?;
    let system = bytes.get(56..NAME_BYTES)?;
    let end = system.iter().position(|&byte| byte == 0);
    Some(FileName {
        number: word(bytes, 0)?,
        inode: word(bytes, 32)?,
        magic: word(bytes, 40)?,
        device: half(bytes, 48)?,
        mode: half(bytes, 52)?,
        flags: flags(told),
        path: path(names, text, told),
        file_system: system.get(..end.unwrap_or(system.len()))?.to_vec(),
    })
}

/// The flags of a path, from those that the programs report.
pub(super) fn flags(told: u16) -> FileFlags {
    let flags = FLAGS.iter().filter(|(bit, _)| told & bit != 0);
    FileFlags(flags.fold(0, |sum, (_, flag)| sum | flag))
}

/// Puts a path together: `names` lead from the file to the root, each ended by a zero byte; `text`
/// begins where they lead to.
pub(super) fn path(names: &[u8], text: &[u8], told: u16) -> Vec<u8> {
    const UNREACHABLE: u16 = 2;
    const CUT: u16 = 4;
    let names = names
        .split(|&byte| byte == 0)
        .filter(|name| !name.is_empty());
    let names: Vec<_> = names.collect();
    let mut path = Vec::new();
    for name in names.iter().rev() {
        path.push(b'/');
        path.extend_from_slice(name);
    }
    // A file in no folder has a plain name.
    if names.len() == 1 && told & UNREACHABLE != 0 && text.is_empty() {
        path.remove(0);
    }
    if told & CUT != 0 {
        path.splice(0..0, "…".bytes());
    }
    let parts = text.split(|&byte| byte == b'/');
    for part in parts.filter(|part| !part.is_empty() && *part != b".") {
        path.push(b'/');
        path.extend_from_slice(part);
    }
    if path.is_empty() && told & UNREACHABLE == 0 {
        path.push(b'/');
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_put_together_from_names_and_text() {
        let join = |names: &[u8], text: &[u8], told| {
            String::from_utf8_lossy(&path(names, text, told)).into_owned()
        };
        assert_eq!(join(b"app.ini\0etc\0", b"", 0), "/etc/app.ini");
        assert_eq!(join(b"", b"", 0), "/");
        assert_eq!(join(b"code\0home\0", b"./a//b/", 0), "/home/code/a/b");
        assert_eq!(join(b"code\0", b"../x", 0), "/code/../x");
        assert_eq!(join(b"", b"/etc/passwd", 0), "/etc/passwd");
        assert_eq!(join(b"jail\0", b"/etc/passwd", 0), "/jail/etc/passwd");
        assert_eq!(join(b"memfd:buffer\0", b"", 2), "memfd:buffer");
        assert_eq!(join(b"", b"", 2), "");
        assert_eq!(join(b"a\0b\0", b"", 4), "…/b/a");
        assert_eq!(join(b"a\0b\0", b"c/d", 4), "…/b/a/c/d");
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let mut name = vec![0; NAME_BYTES];
        name[28] = 3;
        name[30] = 2;
        name.extend_from_slice(b"a\0\0b");
        assert_eq!(parse_name(&name), None);
        name.push(b'c');
        assert_eq!(parse_name(&name).unwrap().path, b"/a/bc");
        let mut counts = vec![0; HEAD_BYTES + SLOT_BYTES];
        counts[28] = 2;
        assert_eq!(parse_counts(&counts), None);
        counts[28] = 1;
        assert_eq!(parse_counts(&counts).unwrap().1, counts.len());
        counts[28] = 200;
        assert_eq!(parse_counts(&counts), None);
    }
}
