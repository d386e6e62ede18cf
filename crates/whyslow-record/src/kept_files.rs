//! Files that programs execute and that may be gone when their function names are needed.
//!
//! `go run` removes its program when that ends, and a build replaces programs that run. A descriptor keeps the
//! file reachable whatever happens to its path. So a separate thread opens each file soon after it was mapped;
//! for files that are gone at the end, what naming their functions needs goes into the recording.
//!
//! Files that the system installs are left out, as are files on file systems that were mounted later (an open
//! file would keep a program from unmounting them) and on file systems that need a server (a server that is
//! gone would block the recording). What a descriptor leads to is checked before it is read.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::Builder;
use std::time::Duration;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, StatxFlags, statx};
use whyslow_perfdata::whyslow_events::KeptFile;
use whyslow_proc::mountinfo;
use whyslow_runtimes::FileKey;
use whyslow_symbols::parts_for_names;

use crate::limit_reached::LimitReached;
use crate::mapped::{Mapped, is_of};

/// Files that are open at once.
const MOST_OPEN: usize = 256;
/// Bytes that they take on their disks, where they stay while they are open.
const MOST_OPEN_BYTES: u64 = 1 << 30;
/// Most files that are distinguished.
const MOST_FILES: usize = 16 << 10;
/// Most mappings that wait to be looked at.
const MOST_WAITING: usize = 4096;
/// Most bytes of all files that go into a recording.
const MOST_BYTES: u64 = 64 << 20;
/// How long the end of a recording waits for the thread.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// Below these only installers replace files.
const INSTALLED: [&[u8]; 5] = [b"/usr/", b"/lib", b"/bin/", b"/sbin/", b"/nix/store/"];
/// File systems that need no server.
const LOCAL: &str = "ext2 ext3 ext4 xfs btrfs tmpfs overlay f2fs";
const TOO_MANY: &str = "programs without names once they are removed: too many or too large";
const TOO_LATE: &str = "looks at removed programs: a file system does not answer";

/// Hands mappings to the thread, and counts those that it has no time for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keeper(Option<(SyncSender<Vec<u8>>, Arc<AtomicU64>)>);

/// What the thread has in the end. It ends when all [`Keeper`]s are dropped.
#[derive(Debug)]
pub(crate) struct Keeping(Receiver<Kept>);

/// What naming functions needs of the files that are gone, as bytes of a section, and what exceeded a
/// limit.
pub(crate) type Kept = (Vec<u8>, LimitReached);

/// What is kept.
#[derive(Debug, Default)]
struct KeptFiles {
    mounts: HashSet<u64>,
    known: HashSet<FileKey>,
    /// Of files without a build id: the last one that was seen at a path, and whether there were others.
    at_path: BTreeMap<Vec<u8>, (FileKey, bool)>,
    open: Vec<(KeptFile, File)>,
    open_bytes: u64,
    refused: u64,
}

impl Keeper {
    /// Starts the thread.
    pub(crate) fn start() -> (Self, Keeping) {
        let (records, waiting) = sync_channel::<Vec<u8>>(MOST_WAITING);
        let (kept, end) = sync_channel(1);
        let missed = Arc::new(AtomicU64::new(0));
        let keeper = Self(Some((records, Arc::clone(&missed))));
        let mut files = KeptFiles {
            mounts: mounts(),
            ..KeptFiles::default()
        };
        let thread = Builder::new().name("whyslow-files".to_owned());
        let thread = thread.spawn(move || {
            while let Ok(record) = waiting.recv() {
                if let Some(mapped) = Mapped::of_record(&record) {
                    files.mapping(&mapped);
                }
            }
            // The receiver may be gone.
            let _ = kept.send(files.finish(missed.load(Ordering::Relaxed)));
        });
        // Without the thread, nothing is kept.
        drop(thread);
        (keeper, Keeping(end))
    }

    /// Takes a record `MMAP2`.
    pub(crate) fn look(&self, record: &[u8]) {
        let is_wanted = |mapped: &Mapped<'_>| may_be_gone(mapped.path);
        if let Some((records, missed)) = &self.0
            && Mapped::of_record(record).is_some_and(|mapped| is_wanted(&mapped))
            && records.try_send(record.to_vec()).is_err()
        {
            missed.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Keeping {
    /// Waits for the end of the thread, but not for a file system that does not answer.
    pub(crate) fn finish(self, patience: Duration) -> Kept {
        let kept = self.0.recv_timeout(patience);
        let late = |why| LimitReached::new(TOO_LATE, (why == RecvTimeoutError::Timeout).into());
        kept.unwrap_or_else(|why| (Vec::new(), late(why)))
    }
}

impl KeptFiles {
    fn mapping(&mut self, mapped: &Mapped<'_>) {
        let (key, path) = (mapped.file, mapped.path);
        let path = path.strip_suffix(b" (deleted)").unwrap_or(path);
        if !key.has_build_id && self.is_known_at(path, key) || self.known.contains(&key) {
            return;
        }
        let has_room = self.known.len() < MOST_FILES;
        has_room.then(|| self.known.insert(key));
        let Some((file, bytes)) = self.opened(mapped) else {
            return;
        };
        let bytes = self.open_bytes.saturating_add(bytes);
        if !has_room || self.open.len() >= MOST_OPEN || bytes > MOST_OPEN_BYTES {
            self.refused += 1;
            return;
        }
        self.open_bytes = bytes;
        let [length, _, _, _, id @ ..] = &key.bytes;
        let id = id.get(..usize::from(*length)).unwrap_or_default();
        let id = if key.has_build_id { id } else { &[] };
        self.open.push((nothing_of(path, id), file));
    }

    /// Whether this file was at a path before; notes that it is there.
    fn is_known_at(&mut self, path: &[u8], key: FileKey) -> bool {
        let has_room = self.at_path.len() < MOST_FILES;
        let Some((seen, is_ambiguous)) = self.at_path.get_mut(path) else {
            if has_room {
                self.at_path.insert(path.to_vec(), (key, false));
            }
            return false;
        };
        let is_same = is_same(seen, &key);
        *is_ambiguous |= !is_same;
        if !is_same || key.bytes[16..] != [0; 8] {
            *seen = key;
        }
        is_same
    }

    /// Opens the file of a mapping, and says how many bytes it takes on its disk.
    fn opened(&self, mapped: &Mapped<'_>) -> Option<(File, u64)> {
        let path = std::str::from_utf8(mapped.path).ok()?;
        let mut places = mapped.places_to_check(path).into_iter();
        places.find_map(|(place, is_it)| {
            self.checked(&place, |link| is_it || is_of(&mapped.file, link))
        })
    }

    /// Opens a regular file on a mount that needs no server and was there before, if it is the right one.
    fn checked(&self, place: &Path, is_it: impl Fn(&Path) -> bool) -> Option<(File, u64)> {
        // This opens nothing, but what it leads to stays the same.
        let fixed = rustix::fs::open(place, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
        let wanted = StatxFlags::MNT_ID | StatxFlags::BASIC_STATS;
        let flags = AtFlags::EMPTY_PATH | AtFlags::STATX_DONT_SYNC;
        let found = statx(&fixed, c"", flags, wanted).ok()?;
        let is_file = FileType::from_raw_mode(found.stx_mode.into()).is_file();
        // Where the kernel does not report the mount, it is 0, which no mount has.
        let link = format!("/proc/self/fd/{}", fixed.as_raw_fd());
        let is_wanted =
            is_file && self.mounts.contains(&found.stx_mnt_id) && is_it(Path::new(&link));
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = is_wanted.then(|| rustix::fs::open(link, flags, Mode::empty()));
        Some((file?.ok()?.into(), found.stx_blocks.saturating_mul(512)))
    }

    /// What naming functions needs of the files that are gone, newest first. Some mappings may have
    /// been missed.
    fn finish(self, missed: u64) -> Kept {
        let mut section = Vec::new();
        for (path, (_, is_ambiguous)) in self.at_path {
            // A missed mapping may have been of another file at any path.
            if is_ambiguous || missed > 0 {
                nothing_of(&path, &[]).encode(&mut section);
            }
        }
        for (mut kept, file) in self.open.into_iter().rev() {
            if is_still_at(&file, Path::new(OsStr::from_bytes(&kept.path))) {
                continue;
            }
            let left = MOST_BYTES.saturating_sub(section.len() as u64);
            if let Some((length, parts)) = parts_for_names(file, left) {
                (kept.length, kept.parts) = (length, parts);
                kept.encode(&mut section);
            }
        }
        let refused = self.refused.saturating_add(missed);
        (section, LimitReached::new(TOO_MANY, refused))
    }
}

/// A file without its parts.
fn nothing_of(path: &[u8], build_id: &[u8]) -> KeptFile {
    KeptFile {
        path: path.to_vec(),
        build_id: build_id.to_vec(),
        length: 0,
        parts: Vec::new(),
    }
}

/// Whether two keys without build ids are of the same file. Mappings from before the recording have no
/// generation.
fn is_same(one: &FileKey, other: &FileKey) -> bool {
    let is_unknown = [one, other].iter().any(|key| key.bytes[16..] == [0; 8]);
    one == other || is_unknown && one.bytes[..16] == other.bytes[..16]
}

/// Whether the file at a path may be removed or replaced while it is executed.
fn may_be_gone(path: &[u8]) -> bool {
    let is_file = path.starts_with(b"/") && !path.starts_with(b"//");
    is_file && !INSTALLED.iter().any(|folder| path.starts_with(folder))
}

/// Whether a path still leads to the file.
fn is_still_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let there = fs::metadata(path).map(identity).ok();
    there.is_some() && there == file.metadata().map(identity).ok()
}

/// The existing mounts, without those that need a server.
fn mounts() -> HashSet<u64> {
    let text = mountinfo::of_process(std::process::id());
    let is_local = |mount: &mountinfo::Mount<'_>| LOCAL.split(' ').any(|kind| kind == mount.kind);
    let local = mountinfo::mounts(&text).filter(is_local);
    local.map(|mount| mount.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapped::tests::{inode, mapping};

    /// A key of an inode.
    fn key(inode: u8, generation: u8) -> FileKey {
        let mut bytes = [0; 24];
        (bytes[8], bytes[16]) = (inode, generation);
        FileKey {
            has_build_id: false,
            bytes,
        }
    }

    #[test]
    fn a_file_whose_generation_is_unknown_is_not_another_one() {
        let mut kept = KeptFiles::default();
        assert!(!kept.is_known_at(b"/a", key(1, 0)));
        assert!(kept.is_known_at(b"/a", key(1, 5)));
        assert!(kept.is_known_at(b"/a", key(1, 0)));
        assert!(!kept.at_path[b"/a".as_slice()].1);
        assert!(
            !kept.is_known_at(b"/a", key(1, 6)),
            "the generation is kept"
        );
        assert!(kept.at_path[b"/a".as_slice()].1);
        assert!(!kept.is_known_at(b"/b", key(1, 0)));
        assert!(!kept.is_known_at(b"/b", key(2, 0)));
        assert!(kept.at_path[b"/b".as_slice()].1);
    }

    #[test]
    fn what_was_missed_makes_paths_ambiguous_and_is_counted() {
        let with_path = || {
            let mut kept = KeptFiles::default();
            kept.is_known_at(b"/a", key(1, 0));
            kept
        };
        let (section, limit) = with_path().finish(0);
        assert_eq!((section.len(), limit.count), (0, 0));
        let (section, limit) = with_path().finish(3);
        assert!(!section.is_empty());
        assert_eq!(limit.count, 3);
        let (records, _waiting) = sync_channel(0);
        let missed = Arc::new(AtomicU64::new(0));
        let own = std::env::current_exe().unwrap();
        let record = mapping(&own, inode(&own), 0);
        Keeper(Some((records, Arc::clone(&missed)))).look(record.as_bytes());
        assert_eq!(missed.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn only_files_of_local_mounts_are_opened() {
        let folder = std::env::temp_dir().join(format!("whyslow-kept-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (pipe, file) = (folder.join("pipe"), folder.join("file"));
        let mode = Mode::RUSR | Mode::WUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).unwrap();
        fs::write(&file, b"program").unwrap();
        let mount = |path: &Path| {
            let found = statx(rustix::fs::CWD, path, AtFlags::empty(), StatxFlags::MNT_ID);
            found.unwrap().stx_mnt_id
        };
        let kept = KeptFiles {
            mounts: HashSet::from([mount(&folder), mount(Path::new("/dev/null"))]),
            ..KeptFiles::default()
        };
        let opens = |path: &Path| kept.checked(path, |_| true).is_some();
        assert!(opens(&file));
        assert!(!opens(&pipe), "and it does not wait for a writer");
        assert!(!opens(Path::new("/dev/null")));
        assert!(!opens(Path::new("/proc/self/status")), "of another mount");
        assert!(kept.checked(&file, |_| false).is_none(), "another file");
        assert!(!mounts().contains(&mount(Path::new("/proc/self/status"))));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn deleted_is_no_part_of_a_path() {
        let mut kept = KeptFiles::default();
        let gone = Path::new("/nowhere/program (deleted)");
        let own = std::env::current_exe().unwrap();
        let record = mapping(gone, inode(&own), 0);
        kept.mapping(&Mapped::of_record(record.as_bytes()).unwrap());
        assert!(kept.at_path.contains_key(b"/nowhere/program".as_slice()));
    }

    #[test]
    fn too_much_is_not_kept_open() {
        let own = std::env::current_exe().unwrap();
        let record = mapping(&own, inode(&own), 0);
        let mut kept = KeptFiles {
            mounts: mounts(),
            open_bytes: MOST_OPEN_BYTES,
            ..KeptFiles::default()
        };
        let mapped = Mapped::of_record(record.as_bytes()).unwrap();
        let is_readable = kept.opened(&mapped).is_some();
        kept.mapping(&mapped);
        assert!(kept.open.is_empty());
        assert_eq!(kept.refused, u64::from(is_readable));
    }

    #[test]
    fn a_thread_that_hangs_holds_up_nothing() {
        let (_hangs, end) = sync_channel(1);
        let (section, limit) = Keeping(end).finish(Duration::from_millis(1));
        assert_eq!((section.len(), limit.count), (0, 1));
    }
}
