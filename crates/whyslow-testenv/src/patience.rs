//! Waiting for states.

use std::process::{Child, Output};
use std::time::{Duration, Instant};

/// Longer than anything takes that a test waits for, also on a machine that is slow and busy.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// Waits until `is_so`.
///
/// # Panics
///
/// When [`PATIENCE`] ends.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "still not so: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end of a program whose output fits into a pipe, and returns that.
///
/// # Panics
///
/// When [`PATIENCE`] ends, after killing it.
#[expect(clippy::expect_used, reason = "a test may stop")]
#[must_use]
pub fn end_of(mut child: Child) -> Output {
    let start = Instant::now();
    let mut is_late = false;
    while !is_late && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(5));
        is_late = start.elapsed() > PATIENCE;
    }
    if is_late {
        child.kill().expect("it is killed");
    }
    let output = child.wait_with_output().expect("its output");
    assert!(!is_late, "it does not end: {output:?}");
    output
}
