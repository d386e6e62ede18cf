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
const MAP_DELETE_ELEM: libc::c_int = 3;
const MAP_GET_NEXT_KEY: libc::c_int = 4;
const MAP_UPDATE_BATCH: libc::c_int = 26;
const OBJ_GET_INFO_BY_FD: libc::c_int = 15;
const SET_BPF: Opcode = opcode::write::<u32>(b'$', 8);

/// `union bpf_attr` of `BPF_MAP_UPDATE_ELEM`, and of other calls about one element.
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

/// Most bytes of values in one batch.
const BATCH_BYTES: usize = 256 << 10;

/// `union bpf_attr` of `BPF_MAP_UPDATE_BATCH`.
#[repr(C)]
struct Batch {
    in_batch: u64,
    out_batch: u64,
    keys: u64,
    values: u64,
    count: u32,
    map: u32,
    element_flags: u64,
    flags: u64,
}

/// Sets all elements of an array, whose values have `value_bytes`, to zero.
pub(crate) fn set_all_to_zero(
    map: BorrowedFd<'_>,
    value_bytes: usize,
    elements: u32,
) -> io::Result<()> {
    let most = (BATCH_BYTES / value_bytes.max(1)).clamp(1, 64 << 10);
    let zeros = vec![0_u8; most.min(elements as usize).saturating_mul(value_bytes)];
    let keys: Vec<u32> = (0..elements).collect();
    for keys in keys.chunks(most) {
        let mut attr = Batch {
            in_batch: 0,
            out_batch: 0,
            keys: keys.as_ptr().addr() as u64,
            values: zeros.as_ptr().addr() as u64,
            count: u32::try_from(keys.len()).map_err(io::Error::other)?,
            map: u32::try_from(map.as_raw_fd()).map_err(io::Error::other)?,
            element_flags: 0,
            flags: 0,
        };
        // SAFETY: the structure has the layout and size the kernel expects. There are as many keys and values of
        // that size as it says, and they live until the call returns. The kernel writes only into the structure.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_bpf,
                MAP_UPDATE_BATCH,
                &raw mut attr,
                size_of_val(&attr),
            )
        };
        checked(answer)?;
    }
    Ok(())
}

/// Removes all elements of a table, which has room for `most`, by their keys of `key_bytes`.
pub(crate) fn delete_all(map: BorrowedFd<'_>, key_bytes: u32, most: u32) -> io::Result<()> {
    let size = usize::try_from(key_bytes).map_err(io::Error::other)?;
    let (mut key, mut next) = (vec![0_u8; size], vec![0_u8; size]);
    if !next_key(map, None, &mut key)? {
        return Ok(());
    }
    // Something may be added meanwhile, but not forever.
    for _ in 0..most.saturating_mul(2) {
        let has_next = next_key(map, Some(&key), &mut next)?;
        let attr = of_element(map, &key, 0)?;
        // SAFETY: the structure has the layout and size the kernel expects; the key lives until the call returns.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_bpf,
                MAP_DELETE_ELEM,
                &raw const attr,
                size_of_val(&attr),
            )
        };
        match checked(answer) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ if !has_next => return Ok(()),
            _ => std::mem::swap(&mut key, &mut next),
        }
    }
    Ok(())
}

/// Puts the key after `key`, or the first one, into `next`; returns whether there is one.
fn next_key(map: BorrowedFd<'_>, key: Option<&[u8]>, next: &mut [u8]) -> io::Result<bool> {
    let attr = of_element(
        map,
        key.unwrap_or_default(),
        next.as_mut_ptr().addr() as u64,
    )?;
    let attr = UpdateElement {
        key: key.map_or(0, |_| attr.key),
        ..attr
    };
    // SAFETY: the structure has the layout and size the kernel expects; both keys have the size of the map's keys and
    // live until the call returns.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_bpf,
            MAP_GET_NEXT_KEY,
            &raw const attr,
            size_of_val(&attr),
        )
    };
    match checked(answer) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn of_element(map: BorrowedFd<'_>, key: &[u8], value: u64) -> io::Result<UpdateElement> {
    Ok(UpdateElement {
        map: u32::try_from(map.as_raw_fd()).map_err(io::Error::other)?,
        padding: 0,
        key: key.as_ptr().addr() as u64,
        value,
        flags: 0,
    })
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
