//! What a record says of an executable mapping, and where the mapped file can be read.
//!
//! Different containers may have different files with the same path, and process numbers are reused. So a
//! file is identified by what the kernel says it is, and is read only if it is sure to be the same one.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use whyslow_perfdata::abi::misc;

use crate::build_ids;
use crate::proc::{self, BirthClock};
use crate::raw_record::{HEADER_BYTES, TRAILER_BYTES, header, u32_at, u64_at};
use whyslow_runtimes::{FileKey, Mapping};

const PROT_EXEC: u32 = 4;
/// Whether a path leads to this file. `false` also where that cannot be told: some file systems
/// show programs another device than the kernel does.
fn is_of(file: &FileKey, path: &Path) -> bool {
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

/// An executable mapping, as a record tells it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapped<'a> {
    pub(crate) pid: u32,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) file_offset: u64,
    pub(crate) path: &'a [u8],
    pub(crate) file: FileKey,
    /// When it was mapped; 0: it is a mapping of before the recording, read a moment ago.
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
        let Some(stat) = proc::thread_stat(self.pid, self.pid) else {
            return false;
        };
        let born_ns = BirthClock::now().start_ns(stat.start_ticks);
        self.time_ns == 0 || i64::try_from(self.time_ns).is_ok_and(|time_ns| born_ns <= time_ns)
    }

    fn places(&self, path: &str) -> Box<dyn Iterator<Item = PathBuf>> {
        let Self {
            pid,
            start,
            end,
            file,
            ..
        } = *self;
        let link = PathBuf::from(format!("/proc/{pid}/map_files/{start:x}-{end:x}"));
        // The very file, even if it was deleted; for the mapping at this place may be another one by now.
        let is_named = std::fs::read_link(&link).is_ok_and(|to| to == Path::new(path));
        let is_it = (is_named && self.is_of_same_process()) || is_of(&file, &link);
        let others = [
            PathBuf::from(format!("/proc/{pid}/root{path}")),
            PathBuf::from(path),
        ];
        let others = others.into_iter().filter(move |place| is_of(&file, place));
        Box::new(is_it.then_some(link).into_iter().chain(others))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write;
    use std::path::Path;

    use whyslow_perfdata::abi::record;
    use whyslow_perfdata::writer::{MappedFile, MappingRecord, RecordBuffer, SampleIdentity};

    use whyslow_runtimes::{FileKey, Mapping};

    use super::{Mapped, is_of};
    use crate::sys::clock::now_ns;

    /// A record of a file, mapped into this process at a place that nothing is mapped at.
    fn mapping(path: &Path, file: MappedFile<'_>, time_ns: u64) -> RecordBuffer {
        let mut out = RecordBuffer::new();
        let pid = std::process::id();
        let identity = SampleIdentity {
            pid,
            tid: pid,
            time_ns,
            cpu: 0,
            id: 0,
        };
        let mapping = MappingRecord {
            pid,
            tid: pid,
            start: 0x1000,
            size_bytes: 0x1000,
            file_offset: 0,
            file,
            protection: 5,
            flags: 2,
            path: path.as_os_str().as_encoded_bytes(),
        };
        out.mapping(&mapping, &identity);
        out
    }

    fn inode(path: &Path) -> MappedFile<'static> {
        use std::os::unix::fs::MetadataExt;
        let file = std::fs::metadata(path).unwrap();
        MappedFile::Inode {
            major: rustix::fs::major(file.dev()),
            minor: rustix::fs::minor(file.dev()),
            inode: file.ino(),
        }
    }

    fn places(path: &Path, file: MappedFile<'_>) -> usize {
        let record = mapping(path, file, now_ns());
        assert_eq!(super::header(record.as_bytes()).0, record::MMAP2);
        let mapped = Mapped::of_record(record.as_bytes()).unwrap();
        mapped.places(path.to_str().unwrap()).count()
    }

    #[test]
    fn another_file_of_the_same_path_is_not_read() {
        let folder = std::env::temp_dir().join(format!("whyslow-mapped-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("python3.11");
        let write = |text: &[u8]| {
            let _ = std::fs::remove_file(&path);
            File::create(&path).unwrap().write_all(text).unwrap();
        };
        write(b"one");
        // Kept, so that its inode stays its own.
        let kept = File::open(&path).unwrap();
        let first = inode(&path);
        assert_eq!(
            places(&path, first),
            2,
            "as the process sees it, and as we do"
        );
        write(b"another");
        assert_eq!(places(&path, first), 0);
        assert_eq!(places(&path, inode(&path)), 2);
        drop(kept);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_build_id_says_which_file() {
        let own = std::env::current_exe().unwrap();
        let id = crate::build_ids::read(&own);
        if let Some(id) = &id {
            assert_eq!(places(&own, MappedFile::BuildId(id)), 2);
        }
        assert_eq!(places(&own, MappedFile::BuildId(&[7; 20])), 0);
        let key = FileKey {
            has_build_id: true,
            bytes: [0xff; 24],
        };
        assert!(!is_of(&key, &own), "no id has 255 bytes");
    }

    #[test]
    fn a_process_that_came_later_is_another_one() {
        let path = Path::new("/x");
        let of = |time_ns| {
            let record = mapping(path, MappedFile::BuildId(&[7; 20]), time_ns);
            Mapped::of_record(record.as_bytes())
                .unwrap()
                .is_of_same_process()
        };
        assert!(of(now_ns()));
        assert!(!of(1), "nothing ran when the machine started");
    }
}
