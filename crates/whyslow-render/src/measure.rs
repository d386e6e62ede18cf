//! How wide text is on a terminal, and cutting it there: wide characters take two columns,
//! combining ones none.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns how many terminal columns `text` takes.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    UnicodeWidthStr::width(text)
}

/// Returns `text` cut to at most `columns` columns; a cut text ends in `…`.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(1);
    let mut taken = 0;
    let mut kept = String::new();
    for c in text.chars() {
        let wide = UnicodeWidthChar::width(c).unwrap_or(0);
        if taken + wide > room {
            break;
        }
        taken += wide;
        kept.push(c);
    }
    if columns > 0 {
        kept.push('…');
    }
    kept
}

/// Appends `text` to `line`, padded with spaces to `columns`, at the right end if `right`.
pub fn pad(line: &mut String, text: &str, columns: usize, right: bool) {
    let missing = columns.saturating_sub(width(text));
    if right {
        line.extend(std::iter::repeat_n(' ', missing));
    }
    line.push_str(text);
    if !right {
        line.extend(std::iter::repeat_n(' ', missing));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(width("日本"), 4);
        assert_eq!(width("e\u{301}"), 1);
    }

    #[test]
    fn a_cut_never_exceeds_its_room() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdef", 4), "abc…");
        // The second character would take columns 3 and 4, and the mark needs one.
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("abc", 1), "…");
        assert_eq!(cut("abc", 0), "");
    }

    #[test]
    fn padding_counts_columns_not_characters() {
        let mut line = String::new();
        pad(&mut line, "日", 4, false);
        pad(&mut line, "1", 3, true);
        assert_eq!(line, "日    1");
    }
}
