//! An archive of any bytes: nothing that comes out is larger than allowed, and nothing stays. The first
//! byte says whether it is a file as it is, or the data and the list of files of a `.7z`, whose checksums
//! are made right.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use whyslow_fuzz::cut;
use whyslow_model::{Unwatched, Watch};
use whyslow_source::archive::{Room, open};

/// What an archive may unpack to.
const MOST: u64 = 1 << 20;

static PLACE: LazyLock<PathBuf> = LazyLock::new(|| {
    let name = format!("whyslow-fuzz-archive-{}", std::process::id());
    let place = std::env::temp_dir().join(name);
    fs::create_dir_all(&place).expect("a directory");
    place
});

fn crc32(bytes: &[u8]) -> [u8; 4] {
    let crc = bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            crc >> 1 ^ (0xedb8_8320 * (crc & 1))
        })
    });
    (!crc).to_le_bytes()
}

fn seven_zip(data: &[u8], list: &[u8]) -> Vec<u8> {
    let (offset, size) = (data.len() as u64, list.len() as u64);
    let mut start = [offset.to_le_bytes(), size.to_le_bytes()].concat();
    start.extend(crc32(list));
    let magic: &[u8] = b"7z\xbc\xaf\x27\x1c\x00\x04";
    [magic, &crc32(&start), &start, data, list].concat()
}

libfuzzer_sys::fuzz_target!(
    init: {
        // Libraries may panic on damaged archives, and `whyslow-source` catches that.
        std::panic::set_hook(Box::new(|_| {}));
    },
    |data: &[u8]| {
        let Some((form, data)) = data.split_first() else {
            return;
        };
        let files = [PLACE.join("archive")];
        let bytes = if form % 2 == 0 {
            data.to_vec()
        } else {
            let (packed, list) = cut(data);
            seven_zip(packed, list)
        };
        fs::write(&files[0], bytes).expect("a file");
        let room = PLACE.join("x.whyslow");
        let watch: Arc<dyn Watch> = Arc::new(Unwatched);
        if let Ok(opened) = open(&files, Room::Beside(&room), MOST, &watch)
            && opened.files.iter().all(|part| part.path != files[0])
        {
            let size = |path: &PathBuf| fs::metadata(path).expect("it is there").len();
            let sum: u64 = opened.files.iter().map(|part| size(&part.path)).sum();
            assert!(sum <= MOST, "{sum} bytes");
        }
        assert_eq!(fs::read_dir(&*PLACE).expect("listed").count(), 1, "only the archive");
    }
);
