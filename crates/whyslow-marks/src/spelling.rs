//! How a mark is written: as the name of a file that cannot exist.
//!
//! A recorder sees every call that names a file. `/dev/null` is not a folder, so there is nothing below it, and to ask
//! for such a file changes nothing. In the text, `%` and two hexadecimal digits mean a byte; everything else means
//! itself.

#[cfg(target_os = "linux")]
use std::ffi::OsStr;
use std::fmt::Write;

/// What the name begins with.
pub const FOLDER: &str = "/dev/null/whyslow-mark/";

/// Most bytes of a text as it is written.
pub const MOST_BYTES: usize = 2000;

/// Most characters of a text that are kept.
const MOST_CHARACTERS: usize = 1024;

/// Returns the name of the file that means this text, or `None` if the text is empty or too long.
pub fn path(text: &[u8]) -> Option<Vec<u8>> {
    let mut path = FOLDER.as_bytes().to_vec();
    for &byte in text {
        match byte {
            0 | b'%' => path.extend_from_slice(format!("%{byte:02x}").as_bytes()),
            _ => path.push(byte),
        }
    }
    let fits = path.len() <= FOLDER.len() + MOST_BYTES;
    (fits && !text.is_empty()).then_some(path)
}

/// Returns the text that the rest of such a name means, without what would act on a terminal.
pub fn text(rest: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest;
    while let [first, others @ ..] = left {
        let code = (*first == b'%').then(|| hexadecimal(others)).flatten();
        bytes.push(code.unwrap_or(*first));
        left = match code {
            Some(_) => others.get(2..).unwrap_or_default(),
            None => others,
        };
    }
    let mut text = String::new();
    let all = String::from_utf8_lossy(&bytes);
    let mut characters = all.chars();
    for character in characters.by_ref().take(MOST_CHARACTERS) {
        match character.is_control() {
            true => _ = write!(text, "{}", character.escape_default()),
            false => text.push(character),
        }
    }
    if characters.next().is_some() {
        text.push('…');
    }
    text
}

fn hexadecimal(bytes: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*bytes.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// Sets a mark, and returns whether its text is neither empty nor too long. If nobody records, nothing happens.
#[cfg(target_os = "linux")]
pub fn set(text: &OsStr) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let path = path(text.as_bytes());
    // The answer is always that there is no such file.
    let asked = path.map(|path| std::path::Path::new(OsStr::from_bytes(&path)).symlink_metadata());
    asked.is_some()
}

/// Sets marks, and returns whether all texts are neither empty nor too long; otherwise it sets none.
#[cfg(target_os = "linux")]
pub fn set_all(texts: &[std::ffi::OsString]) -> bool {
    let fit = texts
        .iter()
        .all(|text| path(text.as_encoded_bytes()).is_some());
    fit && texts.iter().all(|text| set(text))
}

/// Sets the mark of a command line `whyslow mark TEXT`, and returns whether it is one: scripts set marks where time
/// counts, and to understand a command line takes longer than to set a mark.
#[cfg(target_os = "linux")]
pub fn set_at_once(words: &[std::ffi::OsString]) -> bool {
    match words {
        [_, command, text] if command == "mark" => {
            !text.as_encoded_bytes().starts_with(b"-") && set(text)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(bytes: &[u8]) -> String {
        let path = path(bytes).expect("a path");
        assert!(!path.contains(&0));
        text(path.strip_prefix(FOLDER.as_bytes()).expect("the folder"))
    }

    #[test]
    fn every_text_survives() {
        for same in [
            "warm-up done",
            "a/b//c/../d",
            "50 % of 100%",
            "%41",
            "%",
            "über",
        ] {
            assert_eq!(again(same.as_bytes()), same);
        }
        assert_eq!(again(b"a\nb\x1b[2J\0"), "a\\nb\\u{1b}[2J\\u{0}");
        assert_eq!(again(b"\xff"), "\u{fffd}");
    }

    #[test]
    fn what_people_write_by_hand_means_itself() {
        assert_eq!(text(b"50% done"), "50% done");
        assert_eq!(text(b"100%"), "100%");
        assert_eq!(text(b"%4"), "%4");
        assert_eq!(text(b"%4g%2F%e2%82%ac"), "%4g/€");
    }

    #[test]
    fn texts_are_bounded() {
        assert_eq!(path(b""), None);
        assert_eq!(path(&[b'x'; MOST_BYTES + 1]), None);
        assert_eq!(path(&[b'%'; MOST_BYTES / 2]), None);
        let long = again(&[b'x'; MOST_BYTES]);
        assert_eq!(long.chars().count(), MOST_CHARACTERS + 1);
        assert!(long.ends_with('…'));
    }
}
