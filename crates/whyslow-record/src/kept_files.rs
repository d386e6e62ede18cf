//! Files that programs execute and that may be gone when somebody wants to know their functions.
//!
//! `go run` removes its program when that ends, and a build replaces programs that run. A descriptor leads to
//! the file whatever becomes of its path. So each file is opened soon after it was mapped, by a thread of
//! its own, and of those that are gone in the end, what names need goes into the recording.
//!
//! Files that a system installs are left out, and those of file systems that were mounted later: an open
//! file would keep a program from taking its mount away.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

use rustix::fs::{AtFlags, StatxFlags, statx};
use whyslow_perfdata::whyslow_events::KeptFile;
use whyslow_runtimes::{FileKey, Mapping};
use whyslow_symbols::parts_for_names;

use crate::limit_reached::LimitReached;
use crate::mapped::Mapped;

/// Files that are open at once.
const MOST_OPEN: usize = 256;
/// Files that are told apart.
const MOST_FILES: usize = 16 << 10;
/// Mappings that wait to be looked at.
const MOST_WAITING: usize = 4096;
/// Bytes of all files that go into a recording.
const MOST_BYTES: u64 = 64 << 20;
/// Below these only installers replace files.
const INSTALLED: [&[u8]; 5] = [b"/usr/", b"/lib", b"/bin/", b"/sbin/", b"/nix/store/"];

/// Hands mappings to the thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keeper(Option<SyncSender<Vec<u8>>>);

/// The thread. It ends when all [`Keeper`]s are dropped.
#[derive(Debug)]
pub(crate) struct Keeping(Option<JoinHandle<KeptFiles>>);

/// What is kept.
#[derive(Debug)]
pub(crate) struct KeptFiles {
    mounts: HashSet<u64>,
    known: HashSet<FileKey>,
    /// Of files without a build id: the last one that was seen at a path, and whether there were others.
    at_path: BTreeMap<Vec<u8>, (FileKey, bool)>,
    open: Vec<Open>,
    refused: u64,
}

#[derive(Debug)]
struct Open {
    path: Vec<u8>,
    build_id: Vec<u8>,
    file: File,
}

impl Keeper {
    /// Starts the thread.
    pub(crate) fn start() -> (Self, Keeping) {
        let (records, waiting) = sync_channel(MOST_WAITING);
        let mounts = mounts();
        let thread = Builder::new().name("whyslow-files".to_owned());
        let thread = thread.spawn(move || keep(KeptFiles::new(mounts), &waiting));
        // Without the thread, nothing is kept.
        match thread {
            Ok(thread) => (Self(Some(records)), Keeping(Some(thread))),
            Err(_) => (Self(None), Keeping(None)),
        }
    }

    /// Takes a record `MMAP2`.
    pub(crate) fn look(&self, record: &[u8]) {
        let is_wanted = |mapped: &Mapped<'_>| may_be_gone(mapped.path);
        if let Some(records) = &self.0
            && Mapped::of_record(record).is_some_and(|mapped| is_wanted(&mapped))
        {
            // If the thread cannot follow, what is lost are names of files that are gone.
            let _ = records.try_send(record.to_vec());
        }
    }
}

impl Keeping {
    /// Waits for the end of the thread.
    pub(crate) fn finish(self) -> KeptFiles {
        let kept = self.0.and_then(|thread| thread.join().ok());
        kept.unwrap_or_else(|| KeptFiles::new(HashSet::new()))
    }
}

fn keep(mut kept: KeptFiles, waiting: &Receiver<Vec<u8>>) -> KeptFiles {
    while let Ok(record) = waiting.recv() {
        if let Some(mapped) = Mapped::of_record(&record) {
            kept.mapping(&mapped);
        }
    }
    kept
}

impl KeptFiles {
    fn new(mounts: HashSet<u64>) -> Self {
        Self {
            mounts,
            known: HashSet::new(),
            at_path: BTreeMap::new(),
            open: Vec::new(),
            refused: 0,
        }
    }

    fn mapping(&mut self, mapped: &Mapped<'_>) {
        let (key, path) = (mapped.file, mapped.path);
        if self.known.len() >= MOST_FILES || !self.known.insert(key) {
            return;
        }
        if !key.has_build_id {
            let seen = self.at_path.entry(path.to_vec()).or_insert((key, false));
            seen.1 |= seen.0 != key;
        }
        if self.open.len() >= MOST_OPEN {
            self.refused += 1;
            return;
        }
        let opened = std::str::from_utf8(path).ok().and_then(|text| {
            let mut places = mapped.places(text);
            places.find_map(|place| self.opened(&place))
        });
        if let Some(file) = opened {
            let [length, _, _, _, id @ ..] = &key.bytes;
            let id = id.get(..usize::from(*length)).unwrap_or_default();
            self.open.push(Open {
                path: path.to_vec(),
                build_id: if key.has_build_id { id } else { &[] }.to_vec(),
                file,
            });
        }
    }

    /// Opens a file, unless that would keep a mount from being taken away.
    fn opened(&self, place: &Path) -> Option<File> {
        // A device or a pipe could block us.
        let is_file = fs::metadata(place).is_ok_and(|metadata| metadata.is_file());
        let file = File::open(place).ok().filter(|_| is_file)?;
        let found = statx(&file, c"", AtFlags::EMPTY_PATH, StatxFlags::MNT_ID).ok()?;
        let is_known = found.stx_mask & StatxFlags::MNT_ID.bits() != 0;
        (is_known && self.mounts.contains(&found.stx_mnt_id)).then_some(file)
    }

    /// What names need of the files that are gone, newest first, as bytes of a section.
    pub(crate) fn section(self) -> Vec<u8> {
        let mut section = Vec::new();
        for (path, (_, is_ambiguous)) in &self.at_path {
            if *is_ambiguous {
                let file = KeptFile {
                    path: path.clone(),
                    build_id: Vec::new(),
                    length: 0,
                    parts: Vec::new(),
                };
                file.encode(&mut section);
            }
        }
        for Open {
            path,
            build_id,
            file,
        } in self.open.into_iter().rev()
        {
            if is_still_at(&file, Path::new(OsStr::from_bytes(&path))) {
                continue;
            }
            let left = MOST_BYTES.saturating_sub(section.len() as u64);
            if let Some((length, parts)) = parts_for_names(file, left) {
                let file = KeptFile {
                    path,
                    build_id,
                    length,
                    parts,
                };
                file.encode(&mut section);
            }
        }
        section
    }

    /// What there was no room for.
    pub(crate) fn limit(&self) -> LimitReached {
        LimitReached::new(
            "programs that have no names if they are removed or replaced: too many",
            self.refused,
        )
    }
}

/// Whether the file at a path may be removed or replaced while it is executed.
fn may_be_gone(path: &[u8]) -> bool {
    let is_file = path.starts_with(b"/") && !path.starts_with(b"//");
    is_file && !INSTALLED.iter().any(|folder| path.starts_with(folder))
}

/// Whether a path leads to the file still.
fn is_still_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let there = fs::metadata(path).map(identity).ok();
    there.is_some() && there == file.metadata().map(identity).ok()
}

/// The mounts that there are.
fn mounts() -> HashSet<u64> {
    let text = fs::read_to_string("/proc/self/mountinfo");
    let text = text.unwrap_or_else(|_: io::Error| String::new());
    let ids = text
        .lines()
        .filter_map(|line| line.split(' ').next()?.parse().ok());
    ids.collect()
}
