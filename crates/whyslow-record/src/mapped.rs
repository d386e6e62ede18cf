//! What a record says of an executable mapping, and where the mapped file can be read.
//!
//! Different containers may have different files with the same path, and process numbers are reused. So a
//! file is identified by the kernel's data, and is read only if it is certainly the same one.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use whyslow_perfdata::abi::misc;

use crate::raw_record::{HEADER_BYTES, TRAILER_BYTES, header, u32_at, u64_at};
use whyslow_proc::build_ids;
use whyslow_proc::processes::{self, BirthClock};
use whyslow_runtimes::{FileKey, Mapping};

const PROT_EXEC: u32 = 4;
/// Whether a path leads to this file. `false` also where that is uncertain: some file systems
/// show programs another device than the kernel does.
pub(crate) fn is_of(file: &FileKey, path: &Path) -> bool {
    let FileKey {
        has_build_id,
        bytes,
    } = file;
    if *has_build_id {
        let [size, _, _, _, id @ ..] = bytes;
        let id = id.get(..usize::from(*size));
        return id.is_some() && build_ids::read(path).as_deref() == id;
    }
    let device = rustix::fs::makedev(u32_at(bytes, 0), u32_at(bytes, 4));
    let is_same = |file: std::fs::Metadata| {
        file.is_file() && (file.dev(), file.ino()) == (device, u64_at(bytes, 8))
    };
    std::fs::metadata(path).is_ok_and(is_same)
}

/// An executable mapping, as a record describes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapped<'a> {
    pub(crate) pid: u32,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) file_offset: u64,
    pub(crate) path: &'a [u8],
    pub(crate) file: FileKey,
    /// When it was mapped; 0: it is from before the recording, read a moment ago.
    time_ns: u64,
}

impl<'a> Mapped<'a> {
    /// Reads a record `MMAP2`; `None` if what it maps is not executable.
    pub(crate) fn of_record(record: &'a [u8]) -> Option<Self> {
        if u32_at(record, 64) & PROT_EXEC == 0 {
            return None;
        }
        let (_, flags, _) = header(record);
        let trailer = record.len().saturating_sub(TRAILER_BYTES);
        let path = record.get(72..trailer);
        let path = path.unwrap_or_default().split(|&byte| byte == 0).next();
        let start = u64_at(record, 16);
        Some(Self {
            pid: u32_at(record, HEADER_BYTES),
            start,
            end: start.saturating_add(u64_at(record, 24)),
            file_offset: u64_at(record, 32),
            path: path.unwrap_or_default(),
            file: FileKey {
                has_build_id: flags & misc::MMAP_BUILD_ID != 0,
                bytes: *record.get(40..)?.first_chunk()?,
            },
            time_ns: u64_at(record, trailer + 8),
        })
    }

    /// Where the file may be, given its path, and whether it is certainly there. Touches no file.
    pub(crate) fn places_to_check(&self, path: &str) -> [(PathBuf, bool); 3] {
        let (pid, start, end) = (self.pid, self.start, self.end);
        let link = PathBuf::from(format!("/proc/{pid}/map_files/{start:x}-{end:x}"));
        // The file itself, even if it was deleted: the mapping at this address may be another one by now.
        let is_named = std::fs::read_link(&link).is_ok_and(|to| to == Path::new(path));
        let is_it = is_named && self.is_of_same_process();
        let seen = PathBuf::from(format!("/proc/{pid}/root{path}"));
        [(link, is_it), (seen, false), (PathBuf::from(path), false)]
    }
}

impl Mapping for Mapped<'_> {
    fn pid(&self) -> u32 {
        self.pid
    }

    fn start(&self) -> u64 {
        self.start
    }

    fn file_offset(&self) -> u64 {
        self.file_offset
    }

    fn path(&self) -> &[u8] {
        self.path
    }

    fn file(&self) -> FileKey {
        self.file
    }

    fn is_of_same_process(&self) -> bool {
        let Some(stat) = processes::thread_stat(self.pid, self.pid) else {
            return false;
        };
        let born_ns = BirthClock::now().start_ns(stat.start_ticks);
        self.time_ns == 0 || i64::try_from(self.time_ns).is_ok_and(|time_ns| born_ns <= time_ns)
    }

    fn places(&self, path: &str) -> Box<dyn Iterator<Item = PathBuf>> {
        let file = self.file;
        let places = self.places_to_check(path).into_iter();
        let places = places.filter(move |(place, is_it)| *is_it || is_of(&file, place));
        Box::new(places.map(|(place, _)| place))
    }
}

#[cfg(test)]
pub(crate) mod tests;
