//! Text from a trace, made safe for a terminal.
//!
//! Process names, paths and command lines may contain anything. An escape sequence in one of
//! them could move the cursor, rewrite lines above or set the window's title; a bidirectional
//! override could make a line read backwards; a line break would break the table. All of these are
//! spelled out, so nothing is hidden and nothing acts.

use std::borrow::Cow;
use std::path::Path;

use whyslow_results::is_hidden;

/// Returns `text` with every character that acts instead of showing spelled out: `\n`, `\x1b`,
/// `\u{202e}`.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => safe.push_str("\\n"),
            '\r' => safe.push_str("\\r"),
            '\t' => safe.push_str("\\t"),
            c if !is_hidden(c) => safe.push(c),
            c if u32::from(c) < 0x100 => safe.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => safe.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    Cow::Owned(safe)
}

/// A word of a message is shown whole up to so many letters: longer than any name of a file.
const LONG_WORD: usize = 300;
/// Letters at the beginning and the end of a longer one that are shown.
const OF_WORD: (usize, usize) = (160, 60);

/// A message is shown whole up to so many letters.
const LONG: usize = 4000;
/// Letters at the beginning and the end of a longer one that are shown.
const OF_MESSAGE: (usize, usize) = (2000, 1000);

/// Returns a message about something that a user or a trace has named, however long that is: escaped, and without the middle of
/// very long words.
pub fn message(text: &str) -> String {
    let text = escape(text);
    let words = text
        .split(' ')
        .map(|word| without_middle(word, LONG_WORD, OF_WORD));
    let words: Vec<_> = words.collect();
    without_middle(&words.join(" "), LONG, OF_MESSAGE).into_owned()
}

/// Returns a text of more than `most` letters with an ellipsis instead of its middle.
fn without_middle(text: &str, most: usize, (first, last): (usize, usize)) -> Cow<'_, str> {
    let count = match text.len() <= most {
        true => 0,
        false => text.chars().count(),
    };
    if count <= most {
        return Cow::Borrowed(text);
    }
    let beginning = text.chars().take(first);
    let end = text.chars().skip(count - last);
    Cow::Owned(beginning.chain(['…']).chain(end).collect())
}

/// Returns a line with a path: escaped for a terminal, elsewhere with the bytes it has, so that a script can use it.
pub fn path_line(path: &Path, is_terminal: bool) -> Vec<u8> {
    let mut line = match is_terminal {
        true => escape(&path.to_string_lossy()).into_owned().into_bytes(),
        false => path.as_os_str().as_encoded_bytes().to_vec(),
    };
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_and_messages_lose_their_middle() {
        assert_eq!(message("no process matches x*"), "no process matches x*");
        let path = format!("cannot open /{}: it is empty", "d/".repeat(140));
        assert_eq!(message(&path), path);
        let long = message(&format!(
            "no process matches {}: give a name",
            "ä".repeat(100_000)
        ));
        assert!(long.chars().count() < 300, "{long}");
        assert!(long.starts_with("no process matches ää") && long.ends_with("ä: give a name"));
        assert!(long.contains('…'));
        let many = message(&format!("unknown words {} here", "a b ".repeat(50_000)));
        assert!(many.len() < 3500 && many.ends_with(" here"), "{many}");
        assert!(message(&"\u{1b}".repeat(100_000)).len() < 300);
    }

    #[test]
    #[cfg(unix)]
    fn a_path_is_escaped_for_a_terminal_and_whole_for_a_script() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(OsStr::from_bytes(b"b\xff\x1b[31m"));
        assert_eq!(path_line(path, false), b"b\xff\x1b[31m\n");
        let shown = path_line(path, true);
        let (last, text) = shown.split_last().expect("a line");
        assert_eq!(*last, b'\n');
        assert!(text.iter().all(|byte| !byte.is_ascii_control()), "{text:?}");
    }

    #[test]
    fn escape_sequences_are_spelled_out() {
        assert_eq!(escape("a\x1b[2Jb"), "a\\x1b[2Jb");
        assert_eq!(escape("\u{9b}31m"), "\\x9b31m");
        assert_eq!(
            escape("two\nlines\r\t\0\x7f"),
            "two\\nlines\\r\\t\\x00\\x7f"
        );
    }

    #[test]
    fn text_that_reads_backwards_is_spelled_out() {
        assert_eq!(escape("a\u{202e}txt.exe"), "a\\u{202e}txt.exe");
        assert_eq!(escape("\u{feff}x"), "\\u{feff}x");
        // So is what shows as nothing, or as a blank.
        assert_eq!(escape("pass\u{ad}word"), "pass\\xadword");
        assert_eq!(escape("a\u{3164}b\u{2800}"), "a\\u{3164}b\\u{2800}");
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in ["", "plain", "größer", "日本語", "emoji 🎉", "a\\b"] {
            assert!(matches!(escape(text), Cow::Borrowed(same) if same == text));
        }
    }
}
