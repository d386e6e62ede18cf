//! A writer of plain XPRESS (MS-XCA, 2.4), as used in compressed buffers.

use std::collections::HashMap;

/// Compresses greedily: takes the longest match among those with the same three bytes.
pub fn compress(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0; 4];
    let (mut flags_at, mut flag) = (0, 32);
    let mut half: Option<usize> = None;
    let mut seen = HashMap::new();
    let mut at = 0;
    while at < data.len() {
        if flag == 0 {
            (flags_at, flag) = (out.len(), 32);
            out.extend([0; 4]);
        }
        flag -= 1;
        let key = data.get(at..at + 3);
        let from = key.and_then(|key| seen.insert(key.to_vec(), at));
        let from = from.filter(|from| at - from <= 8192);
        let Some(from) = from else {
            out.push(data[at]);
            at += 1;
            continue;
        };
        let same = (0..data.len() - at).take_while(|i| data[from + i] == data[at + i]);
        let length = same.count();
        out[flags_at + flag / 8] |= 1 << (flag % 8);
        let short = (length - 3).min(7);
        let word = u16::try_from((at - from - 1) << 3 | short).unwrap();
        out.extend(word.to_le_bytes());
        if short == 7 {
            long_length(&mut out, &mut half, length - 3);
        }
        at += length;
    }
    // Windows writes all flags after the end as ones.
    for bit in 0..flag {
        out[flags_at + bit / 8] |= 1 << (bit % 8);
    }
    out
}

fn long_length(out: &mut Vec<u8>, half: &mut Option<usize>, length: usize) {
    let nibble = u8::try_from((length - 7).min(15)).unwrap();
    match half.take() {
        Some(at) => out[at] |= nibble << 4,
        None => {
            *half = Some(out.len());
            out.push(nibble);
        }
    }
    if nibble == 15 {
        out.push(u8::try_from((length - 22).min(255)).unwrap());
        if length - 22 >= 255 {
            match u16::try_from(length) {
                Ok(length) => out.extend(length.to_le_bytes()),
                Err(_) => {
                    out.extend([0, 0]);
                    out.extend(u32::try_from(length).unwrap().to_le_bytes());
                }
            }
        }
    }
}
