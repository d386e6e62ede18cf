//! Symbolizing whole files: hand-written, compiled, damaged, and against other tools.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "what tests share may fail a test"
)]

mod busy_wait;
mod compiled;
mod debuginfod;
mod hostile;
mod perf_agrees;
mod support;
mod tiny_elf;
mod tiny_files;
mod windows;
