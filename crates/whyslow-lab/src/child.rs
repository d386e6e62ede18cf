//! A program that only opens a log: what a start costs where the started program is no more than that.
//!
//! It is compiled with this crate and lies in memory while it is used. `src/child/start.c` is its source.

use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, memfd_create};

/// The program; empty where there was no compiler for it.
const PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/start"));

/// The program in memory.
#[derive(Debug)]
pub(crate) struct Child(File);

impl Child {
    /// Returns the program, if this machine can have it.
    pub(crate) fn new() -> Option<Self> {
        if PROGRAM.is_empty() {
            return None;
        }
        let mut file = File::from(memfd_create("lab-start", MemfdFlags::CLOEXEC).ok()?);
        file.write_all(PROGRAM).ok()?;
        Some(Self(file))
    }

    /// Returns the path to start it by, as long as this is there.
    pub(crate) fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.0.as_raw_fd()).into()
    }
}
