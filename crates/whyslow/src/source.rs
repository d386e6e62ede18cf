//! A recording as a source of facts: its files, its size, an id made from its bytes, what its name says.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use whyslow_extract::name::TestName;
use whyslow_import::TraceFacts;

use crate::failure::{Failure, io_hint, plain};

/// How much of the file is read at each place.
const PIECE: u64 = 64 << 10;

/// Distance between two places.
const STRIDE: u64 = 4 << 20;

/// A file of a recording.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// What messages call it; of a file in an archive, its place there.
    pub(crate) shown: String,
    /// What tables call it.
    pub(crate) name: String,
}

impl Part {
    /// Returns a file as the user named it.
    pub(crate) fn plain(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default();
        Self {
            path: path.to_owned(),
            shown: path.display().to_string(),
            name: name.to_string_lossy().into_owned(),
        }
    }
}

/// What wrote a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `perf`, or our recorder.
    Perf,
    /// A session of Event Tracing for Windows.
    Etl,
}

/// Returns what wrote the recording at `path`: its beginning says, and its name where that does not.
pub(crate) fn kind(path: &Path) -> Kind {
    const START: u64 = 4096;
    let mut start = Vec::new();
    if path.is_file()
        && let Ok(file) = File::open(path)
    {
        // What cannot be read is no trace; whoever opens it next says why.
        let _unread = file.take(START).read_to_end(&mut start);
    }
    let is_named = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("etl"));
    let is_perf = start.starts_with(b"PERFILE2") || start.starts_with(b"2ELIFREP");
    if whyslow_etl::is_trace(&start) || is_named && !is_perf {
        Kind::Etl
    } else {
        Kind::Perf
    }
}

/// Returns what is known of a recording in several files before it is read.
pub(crate) fn facts_of_all(parts: &[Part]) -> Result<TraceFacts, Failure> {
    let Some((first, others)) = parts.split_first() else {
        return Ok(TraceFacts::default());
    };
    let mut whole = facts(&first.path)?;
    let mut known = vec![(whole.trace.trace_id.clone(), &first.shown)];
    for part in others {
        let (shown, part) = (&part.shown, facts(&part.path)?.trace);
        if let Some((_, same)) = known.iter().find(|(id, _)| *id == part.trace_id) {
            let what = format!("extract {same} and {shown} together");
            return Err(Failure::cannot(what, "they are the same recording")
                .hint("everything in it would count twice: name it once"));
        }
        known.push((part.trace_id.clone(), shown));
        let whole = &mut whole.trace;
        let mut hash = Fnv::new();
        hash.take(whole.trace_id.as_bytes());
        hash.take(part.trace_id.as_bytes());
        whole.trace_id = format!("{:032x}", hash.0);
        whole.source = format!("{}, {}", whole.source, part.source);
        whole.source_bytes = whole.source_bytes.saturating_add(part.source_bytes);
    }
    Ok(whole)
}

/// Returns what the system says of the recording at `path`, which may be a pipe.
pub(crate) fn metadata(path: &Path) -> Result<Metadata, Failure> {
    let what = || format!("read {}", path.display());
    let meta = path.metadata().map_err(|error| unread(path, &error))?;
    if meta.is_dir() {
        return Err(Failure::cannot(what(), "it is a directory")
            .hint("name a perf.data or .etl file; extracts need no extracting"));
    }
    Ok(meta)
}

/// Returns the failure to read the recording at `path`.
fn unread(path: &Path, error: &io::Error) -> Failure {
    let what = format!("read {}", path.display());
    match (error.kind(), io_hint(error)) {
        (io::ErrorKind::NotFound, _) => Failure::cannot(what, "no such file")
            .hint("record one with `whyslow record`, or with `perf record -a -g`"),
        (io::ErrorKind::PermissionDenied, _) => Failure::cannot(what, plain(error))
            .hint("recordings of root belong to root: use sudo, or chown the file"),
        _ => Failure::io(what, error),
    }
}

/// Returns what is known of the recording at `path` before it is read.
fn facts(path: &Path) -> Result<TraceFacts, Failure> {
    let failed = |error: io::Error| unread(path, &error);
    let meta = metadata(path)?;
    let size = meta.len();
    let mut facts = TraceFacts::default();
    facts.trace.trace_id = if meta.is_file() {
        let mut file = File::open(path).map_err(failed)?;
        id(&mut file, size).map_err(failed)?
    } else {
        // A pipe can be read only once.
        id_of_pipe(path)
    };
    facts.trace.tool_version = env!("CARGO_PKG_VERSION").to_owned();
    let name = path.file_name().unwrap_or_default();
    facts.trace.source = name.to_string_lossy().into_owned();
    facts.trace.source_bytes = i64::try_from(size).unwrap_or(i64::MAX);
    if let Some(test) = TestName::of(path) {
        facts.trace.test_case = Some(test.case);
        facts.trace.measured_ms = Some(test.measured_ms);
    }
    Ok(facts)
}

/// Returns a hash of the size and of evenly spread pieces of the file, the ends included.
///
/// A recording of gigabytes differs from another in its first pages already (times, ids); reading
/// all of it would cost as much as importing it.
fn id(file: &mut File, size: u64) -> io::Result<String> {
    let mut hash = Fnv::new();
    hash.take(&size.to_le_bytes());
    let mut piece = Vec::new();
    let mut at = 0;
    while at < size {
        file.seek(SeekFrom::Start(at))?;
        piece.clear();
        file.by_ref().take(PIECE).read_to_end(&mut piece)?;
        hash.take(&piece);
        let last = size.saturating_sub(PIECE);
        at = if at < last {
            (at + STRIDE).min(last)
        } else {
            size
        };
    }
    Ok(format!("{:032x}", hash.0))
}

/// Returns an id for what comes through a pipe now.
fn id_of_pipe(path: &Path) -> String {
    let mut hash = Fnv::new();
    hash.take(path.as_os_str().as_encoded_bytes());
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    hash.take(&now.map_or(0, |now| now.as_nanos()).to_le_bytes());
    format!("{:032x}", hash.0)
}

/// FNV-1a with 128 bits: short, stable, no secret.
struct Fnv(u128);

impl Fnv {
    fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let mixed = self.0 ^ u128::from(byte);
            self.0 = mixed.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = Fnv::new();
        hash.take(b"a");
        assert_eq!(
            format!("{:032x}", hash.0),
            "d228cb696f1a8caf78912b704e4a8964"
        );
    }
}
