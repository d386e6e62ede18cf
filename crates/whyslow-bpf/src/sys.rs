//! Kernel interfaces that neither the eBPF library nor std offers in the form we need.
//!
//! It opens its own events for output and for sampling; ours exist already, in our rings. Sources:
//! `bpf(2)`, `perf_event_open(2)`, `include/uapi/linux/bpf.h`.
#![expect(unsafe_code, reason = "system calls")]

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

use rustix::ioctl::{IntegerSetter, Opcode, ioctl, opcode};

/// Turns the return value of a system call into a result.
fn checked(answer: libc::c_long) -> io::Result<libc::c_long> {
    if answer < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(answer)
    }
}

const MAP_UPDATE_ELEM: libc::c_int = 2;
const OBJ_GET_INFO_BY_FD: libc::c_int = 15;
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

/// Puts an event into a map of events, or a map into a map of maps.
pub(crate) fn set_descriptor(
    map: BorrowedFd<'_>,
    place: u32,
    descriptor: BorrowedFd<'_>,
) -> io::Result<()> {
    let (key, value) = (place, descriptor.as_raw_fd());
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

/// `union bpf_attr` of `BPF_OBJ_GET_INFO_BY_FD`.
#[repr(C)]
struct GetInfo {
    object: u32,
    size: u32,
    info: u64,
}

/// Words of `struct bpf_prog_info` as far as it is needed here, and what is in them: how many functions
/// there are (the lower half of the word), and where their addresses are to be put.
const INFO_WORDS: usize = 16;
const FUNCTION_COUNT: usize = 13;
const FUNCTION_ADDRESSES: usize = 14;
/// The kernel allows fewer functions than this.
const MOST_FUNCTIONS: usize = 256;

/// Returns where the functions of a program are in the kernel; none where the kernel hides addresses
/// from us.
pub(crate) fn functions(program: BorrowedFd<'_>) -> io::Result<Vec<u64>> {
    let mut addresses = [0_u64; MOST_FUNCTIONS];
    let mut info = [0_u64; INFO_WORDS];
    info[FUNCTION_COUNT] = MOST_FUNCTIONS as u64;
    info[FUNCTION_ADDRESSES] = (&raw mut addresses).addr() as u64;
    let attr = GetInfo {
        object: u32::try_from(program.as_raw_fd()).map_err(io::Error::other)?,
        size: u32::try_from(size_of_val(&info)).map_err(io::Error::other)?,
        info: (&raw mut info).addr() as u64,
    };
    // SAFETY: the structures have the layouts and sizes the kernel expects. It writes as much of the
    // information as there is room for, and as many addresses; both live until the call returns.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_bpf,
            OBJ_GET_INFO_BY_FD,
            &raw const attr,
            size_of_val(&attr),
        )
    };
    checked(answer)?;
    let known = addresses.into_iter().filter(|&address| address != 0);
    Ok(known.collect())
}

/// Makes an event run a program at each of its samples.
pub(crate) fn set_program(event: BorrowedFd<'_>, program: BorrowedFd<'_>) -> io::Result<()> {
    let program = usize::try_from(program.as_raw_fd()).map_err(io::Error::other)?;
    // SAFETY: this request takes a descriptor as a plain number.
    let answer = unsafe { ioctl(event, IntegerSetter::<SET_BPF>::new_usize(program)) };
    answer.map_err(io::Error::from)
}
