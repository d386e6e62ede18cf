//! Compressed records: a single zstd stream through all of them, with records across their borders.

use std::io::Cursor;

use whyslow_perfdata::{FaultKind, Reader};
use zstd::stream::raw::{Encoder, InBuffer, Operation, OutBuffer};

use crate::synthetic::{Bytes, File};
use crate::touch::{Touched, walk_reader};

const COMPRESSED: u32 = 81;
const COMPRESSED2: u32 = 83;

/// Compresses records into pieces of one stream, cut every `piece` bytes, at any position.
fn compress(records: &[u8], piece: usize) -> Vec<Vec<u8>> {
    let mut encoder = Encoder::new(1).unwrap();
    let mut pieces = Vec::new();
    for chunk in records.chunks(piece) {
        let mut out = vec![0; chunk.len() + 1024];
        let mut input = InBuffer::around(chunk);
        let mut output = OutBuffer::around(&mut out);
        while input.pos() < chunk.len() {
            encoder.run(&mut input, &mut output).unwrap();
        }
        while encoder.flush(&mut output).unwrap() > 0 {}
        let made = output.pos();
        out.truncate(made);
        pieces.push(out);
    }
    pieces
}

fn wrap(big: bool, ty: u32, payload: &[u8]) -> Vec<u8> {
    if ty == COMPRESSED {
        return Bytes::new(big).raw(payload).record(ty, 0);
    }
    let padding = payload.len().next_multiple_of(8) - payload.len();
    let content = Bytes::new(big).u64(payload.len() as u64).raw(payload);
    content.zeros(padding).record(ty, 0)
}

/// A file of samples, and the same file compressed.
fn pair(big: bool, ty: u32, piece: usize) -> (File, File) {
    let mut plain = File::new(big);
    for time in 0..5000_u64 {
        plain.sample(1000 + (time ^ 3), 1, 0);
    }
    let mut packed = File::new(big);
    for payload in compress(&plain.records, piece) {
        packed.push(&wrap(big, ty, &payload));
    }
    plain.round();
    packed.round();
    (plain, packed)
}

fn open(bytes: Vec<u8>) -> Reader {
    Reader::from_seekable(Box::new(Cursor::new(bytes))).unwrap()
}

fn walked(bytes: Vec<u8>) -> (Touched, Reader) {
    let mut reader = open(bytes);
    let touched = walk_reader(&mut reader).unwrap();
    (touched, reader)
}

#[test]
fn the_same_as_uncompressed() {
    for big in [false, true] {
        for ty in [COMPRESSED, COMPRESSED2] {
            for piece in [100, 4096, 60_000] {
                let (plain, packed) = pair(big, ty, piece);
                let files = [
                    (plain.regular(), packed.regular()),
                    (plain.pipe(), packed.pipe()),
                ];
                for (plain, packed) in files {
                    let (expected, _) = walked(plain);
                    let (found, reader) = walked(packed);
                    assert_eq!(found, expected);
                    assert!(reader.faults().is_empty(), "{:?}", reader.faults());
                }
            }
        }
    }
}

#[test]
fn the_offset_is_that_of_the_compressed_record() {
    let (_, packed) = pair(false, COMPRESSED, 60_000);
    let bytes = packed.regular();
    let start = bytes.len() as u64 - packed.records.len() as u64;
    let mut reader = open(bytes);
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!(record.offset, start);
}

/// A damaged piece ends the stream: records before it are delivered, records after it are counted
/// as lost.
#[test]
fn a_damaged_piece_costs_the_rest_of_the_stream() {
    let (plain, _) = pair(false, COMPRESSED, 4096);
    let mut packed = File::new(false);
    let pieces = compress(&plain.records, 4096);
    for (number, mut payload) in pieces.into_iter().enumerate() {
        if number == 10 {
            payload.iter_mut().for_each(|byte| *byte ^= 0x5a);
        }
        packed.push(&wrap(false, COMPRESSED, &payload));
    }
    packed.sample(9999, 1, 0);
    let (found, reader) = walked(packed.regular());
    let per_piece = 4096 / 40;
    assert!(
        found.samples >= 10 * per_piece && found.samples <= 11 * per_piece + 1,
        "{found:?}"
    );
    assert!(reader.faults().get(FaultKind::BadCompression).is_some());
}

/// If a recorder begins a new frame after damage, the stream can be read again.
#[test]
fn a_new_frame_is_a_new_beginning() {
    let (plain, _) = pair(false, COMPRESSED, 4096);
    let mut packed = File::new(false);
    packed.push(&wrap(false, COMPRESSED, &[0x17; 100]));
    for payload in compress(&plain.records, 4096) {
        packed.push(&wrap(false, COMPRESSED, &payload));
    }
    let (found, reader) = walked(packed.regular());
    assert_eq!(found.samples, 5000);
    assert_eq!(
        reader
            .faults()
            .get(FaultKind::BadCompression)
            .map(|fault| fault.count),
        Some(1)
    );
}

/// A few bytes that expand to hundreds of megabytes: delivered piece by piece up to the limit, with
/// no more memory than a window.
#[test]
fn a_bomb_is_limited() {
    let mut encoder = Encoder::new(19).unwrap();
    let record = Bytes::new(false).zeros(65_520).record(200, 0);
    let mut payload = vec![0; 60_000];
    let mut output = OutBuffer::around(&mut payload);
    for _ in 0..5000 {
        let mut input = InBuffer::around(&record);
        while input.pos() < record.len() {
            encoder.run(&mut input, &mut output).unwrap();
        }
    }
    while encoder.flush(&mut output).unwrap() > 0 {}
    let made = output.pos();
    assert!(made < 60_000, "{made}");
    let mut file = File::new(false);
    file.push(&wrap(false, COMPRESSED, &payload[..made]));
    let mut reader = open(file.regular());
    reader.set_window_bytes(0);
    let mut records = 0_u64;
    while let Some(record) = reader.next_record().unwrap() {
        records += u64::from(record.ty == 200);
    }
    assert!((900..1100).contains(&records), "{records}");
    assert!(reader.faults().get(FaultKind::BadCompression).is_some());
}
