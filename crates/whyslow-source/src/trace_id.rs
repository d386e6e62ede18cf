//! An id made from a recording's bytes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use whyslow_model::fnv::Fnv;

use crate::error::Error;
use crate::part::{metadata, unread};

/// How much of the file is read at each place.
const PIECE: u64 = 64 << 10;

/// Distance between two places.
const STRIDE: u64 = 4 << 20;

/// Returns the id of the recording at `path`, and its size in bytes.
///
/// # Errors
/// When it cannot be read.
pub fn trace_id(path: &Path) -> Result<(String, u64), Error> {
    let failed = |error: io::Error| unread(path, &error);
    let meta = metadata(path)?;
    let size = meta.len();
    let id = if meta.is_file() {
        let mut file = File::open(path).map_err(failed)?;
        of_file(&mut file, size).map_err(failed)?
    } else {
        // A pipe can be read only once.
        of_pipe(path)
    };
    Ok((id, size))
}

/// Returns the id of a recording of several parts.
pub fn joined_id(one: &str, other: &str) -> String {
    let mut hash = Fnv::default();
    hash.take(one.as_bytes());
    hash.take(other.as_bytes());
    hash.text()
}

/// Returns a hash of the size and of evenly spread pieces of the file, the ends included.
///
/// Recordings of gigabytes already differ in their first pages (times, ids); reading all of one
/// would cost as much as importing it.
fn of_file(file: &mut File, size: u64) -> io::Result<String> {
    let mut hash = Fnv::default();
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
    Ok(hash.text())
}

/// Returns an id for the data coming through a pipe now.
fn of_pipe(path: &Path) -> String {
    let mut hash = Fnv::default();
    hash.take(path.as_os_str().as_encoded_bytes());
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    hash.take(&now.map_or(0, |now| now.as_nanos()).to_le_bytes());
    hash.text()
}
