//! The container of tracepoint formats.
//!
//! Source of knowledge: `trace-cmd.dat.v6` (man page of trace-cmd) and `trace-event-info.c` of
//! perf. Perf writes version 0.5 or 0.6; they differ only after the formats, in parts that this
//! reader does not use (`kallsyms`, `printk` formats, saved command lines).
//!
//! ```text
//! 17 08 44 "tracing" version\0 endian(1) bytes-of-long(1) page-bytes(4)
//! "header_page\0" size(8) text   "header_event\0" size(8) text
//! count(4) { size(8) text }                                        formats of ftrace itself
//! systems(4) { name\0 count(4) { size(8) text } }                  the tracepoints
//! ```

use crate::endian::{Cursor, Endian, text};
use crate::trace_format::TraceFormat;

/// Maximum number of formats in a file.
const MOST_FORMATS: usize = 100_000;
/// Maximum number of systems in a file.
const MOST_SYSTEMS: u32 = 10_000;

/// Decodes the container into `formats`; `None` if it is damaged, with the formats before the
/// damage kept.
pub(crate) fn decode(bytes: &[u8], formats: &mut Vec<TraceFormat>) -> Option<()> {
    let mut cursor = Cursor::new(bytes, Endian::Little);
    if cursor.take(10)? != b"\x17\x08\x44tracing" {
        return None;
    }
    let _version = cursor.c_str()?;
    if cursor.u8()? != 0 {
        cursor.endian = Endian::Big;
    }
    let _bytes_of_long = cursor.u8()?;
    let _page_bytes = cursor.u32()?;
    for name in [&b"header_page"[..], b"header_event"] {
        if cursor.c_str()? != name {
            return None;
        }
        take_text(&mut cursor)?;
    }
    for _ in 0..cursor.u32()? {
        take_text(&mut cursor)?;
    }
    for _ in 0..cursor.u32()?.min(MOST_SYSTEMS) {
        let system = text(cursor.c_str()?);
        for _ in 0..cursor.u32()? {
            let format = take_text(&mut cursor)?;
            if formats.len() >= MOST_FORMATS {
                return None;
            }
            formats.extend(TraceFormat::parse(&system, &text(format)));
        }
    }
    Some(())
}

fn take_text<'a>(cursor: &mut Cursor<'a>) -> Option<&'a [u8]> {
    let size = cursor.u64()?;
    cursor.take_count(size)
}
