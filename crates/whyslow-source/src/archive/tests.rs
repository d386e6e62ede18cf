use std::io::{Cursor, Write as _};

use sevenz_rust2::{ArchiveEntry, ArchiveWriter, SourceReader};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use whyslow_model::Unwatched;

fn watching(watch: impl Watch + 'static) -> Arc<dyn Watch> {
    Arc::new(watch)
}

/// A directory that is deleted when the test ends.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let name = format!("whyslow-archive-{name}-{}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    /// Opens an archive of these bytes; returns the sizes of the files in it.
    fn open(&self, bytes: &[u8], watch: impl Watch + 'static) -> Result<Vec<u64>, Error> {
        let files = [self.0.join("archive")];
        fs::write(&files[0], bytes).unwrap();
        let opened = open(
            &files,
            Room::Beside(&self.0.join("x.whyslow")),
            1 << 20,
            &watching(watch),
        )?;
        let size = |part: &Part| fs::metadata(&part.path).unwrap().len();
        Ok(opened.files.iter().map(size).collect())
    }

    fn names(&self) -> Vec<std::ffi::OsString> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const FILES: [(&str, &[u8]); 3] = [
    ("a.txt", b"something else"),
    ("b.etl", &[7; 300]),
    ("dir/c.ETL", b"abcdefghijklmnopqrstuvwxyz"),
];

fn zip() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in FILES {
        writer
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn seven_zip() -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
    let entries = FILES.map(|(name, _)| ArchiveEntry::new_file(name));
    let readers = FILES.map(|(_, bytes)| SourceReader::new(bytes));
    writer
        .push_archive_entries(entries.into(), readers.into())
        .unwrap();
    writer.finish().unwrap().into_inner()
}

/// A watcher that always asks to stop.
#[derive(Debug)]
struct Stopping;

impl Watch for Stopping {
    fn is_interrupted(&self) -> bool {
        true
    }
}

#[test]
fn what_is_no_archive_is_left_alone() {
    let place = Place::new("plain");
    assert_eq!(place.open(b"PERFILE2 and more", Unwatched).unwrap(), [17]);
    assert_eq!(place.open(b"", Unwatched).unwrap(), [0]);
    let nowhere = [place.0.join("nowhere")];
    let opened = open(
        &nowhere,
        Room::Beside(&place.0.join("x")),
        1,
        &watching(Unwatched),
    )
    .unwrap();
    assert_eq!(opened.files[0].path, nowhere[0]);
}

#[test]
fn recordings_are_unpacked_and_removed() {
    let place = Place::new("whole");
    for bytes in [zip(), seven_zip()] {
        assert_eq!(place.open(&bytes, Unwatched).unwrap(), [300, 26]);
        assert_eq!(place.names(), ["archive"]);
    }
}

#[test]
fn what_a_killed_run_left_is_removed_by_the_next() {
    let place = Place::new("left");
    let files = [place.0.join("archive")];
    fs::write(&files[0], zip()).unwrap();
    let made = |name: &str, lock: bool| {
        let dir = place.0.join(name);
        fs::create_dir(&dir).unwrap();
        if lock {
            let lock = File::create(dir.join(LOCK)).unwrap();
            lock.set_modified(std::time::UNIX_EPOCH).unwrap();
        }
        dir
    };
    let killed = [
        made(".x.whyslow.4000000001.unpacked", true),
        made(".x.whyslow.4000000001-2.unpacked", true),
    ];
    let begun = made(".x.whyslow.4000000005.unpacked", false);
    fs::write(begun.join(LOCK), b"").unwrap();
    let used = made(".x.whyslow.4000000002.unpacked", true);
    let lock = File::open(used.join(LOCK)).unwrap();
    lock.lock().unwrap();
    let others = [
        made(".x.whyslow.mine.unpacked", true),
        made(".x.whyslow.4000000003.unpacked", false),
        made(".y.whyslow.4000000004.unpacked", true),
    ];
    let output = place.0.join("x.whyslow");
    drop(open(&files, Room::Beside(&output), 1 << 20, &watching(Unwatched)).unwrap());
    assert!(killed.iter().all(|dir| !dir.exists()));
    assert!(used.exists() && begun.exists() && others.iter().all(|dir| dir.exists()));
    assert_eq!(place.names().len(), 6);
}

#[test]
fn names_that_are_taken_are_passed_over() {
    let place = Place::new("taken");
    let path = place.0.join("x.whyslow");
    let room = Room::Beside(&path);
    let made: Vec<_> = (0..MOST_TRIES).map(|_| create_dir(room).unwrap()).collect();
    assert!(made.iter().all(|dir| dir.is_dir()));
    assert_eq!(place.names().len(), made.len());
    assert!(create_dir(room).is_err());
}

/// Opening a pipe would block, and a link may lead anywhere.
#[cfg(unix)]
#[test]
fn what_others_planted_is_not_opened() {
    let place = Place::new("planted");
    let old = place.0.join("old");
    let lock = File::create(&old).unwrap();
    lock.set_modified(std::time::UNIX_EPOCH).unwrap();
    let named = |number: u32| place.0.join(format!(".x.whyslow.{number}.unpacked"));
    for number in 1..=2 {
        fs::create_dir(named(number)).unwrap();
    }
    let pipe = named(1).join(LOCK);
    let made = std::process::Command::new("mkfifo")
        .args(["-m", "600"])
        .arg(&pipe)
        .status();
    assert!(made.unwrap().success());
    let changed = std::process::Command::new("touch")
        .args(["-t", "200001010000"])
        .arg(&pipe)
        .status();
    assert!(changed.unwrap().success());
    std::os::unix::fs::symlink(&old, named(2).join(LOCK)).unwrap();
    let target = place.0.join("target");
    fs::create_dir(&target).unwrap();
    fs::rename(&old, target.join(LOCK)).unwrap();
    std::os::unix::fs::symlink(&target, named(3)).unwrap();
    for number in 1..=3 {
        assert!(!is_left(&named(number)), "{number}");
    }
    assert!(is_left(&target));
}

#[test]
fn nothing_is_left_after_an_interrupt() {
    let place = Place::new("interrupt");
    for bytes in [zip(), seven_zip()] {
        let failure = place.open(&bytes, Stopping).unwrap_err();
        assert_eq!(failure.kind, ErrorKind::Interrupted);
        assert_eq!(place.names(), ["archive"]);
    }
}

/// Truncated archives and those with flipped bits give a result or an error, and leave nothing
/// behind.
#[test]
fn damaged_archives() {
    let place = Place::new("damaged");
    for whole in [zip(), seven_zip()] {
        let (mut good, mut bad) = (0, 0);
        for at in (0..whole.len()).step_by(3) {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            for bytes in [&whole[..at], &flipped] {
                match place.open(bytes, Unwatched) {
                    Ok(_) => good += 1,
                    Err(failure) => {
                        assert_ne!(failure.kind, ErrorKind::Interrupted);
                        bad += 1;
                    }
                }
                assert_eq!(place.names(), ["archive"]);
            }
        }
        // Below six bytes it is not an archive; some bits belong to times and the like.
        assert!(good >= 2 && bad > whole.len() / 3, "{good} {bad}");
    }
}

#[test]
fn names_are_listed_and_recordings_told_by_their_ending() {
    assert_eq!(listed(&["a"]), "a");
    assert_eq!(
        listed(&["a", "b", "c", "d", "e", "f"]),
        "a, b, c, d, e and 1 more"
    );
    let ending = |name: &str| {
        Entry {
            name: name.to_owned(),
            bytes: 0,
        }
        .ending()
    };
    assert_eq!(ending(r"C:\x\Trace.ETL"), Some("etl"));
    assert_eq!(ending("a/perf.data"), Some("data"));
    for none in ["a.etl/", "a.etl.txt", "__MACOSX/._a.etl", "etl", ".etl", ""] {
        assert_eq!(ending(none), None, "{none}");
    }
}

fn crc32(bytes: &[u8]) -> [u8; 4] {
    let crc = bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            crc >> 1 ^ (0xedb8_8320 * (crc & 1))
        })
    });
    (!crc).to_le_bytes()
}

/// Returns a `.7z` with this data and list of files, whose checksums are right.
fn seven_zip_of(data: &[u8], list: &[u8]) -> Vec<u8> {
    let (offset, size) = (data.len() as u64, list.len() as u64);
    let mut start = [offset.to_le_bytes(), size.to_le_bytes()].concat();
    start.extend(crc32(list));
    let magic: &[u8] = b"7z\xbc\xaf\x27\x1c\x00\x04";
    [magic, &crc32(&start), &start, data, list].concat()
}

/// Counts in a list of files cost no memory before they are checked.
#[test]
fn lists_of_files_that_claim_too_much() {
    let place = Place::new("claims");
    let many: &[u8] = &[0xff, 0, 0, 0, 0, 0, 1, 0, 0];
    let some: &[u8] = &[0xe0, 0, 0, 16];
    let block: &[u8] = &[7, 11, 1, 0, 1, 1, 0, 12, 9];
    let lists = |count: &[u8]| {
        [
            // Files.
            [&[1, 5], count, &[0, 0]].concat(),
            // Packed streams.
            [&[1, 4, 6, 0], count, &[9, 0, 0]].concat(),
            // Blocks.
            [&[1, 4, 7, 11], count, &[0, 0]].concat(),
            // Streams of a block.
            [&[1, 4], block, &[0, 8, 13], count, &[0, 0]].concat(),
            // Coders, and streams of a coder.
            [&[1, 4, 7, 11, 1, 0], count, &[0, 0]].concat(),
            [&[1, 4, 7, 11, 1, 0, 1, 0x11, 0], count, count, &[0]].concat(),
        ]
    };
    for list in lists(many).into_iter().chain(lists(some)) {
        // The list packed as a separate stream, stored as a copy.
        let size = u8::try_from(list.len()).unwrap();
        let packed = [
            0x17, 6, 0, 1, 9, size, 0, 7, 11, 1, 0, 1, 1, 0, 12, size, 0, 0,
        ];
        for bytes in [seven_zip_of(&[], &list), seven_zip_of(&list, &packed)] {
            let failure = place.open(&bytes, Unwatched).unwrap_err();
            let text = format!("{failure:?}");
            assert!(text.contains("its list of files is too long"), "{text}");
        }
    }
}

/// A property of files whose length leads back to its own beginning would be read forever.
#[test]
fn lists_of_files_that_lead_backwards() {
    let place = Place::new("backwards");
    let mut list = vec![1, 5, 1, 0x19, 0xff];
    list.extend((-10_i64).to_le_bytes());
    // Times that claim to be longer than they are: the rest would be read from elsewhere.
    let times = [&[1, 5, 1, 0x14, 12, 1, 0][..], &[0; 10], &[0, 0]].concat();
    for list in [list, times] {
        let failure = place.open(&seven_zip_of(&[], &list), Unwatched);
        let text = format!("{:?}", failure.unwrap_err());
        assert!(text.contains("its list of files cannot be read"), "{text}");
    }
}
