//! Words for what failed: errors of the system, and how commands ended.

use std::io;

/// The error number "no child processes" of Linux: what stands for all that has no number.
const NO_CHILD: i32 = 10;

/// Returns an error of the system without its number, which says nothing to a person.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    let mut letters = text.get(..end).unwrap_or(&text).chars();
    let first = letters
        .next()
        .map(|letter| letter.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Returns the words of the system for an error number.
pub fn errno_text(errno: i32) -> String {
    if errno == NO_CHILD {
        return "what was started failed".to_owned();
    }
    reason(&io::Error::from_raw_os_error(errno))
}

/// Returns the exit code of a command, or below zero the signal that ended it, in words.
pub fn exited(code: i32) -> String {
    match code {
        0.. => format!("exit code {code}"),
        signal => format!("signal {}", signal.unsigned_abs()),
    }
}
