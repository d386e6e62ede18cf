//! What a worker reports to its parent at the end: how it ended, then 24 bytes per operation, all
//! numbers
//! little-endian.
//!
//! ```text
//! ending: i32 │ start_ns: u64 │ duration_ns: u64 │ result: i32 │ count: u32 │ start_ns …
//! ```

use std::io::{self, Read};
use std::ops::RangeInclusive;

use whyslow_series::{Ending, Measured};

/// Bytes of an operation.
const RECORD: usize = 24;

/// Bytes of the ending.
const HEAD: usize = 4;

/// Endings; numbers above are error numbers of the system.
const ENDINGS: [(i32, Ending); 3] = [
    (0, Ending::Done),
    (-1, Ending::Budget),
    (-2, Ending::Interrupted),
];

fn code(ending: Ending) -> i32 {
    let known = ENDINGS.iter().find(|(_, known)| *known == ending);
    match (known, ending) {
        (None, Ending::Failed(errno)) => errno,
        (known, _) => known.map_or(0, |(code, _)| *code),
    }
}

fn ending(code: i32) -> Option<Ending> {
    let known = ENDINGS.iter().find(|(known, _)| *known == code);
    match known {
        Some((_, ending)) => Some(*ending),
        None => (code > 0).then_some(Ending::Failed(code)),
    }
}

/// Returns the bytes for what was measured.
pub(super) fn written(log: &[Measured], ending: Ending) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + log.len() * RECORD);
    bytes.extend(code(ending).to_le_bytes());
    for one in log {
        bytes.extend(one.start_ns.to_le_bytes());
        bytes.extend(one.duration_ns.to_le_bytes());
        bytes.extend(one.result.to_le_bytes());
        bytes.extend(one.count.to_le_bytes());
    }
    bytes
}

/// Reads until the end, or until it is more than `most` operations can be.
pub(super) fn read(out: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
    let (head, record) = (u64::try_from(HEAD), u64::try_from(RECORD));
    let room = most.saturating_mul(record.unwrap_or(0));
    let room = room.saturating_add(head.unwrap_or(0)).saturating_add(1);
    let mut bytes = Vec::new();
    out.take(room).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns what the worker measured: at most `most` operations, all of them at `times`.
///
/// # Errors
/// When that is not what the bytes say.
pub(super) fn understood(
    bytes: &[u8],
    most: u64,
    times: RangeInclusive<u64>,
) -> Result<(Vec<Measured>, Ending), &'static str> {
    let Some((head, rest)) = bytes.split_first_chunk::<HEAD>() else {
        return Err("it ended early");
    };
    let records = rest.chunks_exact(RECORD);
    let count = u64::try_from(rest.len().div_ceil(RECORD)).unwrap_or(u64::MAX);
    if count > most {
        return Err("it reported more operations than it was asked for");
    }
    if !records.remainder().is_empty() {
        return Err("its report is cut off");
    }
    let impossible = "its report is impossible";
    let ending = ending(i32::from_le_bytes(*head)).ok_or(impossible)?;
    let log: Option<Vec<Measured>> = records.map(|record| operation(record, &times)).collect();
    Ok((log.ok_or(impossible)?, ending))
}

fn operation(record: &[u8], times: &RangeInclusive<u64>) -> Option<Measured> {
    let (start, record) = record.split_first_chunk()?;
    let (duration, record) = record.split_first_chunk()?;
    let (result, record) = record.split_first_chunk()?;
    let one = Measured {
        start_ns: u64::from_le_bytes(*start),
        duration_ns: u64::from_le_bytes(*duration),
        result: i32::from_le_bytes(*result),
        count: u32::from_le_bytes(*record.first_chunk()?),
    };
    let end = one.start_ns.checked_add(one.duration_ns)?;
    (times.contains(&one.start_ns) && times.contains(&end)).then_some(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: RangeInclusive<u64> = 1_000..=9_000;

    fn log(count: u64) -> Vec<Measured> {
        let one = |at| Measured {
            start_ns: 1_000 + at * 100,
            duration_ns: 90 + at,
            result: i32::from(at == 7) * 28,
            count: 3,
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn what_is_told_is_understood() {
        let failed = Ending::Failed(28);
        for end in [Ending::Done, Ending::Budget, Ending::Interrupted, failed] {
            for count in [0, 1, 20] {
                let bytes = written(&log(count), end);
                let read = read(&mut &bytes[..], 20).expect("bytes");
                assert_eq!(understood(&read, 20, TIMES), Ok((log(count), end)));
            }
        }
    }

    #[test]
    fn what_is_cut_is_refused_at_every_byte_but_between_operations() {
        let bytes = written(&log(9), Ending::Done);
        for end in 0..bytes.len() {
            let cut = understood(&bytes[..end], 9, TIMES);
            let whole = end >= HEAD && (end - HEAD).is_multiple_of(RECORD);
            assert_eq!(cut.is_ok(), whole, "cut at {end}");
        }
        let more = read(&mut io::repeat(0), 9).expect("bytes");
        assert_eq!(more.len(), HEAD + 9 * RECORD + 1);
        let said = understood(&more, 9, TIMES);
        assert_eq!(
            said,
            Err("it reported more operations than it was asked for")
        );
    }

    #[test]
    fn damaged_bytes_are_refused_or_could_be_true() {
        let mut random: u64 = 88_172_645_463_325_252;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            usize::try_from(random >> 33).unwrap_or(0)
        };
        let sound = written(&log(9), Ending::Done);
        let mut refused = 0;
        for _ in 0..20_000 {
            let mut bytes = sound.clone();
            for _ in 0..1 + next() % 4 {
                let at = next() % bytes.len();
                bytes[at] = u8::try_from(next() % 256).unwrap_or(0);
            }
            match understood(&bytes, 9, TIMES) {
                Ok((log, _)) => assert!(log.iter().all(|one| {
                    TIMES.contains(&one.start_ns)
                        && TIMES.contains(&(one.start_ns + one.duration_ns))
                })),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 10_000, "{refused}");
    }
}
