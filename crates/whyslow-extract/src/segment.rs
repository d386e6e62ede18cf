//! Rows of one owner, packed: column by column, each value as the difference from the previous one.
//!
//! Temporary files contain nothing else. A column is a byte that says whether it is constant, then
//! its values as variable-length integers: 0 is null, 1 an escape for differences that do not fit,
//! any larger number the zigzag difference plus 2.

use whyslow_model::NULL_I64;

const CONSTANT: u8 = 0;
const VARYING: u8 = 1;

/// Appends the packed form of `rows` (row after row, `width` values each) to `out`.
pub(crate) fn pack(rows: &[i64], width: usize, out: &mut Vec<u8>) {
    for column in 0..width {
        let values = || rows.iter().skip(column).step_by(width).copied();
        let Some(first) = values().next() else {
            continue;
        };
        if values().all(|value| value == first) {
            out.push(CONSTANT);
            put_value(first, 0, out);
            continue;
        }
        out.push(VARYING);
        let mut last = 0;
        for value in values() {
            put_value(value, last, out);
            if value != NULL_I64 {
                last = value;
            }
        }
    }
}

/// Appends the rows in `bytes` to `rows`; returns `None` if `pack` did not write them.
pub(crate) fn unpack(bytes: &[u8], count: usize, width: usize, rows: &mut Vec<i64>) -> Option<()> {
    let start = rows.len();
    rows.resize(start + count * width, 0);
    let rows = rows.get_mut(start..)?;
    let mut at = 0;
    for column in 0..width {
        let tag = *bytes.get(at)?;
        at += 1;
        let slots = rows.iter_mut().skip(column).step_by(width);
        if tag == CONSTANT {
            let value = get_value(bytes, &mut at, 0)?;
            slots.for_each(|slot| *slot = value);
            continue;
        }
        let mut last = 0;
        for slot in slots {
            *slot = get_value(bytes, &mut at, last)?;
            if *slot != NULL_I64 {
                last = *slot;
            }
        }
    }
    Some(())
}

fn put_value(value: i64, last: i64, out: &mut Vec<u8>) {
    if value == NULL_I64 {
        out.push(0);
        return;
    }
    let difference = value.wrapping_sub(last);
    let zigzag = ((difference << 1) ^ (difference >> 63)).cast_unsigned();
    let Some(mut code) = zigzag.checked_add(2) else {
        out.push(1);
        out.extend_from_slice(&value.to_le_bytes());
        return;
    };
    while code >= 0x80 {
        out.push((code & 0x7f) as u8 | 0x80);
        code >>= 7;
    }
    out.push(code as u8);
}

fn get_value(bytes: &[u8], at: &mut usize, last: i64) -> Option<i64> {
    let mut code = 0_u64;
    let mut shift = 0;
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        code |= u64::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    match code {
        0 => Some(NULL_I64),
        1 => {
            let raw = bytes.get(*at..*at + 8)?.try_into().ok()?;
            *at += 8;
            Some(i64::from_le_bytes(raw))
        }
        code => {
            let zigzag = code - 2;
            let difference = (zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed();
            Some(last.wrapping_add(difference))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_whatever_their_values() {
        let odd = [0, 1, -1, NULL_I64, i64::MAX, i64::MIN + 1, 1 << 40];
        let mut rows = Vec::new();
        for &a in &odd {
            for &b in &odd {
                rows.extend([a, b, 7, NULL_I64]);
            }
        }
        let mut bytes = Vec::new();
        pack(&rows, 4, &mut bytes);
        let mut back = vec![9];
        unpack(&bytes, rows.len() / 4, 4, &mut back).expect("own bytes");
        assert_eq!(back.split_off(1), rows);
        for cut in 0..bytes.len() {
            let cut = bytes.get(..cut).unwrap_or_default();
            assert!(unpack(cut, rows.len() / 4, 4, &mut Vec::new()).is_none());
        }
    }
}
