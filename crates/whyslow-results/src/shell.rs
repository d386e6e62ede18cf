//! Command lines as a person can paste them into a shell.

use std::fmt::Write;

/// Returns `words` as one line that a shell takes apart into the same words.
pub fn shell_line<T: AsRef<str>>(words: impl IntoIterator<Item = T>) -> String {
    let words = words.into_iter().map(|word| shell_word(word.as_ref()));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns `word` with the quotes that it needs. What would break the line is spelled out: `$'a\nb'`.
fn shell_word(word: &str) -> String {
    // A shell leaves these places of a number alone, other braces it may not.
    let rest = word.replace("{}", "").replace("{n}", "");
    let plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
    if !word.is_empty() && rest.chars().all(plain) {
        return word.to_owned();
    }
    if !word.chars().any(char::is_control) {
        return format!("'{}'", word.replace('\'', "'\\''"));
    }
    let mut text = "$'".to_owned();
    for c in word.chars() {
        match c {
            '\n' => text += "\\n",
            '\t' => text += "\\t",
            '\r' => text += "\\r",
            '\\' | '\'' => text.extend(['\\', c]),
            c if c.is_ascii_control() => {
                // Three digits end the number, whatever follows.
                let written = write!(text, "\\{:03o}", u32::from(c));
                debug_assert!(written.is_ok(), "a string takes all");
            }
            c => text.push(c),
        }
    }
    text + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_quotes_that_they_need() {
        for (word, quoted) in [
            ("-n", "-n"),
            ("1..1024", "1..1024"),
            ("--n={}", "--n={}"),
            ("{a,b}", "'{a,b}'"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$(x)", "'$(x)'"),
            ("for i in x:\n pass", r"$'for i in x:\n pass'"),
            ("a\\b\n'\u{1b}1", r"$'a\\b\n\'\0331'"),
        ] {
            assert_eq!(shell_word(word), quoted);
        }
        assert_eq!(shell_line(["sh", "-c", "sleep {}"]), "sh -c 'sleep {}'");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_shell_takes_it_apart_into_the_same_words() {
        let words = [
            "a b",
            "it's",
            "x\n\ty\\n'",
            "",
            "*",
            "é\u{7f}7",
            "{} {n}",
            "!",
        ];
        let script = format!("printf '%s\\0' {}", shell_line(words));
        let said = std::process::Command::new("bash")
            .args(["-c", &script])
            .output();
        let said = said.expect("bash is there").stdout;
        let parts: Vec<&[u8]> = said.split(|byte| *byte == 0).collect();
        let expected: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        assert_eq!(parts.split_last().expect("a word").1, expected);
    }
}
