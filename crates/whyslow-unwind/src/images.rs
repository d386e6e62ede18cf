//! All executable files seen, loaded when a stack first runs through them, shared by processes.
//!
//! A file is known by its build id, else by device and inode, else by path. It is looked for where
//! the process sees it: `/proc/PID/map_files` (the very file, even deleted or replaced),
//! `/proc/PID/root` (containers), then the path itself (the process is gone). What is found must
//! carry the expected build id or inode; a replaced file is refused, not used.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{BufRead, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use gimli::UnwindContext;
use object::read::{ReadCache, ReadRef};

use super::cfi;
use super::image::{Image, ImageError, ImageId};
use super::space::Mapping;

/// Most files that are distinguished; more are treated as unreadable.
const MAX_FILES: usize = 256 << 10;
/// Times another process's view of an unreadable file is tried.
const MAX_ATTEMPTS: u8 = 3;
/// `open` flag that keeps a path that became a FIFO from blocking the recorder (Linux, x86-64 and
/// aarch64 alike).
#[cfg(unix)]
const O_NONBLOCK: i32 = 0o4000;

/// What identifies a mapped file, as `PERF_RECORD_MMAP2` delivers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileId {
    /// Build id; bytes beyond its length are zero.
    BuildId {
        /// The id.
        bytes: [u8; 20],
        /// Number of bytes that count, at most 20.
        length: u8,
    },
    /// Device and inode.
    Inode {
        /// Major device number.
        major: u32,
        /// Minor device number.
        minor: u32,
        /// Inode number.
        inode: u64,
        /// Generation of the inode number, 0 where not known.
        generation: u64,
    },
    /// Nothing but the path.
    Unknown,
}

impl FileId {
    /// The build id in `bytes`; what is longer than 20 bytes is cut, as the kernel does.
    pub fn build_id(bytes: &[u8]) -> Self {
        let mut id = [0; 20];
        let length = bytes.len().min(id.len());
        id[..length].copy_from_slice(&bytes[..length]);
        Self::BuildId {
            bytes: id,
            length: u8::try_from(length).unwrap_or(0),
        }
    }
}

/// Counts of files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImageCounters {
    /// Files whose CFI was read, counted again when read again.
    pub loaded: u64,
    /// Attempts to read a file that failed.
    pub failed: u64,
    /// Files dropped because of the memory limit.
    pub evicted: u64,
    /// Bytes of CFI held now, without the caches of rules.
    pub held_bytes: usize,
}

#[derive(Debug)]
enum State {
    /// Not looked at yet, or dropped.
    Unread,
    Loaded(Box<Image>),
    Failed {
        attempts: u8,
        pid: u32,
    },
    /// Memory without a file behind it (JIT code): nothing to read, ever.
    Anonymous,
}

#[derive(Debug)]
struct Slot {
    path: PathBuf,
    file: FileId,
    state: State,
    used: u64,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    File(FileId),
    Path(PathBuf),
}

/// All images and what they share.
#[derive(Debug)]
pub(super) struct Images {
    slots: Vec<Slot>,
    by_key: HashMap<Key, ImageId>,
    counters: ImageCounters,
    max_bytes: usize,
    clock: u64,
    /// Scratch memory of gimli.
    context: Box<UnwindContext<usize>>,
}

/// What an address's mapping is backed by.
pub(super) enum Backing<'a> {
    /// A file whose CFI can be used.
    Image(&'a mut Image, &'a mut UnwindContext<usize>),
    /// Memory without a file, or a file that is not ELF.
    Code,
    /// A file that could not be read.
    Unreadable,
}

impl Images {
    pub(super) fn new(max_bytes: usize) -> Self {
        let none = Slot {
            path: PathBuf::new(),
            file: FileId::Unknown,
            state: State::Anonymous,
            used: 0,
        };
        Self {
            slots: vec![none],
            by_key: HashMap::new(),
            counters: ImageCounters::default(),
            max_bytes,
            clock: 0,
            context: Box::new(UnwindContext::new()),
        }
    }

    pub(super) fn counters(&self) -> ImageCounters {
        self.counters
    }

    /// The number of a mapped file.
    pub(super) fn intern(&mut self, path: &Path, file: FileId) -> ImageId {
        let text = path.as_os_str().as_encoded_bytes();
        let is_vdso = text == b"[vdso]";
        if !is_vdso && (!text.starts_with(b"/") || text.starts_with(b"//")) {
            return ImageId(0);
        }
        let key = match file {
            FileId::Inode { inode: 0, .. } | FileId::Unknown => Key::Path(path.to_owned()),
            _ if is_vdso => Key::Path(path.to_owned()),
            _ => Key::File(file),
        };
        if let Some(&id) = self.by_key.get(&key) {
            return id;
        }
        if self.slots.len() >= MAX_FILES {
            return ImageId(0);
        }
        let id = ImageId(u32::try_from(self.slots.len()).unwrap_or(0));
        self.slots.push(Slot {
            path: path.to_owned(),
            file,
            state: State::Unread,
            used: 0,
        });
        self.by_key.insert(key, id);
        id
    }

    /// What is behind a mapping of process `pid`, read now if it was not before.
    pub(super) fn backing(&mut self, pid: u32, mapping: &Mapping) -> Backing<'_> {
        let index = mapping.image.0 as usize;
        let attempts = match self.slots.get(index).map(|slot| &slot.state) {
            None | Some(State::Anonymous) => return Backing::Code,
            Some(State::Failed {
                attempts,
                pid: tried,
            }) if *attempts >= MAX_ATTEMPTS || *tried == pid => {
                return Backing::Unreadable;
            }
            Some(State::Failed { attempts, .. }) => Some(*attempts),
            Some(State::Unread) => Some(0),
            Some(State::Loaded(_)) => None,
        };
        if let Some(attempts) = attempts {
            self.load(index, pid, mapping, attempts);
        }
        self.clock += 1;
        let slot = &mut self.slots[index];
        slot.used = self.clock;
        match &mut slot.state {
            State::Loaded(image) => Backing::Image(image, &mut self.context),
            State::Anonymous => Backing::Code,
            State::Unread | State::Failed { .. } => Backing::Unreadable,
        }
    }

    fn load(&mut self, index: usize, pid: u32, mapping: &Mapping, attempts: u8) {
        let slot = &self.slots[index];
        let state = match read(slot, pid, mapping, self.max_bytes / 2) {
            Ok(image) => {
                self.counters.loaded += 1;
                self.counters.held_bytes += image.size_bytes();
                State::Loaded(Box::new(image))
            }
            Err(ImageError::NotElf) => State::Anonymous,
            Err(_) => {
                self.counters.failed += 1;
                State::Failed {
                    attempts: attempts + 1,
                    pid,
                }
            }
        };
        self.slots[index].state = state;
        while self.counters.held_bytes > self.max_bytes && self.evict(index) {}
    }

    /// Drops the least recently used image other than `keep`; false if there is none.
    fn evict(&mut self, keep: usize) -> bool {
        let oldest = self
            .slots
            .iter_mut()
            .enumerate()
            .filter(|(index, slot)| *index != keep && matches!(slot.state, State::Loaded(_)))
            .min_by_key(|(_, slot)| slot.used);
        let Some((_, slot)) = oldest else {
            return false;
        };
        if let State::Loaded(image) = std::mem::replace(&mut slot.state, State::Unread) {
            self.counters.held_bytes -= image.size_bytes();
            self.counters.evicted += 1;
        }
        true
    }
}

/// Finds and reads the file of `slot`.
fn read(slot: &Slot, pid: u32, mapping: &Mapping, max_bytes: usize) -> Result<Image, ImageError> {
    if slot.path.as_os_str() == "[vdso]" {
        let bytes = own_vdso().ok_or(ImageError::NotFound)?;
        return read_image(bytes.as_slice(), max_bytes);
    }
    let mut error = ImageError::NotFound;
    for (path, surely_it) in candidates(slot, pid, mapping) {
        match read_candidate(&path, slot.file, surely_it, max_bytes) {
            Ok(image) => return Ok(image),
            Err(ImageError::NotFound) => {}
            Err(other) => error = other,
        }
    }
    Err(error)
}

/// Reads an image; what has no search table of its own gets one.
fn read_image<'data, R: ReadRef<'data>>(data: R, max_bytes: usize) -> Result<Image, ImageError> {
    let mut image = Image::read(data, max_bytes)?;
    if image.index.is_empty() {
        image.index = cfi::build_index(&image.frames);
    }
    Ok(image)
}

/// Paths to try in order, each with whether it cannot be another file.
fn candidates(slot: &Slot, pid: u32, mapping: &Mapping) -> Vec<(PathBuf, bool)> {
    let map_file = format!(
        "/proc/{pid}/map_files/{:x}-{:x}",
        mapping.start, mapping.end
    );
    let mut paths = vec![(PathBuf::from(map_file), true)];
    let text = slot.path.as_os_str().as_encoded_bytes();
    let deleted = text.strip_suffix(b" (deleted)");
    if deleted.is_some() && !matches!(slot.file, FileId::BuildId { .. }) {
        return paths;
    }
    let text = deleted.unwrap_or(text);
    let mut in_root = format!("/proc/{pid}/root").into_bytes();
    in_root.extend_from_slice(text);
    paths.push((path_of(&in_root).into_owned(), false));
    paths.push((path_of(text).into_owned(), false));
    paths
}

/// Returns the path that a recording of Linux names by these bytes.
#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> Cow<'_, Path> {
    use std::os::unix::ffi::OsStrExt as _;
    Cow::Borrowed(Path::new(std::ffi::OsStr::from_bytes(bytes)))
}

/// Returns the path that a recording of Linux names by these bytes.
#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> Cow<'_, Path> {
    Cow::Owned(PathBuf::from(String::from_utf8_lossy(bytes).into_owned()))
}

/// Returns the inode of a file, where files have one.
#[cfg(unix)]
fn inode_of(metadata: &Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(metadata))
}

/// Returns the inode of a file, where files have one.
#[cfg(not(unix))]
fn inode_of(_metadata: &Metadata) -> Option<u64> {
    None
}

fn read_candidate(
    path: &Path,
    expected: FileId,
    surely_it: bool,
    max_bytes: usize,
) -> Result<Image, ImageError> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, O_NONBLOCK);
    let file = options.read(true).open(path);
    let file = file.map_err(|_| ImageError::NotFound)?;
    let metadata = file.metadata().map_err(|_| ImageError::NotFound)?;
    if !metadata.is_file() {
        return Err(ImageError::NotFound);
    }
    if let FileId::Inode { inode, .. } = expected
        && !surely_it
        && Some(inode) != inode_of(&metadata)
    {
        return Err(ImageError::OtherFile);
    }
    let cache = ReadCache::new(file);
    let image = read_image(&cache, max_bytes)?;
    if let FileId::BuildId { bytes, length } = expected
        && !surely_it
        && image.build_id.as_deref() != Some(&bytes[..usize::from(length).min(bytes.len())])
    {
        return Err(ImageError::OtherFile);
    }
    Ok(image)
}

/// The vdso of this process, which is the one of every 64-bit process of the machine.
fn own_vdso() -> Option<Vec<u8>> {
    const MAX_BYTES: u64 = 1 << 20;
    let maps = BufReader::new(File::open("/proc/self/maps").ok()?);
    let line = maps
        .lines()
        .map_while(Result::ok)
        .find(|line| line.ends_with("[vdso]"))?;
    let (start, end) = line.split_whitespace().next()?.split_once('-')?;
    let start = u64::from_str_radix(start, 16).ok()?;
    let size = u64::from_str_radix(end, 16).ok()?.checked_sub(start)?;
    let mut bytes = vec![0; usize::try_from(size.min(MAX_BYTES)).ok()?];
    let mut memory = File::open("/proc/self/mem").ok()?;
    memory.seek(SeekFrom::Start(start)).ok()?;
    memory.read_exact(&mut bytes).ok()?;
    Some(bytes)
}
