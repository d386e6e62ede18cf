//! The program as a user meets it: command line in; standard output, standard error, exit code and
//! files out. What is printed is compared whole with the files in `golden/`.
//!
//! `BLESS=1 cargo test -p whyslow --test cli` writes the files anew; review them like code.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod answers;
mod archives;
mod browser;
mod descriptors;
mod endings;
mod events;
mod export;
mod failures;
mod fixture;
mod formats;
#[cfg(target_os = "linux")]
mod fuse;
mod harness;
mod lab;
mod lab_commands;
mod lab_endings;
mod lab_export;
mod lab_growth;
mod lab_law;
mod lab_systems;
mod marks;
mod mounted;
#[cfg(target_os = "linux")]
mod owner;
mod pages;
mod recordings;
mod rules;
#[cfg(target_os = "linux")]
mod setup;
mod shares;
mod store;
#[cfg(target_os = "linux")]
mod units;
mod windows;
mod windows_files;
