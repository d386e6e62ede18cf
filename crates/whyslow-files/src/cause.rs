//! The system's error message for a failure, for a person.

use std::error::Error;
use std::io;

/// Returns what the user can do about an error of reading, if that is clear.
pub fn hint_on_reading(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            Some("read it as its owner, or ask the owner for read access")
        }
        io::ErrorKind::NotFound => Some("check the path"),
        _ => None,
    }
}

/// Returns what the user can do about an error of writing, if that is clear.
pub fn hint(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some("free some space, or write to another directory")
        }
        io::ErrorKind::PermissionDenied => {
            Some("check the permissions, or write to a directory of your own")
        }
        io::ErrorKind::ReadOnlyFilesystem => Some("write to another directory"),
        _ => None,
    }
}

/// Returns the error of the system without its number, to follow a colon.
pub fn plain(error: &io::Error) -> String {
    let text = without_number(&error.to_string());
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Returns an error and its causes in one line, each once.
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    without_number(&text)
}

/// Returns `text` without the number of a system's error, which says nothing to a person.
pub fn without_number(text: &str) -> String {
    match text.split_once(" (os error") {
        Some((before, after)) => {
            let after = after.split_once(')').map_or("", |(_, after)| after);
            format!("{before}{after}")
        }
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_not_read_is_not_told_where_to_write() {
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        let hints = [hint(&denied), hint_on_reading(&denied)].map(Option::unwrap);
        assert!(
            hints[0].contains("write") && !hints[1].contains("write"),
            "{hints:?}"
        );
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(hint_on_reading(&full), None);
    }

    #[test]
    fn numbers_of_the_system_go() {
        assert_eq!(without_number("a: b (os error 2); c"), "a: b; c");
        let missing = io::Error::from_raw_os_error(2);
        assert!(!plain(&missing).contains("os error"));
    }
}
