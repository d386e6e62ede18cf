//! Marks as the eBPF programs write them (`bpf/marks.h`).
//!
//! A program sets a mark by asking for a file `/dev/null/whyslow-mark/TEXT`: `/dev/null` is not a folder, so the call
//! fails with `ENOTDIR` on every machine, for every user and in every container, and changes nothing. Any call that
//! names a file does it: `stat`, `access`, `open`. The call is counted as a system call, but not as a call about a
//! file.
//!
//! Each mark is written at once, with its own time and thread. Beyond 10,000 per second and CPU they are counted as
//! lost, as are those for which a ring has no room.

use whyslow_perfdata::whyslow_events::Mark;

use crate::words::{half, short};

/// Bytes of `struct mark` before its text.
const HEAD_BYTES: usize = 32;
/// Bytes of the path that are not the text.
const FOLDER_BYTES: usize = b"/dev/null/whyslow-mark/".len();

const CUT: u16 = 1;
const DESCENDS: u16 = 2;

/// Reads a mark, and returns how many bytes it took. `None` if it is cut off.
pub(crate) fn parse_mark(bytes: &[u8]) -> Option<(Mark, usize)> {
    let flags = short(bytes, 26)?;
    let length = usize::try_from(half(bytes, 28)?).ok()?;
    let size = HEAD_BYTES.checked_add(length)?;
    let path = bytes.get(HEAD_BYTES..size)?;
    let mark = Mark {
        pid: half(bytes, 0)?,
        tid: half(bytes, 4)?,
        is_cut: flags & CUT != 0,
        descends: flags & DESCENDS != 0,
        text: path.get(FOLDER_BYTES..)?.to_vec(),
    };
    Some((mark, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_and_what_is_cut_off_is_refused() {
        let path = b"/dev/null/whyslow-mark/a/b";
        let mut bytes = vec![0; HEAD_BYTES];
        (bytes[0], bytes[4], bytes[24], bytes[26]) = (7, 8, 5, 2);
        bytes[28] = path.len() as u8;
        bytes.extend_from_slice(path);
        let (mark, size) = parse_mark(&bytes).unwrap();
        assert_eq!((mark.pid, mark.tid, size), (7, 8, bytes.len()));
        assert_eq!((mark.is_cut, mark.descends), (false, true));
        assert_eq!(mark.text, b"a/b");
        assert_eq!(parse_mark(&bytes[..bytes.len() - 1]), None);
        bytes[28] = 5;
        assert_eq!(parse_mark(&bytes), None, "no text");
        bytes[28..32].fill(0xff);
        assert_eq!(parse_mark(&bytes), None);
    }
}
