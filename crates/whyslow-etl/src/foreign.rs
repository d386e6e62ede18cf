//! What a file is if it is not a trace, so that the message helps.

use crate::error::{Error, ErrorKind};

/// Beginnings of files that people pass instead of traces.
const MAGICS: &[(&[u8], &str)] = &[
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (b"\x1f\x8b", "a gzip file; unpack it first"),
    (b"(\xb5/\xfd", "a zstd file; unpack it first"),
    (b"MSCF", "a cabinet; unpack it first"),
    (b"PERFILE2", "a perf.data file"),
    (b"ElfFile\0", "an event log (.evtx)"),
    (b"LfLe", "an event log (.evt)"),
    (b"Microsoft C/C++ MSF", "a program database (.pdb)"),
    (b"MDMP", "a memory dump"),
    (b"PAGEDU", "a memory dump"),
    (b"PAR1", "a Parquet file"),
    (b"MZ", "a program"),
    (b"\x7fELF", "a program"),
    (b"Salted__", "an encrypted file"),
    (b"-----BEGIN", "an encrypted or signed file"),
];

/// Returns the error for a file that begins with `start`.
pub(crate) fn describe(start: &[u8]) -> Box<Error> {
    if start.iter().all(|byte| *byte == 0) {
        let what = "expected a trace buffer, found nothing but zeros";
        return Error::new(ErrorKind::Empty, 0, what);
    }
    let known = MAGICS.iter().find(|(magic, _)| start.starts_with(magic));
    let found = if let Some((_, name)) = known {
        (*name).to_owned()
    } else if is_noise(start) {
        "data without structure: it is probably encrypted or compressed".to_owned()
    } else if start.iter().all(|byte| matches!(byte, 9..=13 | 32..=126)) {
        "text".to_owned()
    } else {
        let first: Vec<u8> = start.iter().take(8).copied().collect();
        format!("{first:02x?}")
    };
    let what = format!("expected a trace buffer, found {found}");
    Error::new(ErrorKind::NotEtl, 0, what)
}

/// Returns whether every byte value is about as frequent as any other, which is true of no trace
/// buffer.
fn is_noise(start: &[u8]) -> bool {
    const LEAST_BYTES: usize = 2048;
    if start.len() < LEAST_BYTES {
        return false;
    }
    let mut counts = [0_usize; 256];
    for byte in start {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let mean = start.len() / counts.len();
    counts.iter().all(|count| *count <= 3 * mean)
}
