//! The kernel interfaces that the eBPF library and std do not have for us.
//!
//! It opens its own events for output and for sampling; ours exist already, in our rings. Sources:
//! `bpf(2)`, `perf_event_open(2)`, `include/uapi/linux/bpf.h`.
#![expect(unsafe_code, reason = "system calls")]

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

const MAP_UPDATE_ELEM: libc::c_int = 2;
const IOC_SET_BPF: libc::c_ulong = 0x4004_2408;

/// `union bpf_attr` of `BPF_MAP_UPDATE_ELEM`.
#[repr(C)]
struct UpdateElement {
    map: u32,
    padding: u32,
    key: u64,
    value: u64,
    flags: u64,
}

/// Puts an event into a map of events, at a CPU's place.
pub(super) fn set_output(map: BorrowedFd<'_>, cpu: u32, event: BorrowedFd<'_>) -> io::Result<()> {
    let (key, value) = (cpu, event.as_raw_fd());
    let attr = UpdateElement {
        map: u32::try_from(map.as_raw_fd()).map_err(io::Error::other)?,
        padding: 0,
        key: (&raw const key).addr() as u64,
        value: (&raw const value).addr() as u64,
        flags: 0,
    };
    // SAFETY: the structure has the layout and size the kernel expects and its pointers are to
    // locals that live until the call returns.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_bpf,
            MAP_UPDATE_ELEM,
            &raw const attr,
            size_of_val(&attr),
        )
    };
    if answer < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// Makes an event run a program at each of its samples.
pub(super) fn set_program(event: BorrowedFd<'_>, program: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: this request takes a descriptor as a plain number.
    let answer = unsafe { libc::ioctl(event.as_raw_fd(), IOC_SET_BPF as _, program.as_raw_fd()) };
    if answer < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// Now, on the clock of the recording.
pub(super) fn monotonic_ns() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the kernel fills the structure.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    seconds * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}
