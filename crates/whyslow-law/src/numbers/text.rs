//! Bytes become text, whatever system wrote them.

/// Returns the text of a file: UTF-8 or UTF-16, with or without a byte order mark; else Latin-1.
pub(super) fn decoded(bytes: &[u8]) -> String {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        // Text of digits in UTF-16 has a zero in every pair.
        [_, 0, _, 0, ..] => wide(bytes, u16::from_le_bytes),
        [0, _, 0, _, ..] => wide(bytes, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        },
    }
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units)
        .map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}
