//! Which release of Linux runs.

use std::fs;

/// Returns whether the running kernel is of this release, such as 5.17, or a later one; false if it does not say.
pub fn is_since(release: (u32, u32)) -> bool {
    let own = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    is_text_since(&own, release)
}

/// The same for a text such as `6.1.0-18-amd64`.
fn is_text_since(text: &str, wanted: (u32, u32)) -> bool {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    let mut next = || numbers.next().and_then(|number| number.parse::<u32>().ok());
    next().zip(next()).is_some_and(|release| release >= wanted)
}

#[cfg(test)]
mod tests {
    use super::is_text_since;

    #[test]
    fn releases_are_compared_by_their_numbers() {
        assert!(is_text_since("5.17.0", (5, 17)));
        assert!(is_text_since("6.1.0-18-amd64", (5, 17)));
        assert!(!is_text_since("5.15.0-91-generic", (5, 17)));
        assert!(!is_text_since("4.19", (5, 17)));
        assert!(!is_text_since("", (5, 17)));
    }
}
