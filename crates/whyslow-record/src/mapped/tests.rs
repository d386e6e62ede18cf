//! Tests of mappings, and mappings for other tests.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use whyslow_perfdata::abi::record;
use whyslow_perfdata::writer::{MappedFile, MappingRecord, RecordBuffer, SampleIdentity};

use whyslow_runtimes::{FileKey, Mapping};

use super::{Mapped, is_of};
use whyslow_bpf::now_ns;

/// A record of a file, mapped into this process at a place that nothing is mapped at.
pub(crate) fn mapping(path: &Path, file: MappedFile<'_>, time_ns: u64) -> RecordBuffer {
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

pub(crate) fn inode(path: &Path) -> MappedFile<'static> {
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
    let id = whyslow_proc::build_ids::read(&own);
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
