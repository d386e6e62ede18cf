//! Feature sections one by one.

use std::io::Cursor;

use whyslow_perfdata::{ClockData, Compression, FaultKind, Reader};

use crate::synthetic::{Bytes, File};
use crate::touch::walk_reader;

fn with(big: bool, bit: u16, section: Vec<u8>) -> Reader {
    let mut file = File::new(big);
    file.features = vec![(bit, section)];
    Reader::from_seekable(Box::new(Cursor::new(file.regular()))).unwrap()
}

#[test]
fn clocks_and_compression() {
    for big in [false, true] {
        let bytes = || Bytes::new(big);
        let reader = with(big, 29, bytes().u32(1).u32(1).words(&[1_700, 55]).out);
        let expected = ClockData {
            clockid: 1,
            wall_ns: 1_700,
            clock_ns: 55,
        };
        assert_eq!(reader.features().clock_data, Some(expected));
        let reader = with(
            big,
            27,
            bytes().u32(1).u32(1).u32(3).u32(12).u32(528_384).out,
        );
        let expected = Compression {
            method: 1,
            level: 3,
            ratio: 12,
            ring_bytes: 528_384,
        };
        assert_eq!(reader.features().compression, Some(expected));
        let reader = with(big, 21, bytes().words(&[10, 20]).out);
        assert_eq!(reader.features().sample_time_ns, Some((10, 20)));
        let reader = with(big, 23, bytes().u64(1).out);
        assert_eq!(reader.features().clock_resolution_ns, Some(1));
        let reader = with(big, 9, bytes().string("GenuineIntel,6,167,1").out);
        assert_eq!(
            reader.features().cpu_id.as_deref(),
            Some("GenuineIntel,6,167,1")
        );
    }
}

fn build_id(big: bool, misc: u16, length: u8) -> Vec<u8> {
    let entry = Bytes::new(big).i32(-1).raw(&[0xab; 20]).u8(length).zeros(3);
    entry.name("/usr/lib/libc.so.6").record(67, misc)
}

#[test]
fn build_ids_old_and_new() {
    for big in [false, true] {
        let section = [build_id(big, 1, 0), build_id(big, 2 | 1 << 15, 16)].concat();
        let reader = with(big, 2, section.clone());
        let [old, new] = reader.features().build_ids.as_slice() else {
            panic!("two build ids");
        };
        assert_eq!((old.id.len(), old.pid, old.kernel), (20, -1, true));
        assert_eq!((new.id.len(), new.kernel), (16, false));
        assert_eq!(new.path, "/usr/lib/libc.so.6");
        let mut file = File::new(big);
        file.push(&section);
        let piped = Box::new(Cursor::new(file.pipe()));
        let mut reader = Reader::from_seekable(piped).unwrap();
        walk_reader(&mut reader).unwrap();
        assert_eq!(reader.features().build_ids.len(), 2);
    }
}

#[test]
fn damaged_sections_are_counted_and_the_rest_is_read() {
    let mut file = File::new(false);
    file.features = vec![
        (2, vec![0xff; 40]),
        (3, Bytes::new(false).u32(1 << 30).out),
        (4, file.bytes().string("6.18").out),
        (11, file.bytes().u32(u32::MAX).string("perf").out),
        (250, vec![1, 2, 3]),
    ];
    let reader = Reader::from_seekable(Box::new(Cursor::new(file.regular()))).unwrap();
    let features = reader.features();
    assert_eq!(
        (features.hostname.as_deref(), features.os_release.as_deref()),
        (None, Some("6.18"))
    );
    assert_eq!(features.command_line, ["perf"]);
    assert_eq!(reader.feature_raw(250), Some([1, 2, 3].as_slice()));
    let fault = reader.faults().get(FaultKind::BadFeature).unwrap();
    assert_eq!((fault.count, fault.detail.as_str()), (3, "section 2"));
}
