//! Times and bounds of records in a batch.

use super::Cursor;

fn record(kind: u32, size: u16, time: u64) -> Vec<u8> {
    let mut record = kind.to_ne_bytes().to_vec();
    record.extend_from_slice(&[0, 0]);
    record.extend_from_slice(&size.to_ne_bytes());
    record.resize(usize::from(size), 0);
    let offset = if kind == 9 {
        32
    } else {
        usize::from(size) - 24
    };
    record[offset..offset + 8].copy_from_slice(&time.to_ne_bytes());
    record
}

#[test]
fn times_of_samples_and_of_others() {
    let mut cursor = Cursor::default();
    cursor.add([record(9, 48, 7), record(3, 64, 8)].concat());
    assert_eq!(cursor.time().unwrap(), Some(7));
    assert_eq!(cursor.record().len(), 48);
    cursor.advance();
    assert_eq!(cursor.time().unwrap(), Some(8));
    cursor.add(record(9, 48, 9));
    assert_eq!(cursor.time().unwrap(), Some(8), "what was left comes first");
    cursor.advance();
    assert_eq!(cursor.time().unwrap(), Some(9));
    cursor.advance();
    assert_eq!(cursor.time().unwrap(), None);
}

#[test]
fn what_is_no_record_is_refused() {
    for bytes in [vec![0; 16], vec![0xff; 16], record(9, 48, 7)[..40].to_vec()] {
        let mut cursor = Cursor::default();
        cursor.add(bytes);
        assert!(cursor.time().is_err());
    }
}
