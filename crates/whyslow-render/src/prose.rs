//! Sentences on lines that are not too long.

use crate::measure::width;

/// What stays on a line with the number before it.
const UNITS: [&str; 9] = ["ns", "µs", "ms", "s", "%", "kB", "MB", "GB", "MB/s"];

/// Returns `text` on lines of at most `room` columns where its words allow it; all but the first begin with `indent`
/// spaces. A number and its unit stay together.
pub fn wrapped(text: &str, room: usize, indent: usize) -> String {
    let mut lines = String::new();
    let mut at = 0;
    for word in words(text) {
        let wide = width(&word);
        if at == 0 {
            at = wide;
        } else if at + 1 + wide > room {
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            at = indent + wide;
        } else {
            lines.push(' ');
            at += 1 + wide;
        }
        lines.push_str(&word);
    }
    lines
}

/// Returns what stays together.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let unit = word.trim_end_matches(['.', ',', ';', ':', ')']);
        let number = |last: &String| last.ends_with(|letter: char| letter.is_ascii_digit());
        match words.last_mut() {
            Some(last) if UNITS.contains(&unit) && number(last) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_but_not_before_a_unit() {
        let text = "Creating a file costs 12.5 µs, the same.";
        assert_eq!(
            wrapped(text, 26, 2),
            "Creating a file costs\n  12.5 µs, the same."
        );
        assert_eq!(wrapped(text, 100, 2), text);
        assert_eq!(wrapped("", 10, 2), "");
        let long = "a/very/long/path of it";
        assert_eq!(wrapped(long, 4, 0), "a/very/long/path\nof\nit");
    }
}
