//! Reads a file 5,000 times, removes it, closes it, and reads as often from something else that has its descriptor then:
//! `reused_descriptor FILE`. So often that not all calls are looked at; no other call that names a descriptor or a file
//! comes in between.
#![expect(unsafe_code, reason = "calls one by one")]
#![expect(clippy::expect_used, reason = "a program of a test may stop")]

use std::ffi::CString;
use std::io::{Write, pipe};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;

/// How often it reads.
const COUNT: usize = 5000;

fn main() {
    let path = std::env::args_os().nth(1).expect("a file");
    let path = CString::new(path.into_vec()).expect("a path");
    let (from, mut to) = pipe().expect("a pipe");
    to.write_all(&[0; COUNT]).expect("room");
    let mut byte = [0_u8];
    let mut read = |descriptor| {
        for _ in 0..COUNT {
            // SAFETY: room for a byte.
            let count = unsafe { libc::read(descriptor, byte.as_mut_ptr().cast(), 1) };
            assert_eq!(count, 1, "a byte");
        }
    };
    // SAFETY: plain calls, with memory that lives longer.
    let file = unsafe { libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    assert!(file >= 0, "it is there");
    // SAFETY: as above.
    assert_eq!(unsafe { libc::unlink(path.as_ptr()) }, 0, "removed");
    read(file);
    // SAFETY: as above; the file is used no more.
    let again = unsafe {
        libc::close(file);
        libc::dup(from.as_raw_fd())
    };
    assert_eq!(again, file, "the lowest that is free");
    read(again);
}
