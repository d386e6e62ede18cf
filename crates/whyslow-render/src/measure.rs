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

/// Returns the end of `text` that fits into `columns`; a cut text begins with `…`.
pub fn cut_front(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut rest = text.chars();
    while width(rest.as_str()) >= columns.max(1) {
        rest.next();
    }
    format!("…{}", rest.as_str())
}

/// Returns `text` cut to at most `columns` columns in its middle, for names that differ at the end.
pub fn cut_middle(text: &str, columns: usize) -> String {
    if width(text) <= columns || columns < 3 {
        return cut(text, columns);
    }
    let end = columns / 2;
    format!(
        "{}{}",
        cut(text, columns - end + 1),
        cut_front(text, end).replacen('…', "", 1)
    )
}

/// Returns the lines of `text` at most `columns` columns wide, broken between words; a word that is
/// wider is broken itself.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().filter(|line| !line.is_empty());
        match line {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
                continue;
            }
            Some(_) => lines.push(String::new()),
            None => {}
        }
        for c in word.chars() {
            let wide = UnicodeWidthChar::width(c).unwrap_or(0);
            if lines
                .last()
                .is_some_and(|line| width(line) + wide > columns)
            {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push(c);
            }
        }
    }
    lines
}

/// Between the functions of a chain.
const CALLS: &str = " > ";

/// Returns a chain `a > b > c` cut to at most `columns` columns: what is left out is in its middle,
/// as the tree forks at its last function.
pub fn cut_chain(text: &str, columns: usize) -> String {
    let functions: Vec<&str> = text.split(CALLS).collect();
    let fits = |text: &String| width(text) <= columns;
    if width(text) <= columns || functions.len() < 2 {
        return cut(text, columns);
    }
    let last = |from: usize| functions[from..].join(CALLS);
    let both = |from| format!("{} > … > {}", functions[0], last(from));
    let whole = (2..functions.len()).map(both).find(fits);
    let end = || {
        let ends = (1..functions.len()).map(|from| format!("… > {}", last(from)));
        ends.into_iter().find(fits)
    };
    whole
        .or_else(end)
        .unwrap_or_else(|| cut(&format!("… > {}", last(functions.len() - 1)), columns))
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
    fn a_chain_keeps_its_ends() {
        let chain = "main > run > parse > emit";
        assert_eq!(cut_chain(chain, 25), chain);
        assert_eq!(cut_chain(chain, 24), "main > … > parse > emit");
        assert_eq!(cut_chain(chain, 20), "main > … > emit");
        assert_eq!(cut_chain(chain, 12), "… > emit");
        assert_eq!(cut_chain(chain, 6), "… > e…");
        assert_eq!(cut_chain("a_single_name", 6), "a_sin…");
    }

    #[test]
    fn a_front_is_cut_where_the_end_matters() {
        assert_eq!(cut_front("│  │  └─ ", 9), "│  │  └─ ");
        assert_eq!(cut_front("│  │  └─ ", 5), "… └─ ");
        assert_eq!(cut_front("│  │  └─ ", 0), "…");
    }

    #[test]
    fn a_middle_is_cut_where_both_ends_matter() {
        assert_eq!(cut_middle("build.20261121-101500", 12), "build.…01500");
        assert_eq!(cut_middle("build.20261121-101500", 2), "b…");
        assert_eq!(cut_middle("build", 5), "build");
    }

    #[test]
    fn sentences_break_between_words() {
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(wrap("one two three", 13), ["one two three"]);
        assert_eq!(wrap("one two three", 12), ["one two", "three"]);
        assert_eq!(wrap("a 日本語日本語 b", 6), ["a", "日本語", "日本語", "b"]);
    }

    #[test]
    fn padding_counts_columns_not_characters() {
        let mut line = String::new();
        pad(&mut line, "日", 4, false);
        pad(&mut line, "1", 3, true);
        assert_eq!(line, "日    1");
    }
}
