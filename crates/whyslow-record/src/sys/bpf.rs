//! The kernel interfaces that the eBPF library and std do not have for us.
//!
//! It opens its own events for output and for sampling; ours exist already, in our rings. Sources:
//! `bpf(2)`, `perf_event_open(2)`, `include/uapi/linux/bpf.h`.
#![expect(unsafe_code, reason = "system calls")]

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

use rustix::ioctl::{IntegerSetter, Opcode, ioctl, opcode};

use super::checked;

const MAP_UPDATE_ELEM: libc::c_int = 2;
const SET_BPF: Opcode = opcode::write::<u32>(b'$', 8);

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
pub(crate) fn set_output(map: BorrowedFd<'_>, cpu: u32, event: BorrowedFd<'_>) -> io::Result<()> {
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
    checked(answer).map(drop)
}

/// Makes an event run a program at each of its samples.
pub(crate) fn set_program(event: BorrowedFd<'_>, program: BorrowedFd<'_>) -> io::Result<()> {
    let program = usize::try_from(program.as_raw_fd()).map_err(io::Error::other)?;
    // SAFETY: this request takes a descriptor as a plain number.
    let answer = unsafe { ioctl(event, IntegerSetter::<SET_BPF>::new_usize(program)) };
    answer.map_err(io::Error::from)
}
