//! Leaves the closing of events to a separate process.
//!
//! The kernel waits while the last descriptor of a tracepoint's or a probe's event is closed: until no
//! processor can be in the middle of it, some 40 to 100 ms for each, one after another. A parent that
//! waits for us to exit would wait for all of them. So a process that nobody waits for keeps the
//! descriptors open until ours are closed, which then takes no time, closes them one after another, and
//! exits. A recording that begins meanwhile comes first: see `turn`.
#![expect(unsafe_code, reason = "system calls")]

use std::ffi::CStr;
use std::io;
use std::ops::RangeInclusive;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::io::{close, read, retry_on_intr};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, WaitOptions, setsid, waitpid};
use rustix::thread::set_name;

use super::checked_int;

/// What `/proc` calls the descriptors that take long, and some more of their kind.
const KEPT: [&[u8]; 2] = [b"anon_inode:[perf_event]", b"anon_inode:bpf"];

/// The name of the process that closes them.
const NAME: &CStr = c"whyslow-close";

/// While this lives, another process keeps events and eBPF objects open.
#[derive(Debug)]
pub(crate) struct KeptOpen {
    _end: OwnedFd,
}

/// Starts a process that has all events and eBPF objects of this one, and nothing else that it inherited.
/// They have to be closed here before the returned value is dropped: the last to close them waits.
///
/// # Errors
/// Those of `/proc` and of `fork`; then closing them takes its time here.
pub(crate) fn leave_to_another_process() -> io::Result<KeptOpen> {
    let (wait, end) = pipe_with(PipeFlags::CLOEXEC)?;
    let events = kept()?;
    let mut kept = events.clone();
    kept.extend(u32::try_from(wait.as_raw_fd()));
    kept.sort_unstable();
    let others = gaps(&kept);
    // SAFETY: the child calls async-signal-safe functions only (`child` below) and never returns, so it does
    // not matter which locks other threads held.
    let pid = checked_int(unsafe { libc::fork() })?;
    if pid == 0 {
        // SAFETY: we are the child.
        unsafe { child(&others, &events, (&wait, &end)) }
    }
    // How it ended does not matter.
    let _ended = retry_on_intr(|| waitpid(Pid::from_raw(pid), WaitOptions::empty()));
    Ok(KeptOpen { _end: end })
}

/// The descriptors to keep.
fn kept() -> io::Result<Vec<u32>> {
    let mut kept = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.parse::<u32>().ok());
        let target = std::fs::read_link(entry.path()).unwrap_or_default();
        let target = target.as_os_str().as_bytes();
        if KEPT.iter().any(|start| target.starts_with(start)) {
            kept.extend(number);
        }
    }
    Ok(kept)
}

/// All descriptors but those in `kept`, which ascend.
fn gaps(kept: &[u32]) -> Vec<RangeInclusive<u32>> {
    let mut start = 0;
    let mut gaps = Vec::new();
    for &kept in kept {
        if start < kept {
            gaps.push(start..=kept - 1);
        }
        start = kept.saturating_add(1);
    }
    gaps.push(start..=u32::MAX);
    gaps
}

/// Makes the process that waits and closes, which is nobody's child then, and ends. If it cannot close all
/// else (before Linux 5.9, or where that is forbidden), it ends at once: it must not keep open what others
/// wait to see closed.
///
/// # Safety
/// Only for a process that was just forked.
unsafe fn child(
    others: &[RangeInclusive<u32>],
    events: &[u32],
    (wait, end): (&OwnedFd, &OwnedFd),
) -> ! {
    // SAFETY: plain numbers; all of these may be called after a fork, whatever threads there were.
    unsafe {
        if libc::fork() == 0 {
            // Nobody's terminal either.
            let _session = setsid();
            // Nor in the way of who unmounts the folder that it was started in.
            libc::chdir(c"/".as_ptr());
            let _named = set_name(NAME);
            close(end.as_raw_fd());
            for range in others {
                if libc::syscall(libc::SYS_close_range, *range.start(), *range.end(), 0) != 0 {
                    libc::_exit(0)
                }
            }
            // Nothing is ever written; the read returns when the other process has closed its end.
            let _end = read(wait, &mut [0_u8]);
            close_in_turn(events);
        }
        libc::_exit(0)
    }
}

/// How often recordings that begin are waited for in all, and how long each time.
const WAITS: u32 = 500;
const PAUSE_NS: libc::c_long = 20_000_000;
/// Long enough for who waits for the turn to take it.
const GAP_NS: libc::c_long = 10_000_000;
/// Who closes in less time keeps nobody waiting.
const QUICK_NS: i64 = 1_000_000;

/// Closes the events one after the other, each when no recording begins.
///
/// # Safety
/// Only for a process that was just forked, and has nothing else to do with these descriptors.
unsafe fn close_in_turn(events: &[u32]) {
    let mut waits = WAITS;
    // SAFETY: all of these may be called after a fork; the numbers are those of our own descriptors.
    unsafe {
        let own = libc::open(c"/proc/self/exe".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        for &event in events {
            while waits > 0
                && libc::flock(own, libc::LOCK_EX | libc::LOCK_NB) != 0
                && *libc::__errno_location() == libc::EWOULDBLOCK
            {
                pause(PAUSE_NS);
                waits -= 1;
            }
            let start = monotonic_ns();
            libc::syscall(libc::SYS_close, event);
            libc::flock(own, libc::LOCK_UN);
            if monotonic_ns().saturating_sub(start) > QUICK_NS {
                pause(GAP_NS);
            }
        }
    }
}

/// Returns the time of a clock that is never set.
///
/// # Safety
/// It may be called after a fork.
unsafe fn monotonic_ns() -> i64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the time is ours.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec
        .saturating_mul(1_000_000_000)
        .saturating_add(time.tv_nsec)
}

/// Sleeps.
///
/// # Safety
/// It may be called after a fork.
unsafe fn pause(ns: libc::c_long) {
    let time = libc::timespec {
        tv_sec: 0,
        tv_nsec: ns,
    };
    // SAFETY: the time is ours.
    unsafe { libc::nanosleep(&raw const time, std::ptr::null_mut()) };
}

#[cfg(test)]
mod tests {
    use super::gaps;

    #[test]
    fn everything_else_is_closed() {
        assert_eq!(gaps(&[]), vec![0..=u32::MAX]);
        assert_eq!(gaps(&[0, 3, 4, 9]), vec![1..=2, 5..=8, 10..=u32::MAX]);
    }
}
