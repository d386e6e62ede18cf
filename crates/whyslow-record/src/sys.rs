//! System calls that the standard library does not offer, one safe function each.
//!
//! All `unsafe` of the recorder is in this module's files: everything else works with the safe surface
//! here. Errors are those of the operating system, unchanged.
//!
//! What `rustix` has is called through it. Only these go through `libc`: `perf_event_open`, `close_range` and
//! `getrusage`, which it lacks; `sched_getaffinity`, because its sets end at 1024 CPUs; `wait4`, because its own waits
//! do not say what CPU time a child used; signals, `fork` and `exec`, which are the C library's own business; and the
//! local time.

pub(crate) mod clock;
pub(crate) mod closing;
pub(crate) mod perf;
pub(crate) mod process;
pub(crate) mod ring;
pub(crate) mod signals;
pub(crate) mod tracefs;
pub(crate) mod turn;

use std::io;

/// Turns the return value of a system call into a result.
fn checked(answer: libc::c_long) -> io::Result<libc::c_long> {
    if answer < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(answer)
    }
}

/// As [`checked`], for functions that return an `int`.
fn checked_int(answer: libc::c_int) -> io::Result<libc::c_int> {
    if answer < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(answer)
    }
}
