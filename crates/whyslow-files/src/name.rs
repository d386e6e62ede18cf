//! Text as part of a file's name.

/// Returns `text` with everything that does not belong into a file's name replaced by `-`.
pub fn safe(text: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '+');
    let safe: String = text
        .chars()
        .map(|c| if fits(c) { c } else { '-' })
        .collect();
    safe.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_no_surprises() {
        assert_eq!(safe("../a b/c*"), "a-b-c");
        assert_eq!(safe("g++"), "g++");
    }
}
