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
//! The path of a file is read when a thread begins to count the file and the table of 65,536 known
//! files lacks it. A rename or a mount clears the table, because it may change the paths of everything
//! below. The thread hands over several paths together, before the counts or calls that refer to them; only then are
//! they known. If another thread has read the path of a file again after a rename, the older one is left out.
//!
//! If a thread closes a descriptor that it has just opened, it closes the file that it opened. So the number of that
//! file is kept until another call may have closed the descriptor or renamed the file, unless the thread shares its
//! descriptors.

use whyslow_perfdata::whyslow_events::{FileCall, FileCalls, FileFlags, FileName};

use crate::words::{half, short, word};

/// Bytes of `struct file_counts` before its slots, and of a slot.
const HEAD_BYTES: usize = 32;
const SLOT_BYTES: usize = 48;
/// `FILE_SLOTS` in the source.
const MOST_SLOTS: usize = 32;
/// Bytes of `struct file_name`, and of the part that names in one record share.
const NAME_BYTES: usize = 72;
const NAME_HEAD_BYTES: usize = 24;
/// Bytes of `struct file_names` before its body; `NAMES_AT_ONCE` in the source.
const NAMES_HEAD_BYTES: usize = 160;
const MOST_NAMES: usize = 16;

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
pub(crate) fn parse_slot(slot: &[u8]) -> Option<FileCall> {
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
    let number = word(bytes, 0)?;
    parse_named(number, bytes.get(NAME_HEAD_BYTES..)?).map(|(name, _)| name)
}

/// Reads which files several numbers refer to, and returns how many bytes that took.
pub(crate) fn parse_names(bytes: &[u8]) -> Option<(Vec<FileName>, usize)> {
    let used = usize::from(short(bytes, 26)?);
    let size = NAMES_HEAD_BYTES + usize::try_from(half(bytes, 28)?).ok()?;
    let mut rest = bytes.get(NAMES_HEAD_BYTES..size)?;
    if used > MOST_NAMES {
        return None;
    }
    let mut names = Vec::with_capacity(used);
    for at in 0..used {
        let number = word(bytes, 32 + 8 * at)?;
        let (name, size) = parse_named(number, rest)?;
        rest = rest.get(size..)?;
        names.push(name);
    }
    names.retain(|name| name.number != 0);
    Some((names, size))
}

/// Reads the file that a number refers to, without the part that names in one record share, and how many bytes it took.
fn parse_named(number: u64, bytes: &[u8]) -> Option<(FileName, usize)> {
    const BYTES: usize = NAME_BYTES - NAME_HEAD_BYTES;
    let told = short(bytes, 2)?;
    let (names_bytes, text_bytes) = (short(bytes, 4)?.into(), short(bytes, 6)?.into());
    let (names, rest) = bytes.get(BYTES..)?.split_at_checked(names_bytes)?;
    let text = rest.get(..text_bytes)?;
    let system = bytes.get(32..BYTES)?;
    let end = system.iter().position(|&byte| byte == 0);
    let name = FileName {
        number,
        inode: word(bytes, 8)?,
        magic: word(bytes, 16)?,
        device: half(bytes, 24)?,
        mode: half(bytes, 28)?,
        flags: flags(told),
        path: path(names, text, told),
        file_system: system.get(..end.unwrap_or(system.len()))?.to_vec(),
    };
    Some((name, BYTES + names_bytes + text_bytes))
}

/// The flags of a path, from those that the programs report.
pub(crate) fn flags(told: u16) -> FileFlags {
    let flags = FLAGS.iter().filter(|(bit, _)| told & bit != 0);
    FileFlags(flags.fold(0, |sum, (_, flag)| sum | flag))
}

/// Puts a path together: `names` lead from the file to the root, each ended by a zero byte; `text`
/// begins where they lead to.
pub(crate) fn path(names: &[u8], text: &[u8], told: u16) -> Vec<u8> {
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
    fn names_in_one_record_are_read_one_by_one() {
        let named = |names: &[u8], text: &[u8]| {
            let mut name = vec![0; NAME_BYTES - NAME_HEAD_BYTES];
            (name[4], name[6], name[8]) = (names.len() as u8, text.len() as u8, 77);
            [&name, names, text].concat()
        };
        let body = [named(b"a\0", b""), named(b"b\0", b""), named(b"", b"/c/d")].concat();
        let mut record = vec![0; NAMES_HEAD_BYTES];
        (record[26], record[28]) = (3, body.len() as u8);
        (record[32], record[48]) = (5, 7);
        record.extend_from_slice(&body);
        record.push(99);
        let (names, size) = parse_names(&record).unwrap();
        assert_eq!(size, record.len() - 1);
        let names: Vec<_> = names
            .iter()
            .map(|name| (name.number, name.inode, name.path.as_slice()))
            .collect();
        // The second one has had another path since then.
        assert_eq!(names, [(5, 77, &b"/a"[..]), (7, 77, b"/c/d")]);
        assert_eq!(parse_names(&record[..size - 1]), None);
        record[26] = 4;
        assert_eq!(parse_names(&record), None, "fewer than it says");
        record[26] = 200;
        assert_eq!(parse_names(&record), None);
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
