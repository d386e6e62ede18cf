//! Waits for requests that were made through io_uring.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{Write as _, pipe};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::thread;

use super::{inode, let_wait};

/// Bytes of `struct io_uring_params`, of a request, and of what both sides share.
const PARAMETERS: usize = 120;
const REQUEST: usize = 64;
const SHARED: usize = 4096;
/// Offsets for mapping what both sides share, and the requests.
const RING: i64 = 0;
const REQUESTS: i64 = 0x1000_0000;
const READ: u8 = 22;
const NOTHING: u8 = 0;
/// Flags of requests: the descriptor is a number of the ring's own table; success makes no answer.
const REGISTERED: u8 = 1;
const SILENT: u8 = 1 << 6;
const GET_EVENTS: u32 = 1;
const REGISTER_FILES: u32 = 2;

struct Ring {
    file: File,
    shared: *mut u8,
    requests: *mut u8,
    parameters: [u8; PARAMETERS],
}

impl Ring {
    /// Returns a ring of two requests; `None` where there is none.
    fn new() -> Option<Self> {
        let mut parameters = [0; PARAMETERS];
        // SAFETY: the kernel fills the parameters, and nobody else has the descriptor.
        let file = unsafe {
            let ring = libc::syscall(libc::SYS_io_uring_setup, 2, parameters.as_mut_ptr());
            let ring = RawFd::try_from(ring).ok().filter(|&ring| ring >= 0)?;
            File::from_raw_fd(ring)
        };
        let map = |offset| {
            let (access, how) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED);
            let none = std::ptr::null_mut();
            // SAFETY: new memory.
            let at = unsafe { libc::mmap(none, SHARED, access, how, file.as_raw_fd(), offset) };
            assert_ne!(at, libc::MAP_FAILED, "mapped");
            at.cast::<u8>()
        };
        Some(Self {
            shared: map(RING),
            requests: map(REQUESTS),
            file,
            parameters,
        })
    }

    /// A word of the shared part, whose place is at an offset of the parameters.
    fn word(&self, parameter: usize, index: usize) -> *mut u32 {
        let place = &self.parameters[parameter..parameter + 4];
        let place = u32::from_ne_bytes(place.try_into().expect("four bytes"));
        let place = usize::try_from(place).expect("small") + 4 * index;
        // SAFETY: the kernel says where it is.
        unsafe { self.shared.add(place).cast() }
    }

    /// Makes a file the first one of the ring's own table.
    fn register(&self, descriptor: RawFd) {
        let call = libc::SYS_io_uring_register;
        let ring = self.file.as_raw_fd();
        // SAFETY: the kernel reads one number.
        let done = unsafe { libc::syscall(call, ring, REGISTER_FILES, &raw const descriptor, 1) };
        assert_eq!(done, 0, "registered");
    }

    /// Adds a request; each ring is used for one round only.
    fn add(&self, index: usize, operation: u8, descriptor: RawFd, into: &mut [u8; 1]) {
        self.add_with(0, index, operation, descriptor, into);
    }

    /// The same, with flags.
    fn add_with(
        &self,
        flags: u8,
        index: usize,
        operation: u8,
        descriptor: RawFd,
        into: &mut [u8; 1],
    ) {
        let mut request = [0; REQUEST];
        (request[0], request[1]) = (operation, flags);
        request[4..8].copy_from_slice(&descriptor.to_ne_bytes());
        request[8..16].fill(0xff);
        request[16..24].copy_from_slice(&into.as_mut_ptr().addr().to_ne_bytes());
        request[24..28].copy_from_slice(&1_u32.to_ne_bytes());
        let number = u32::try_from(index).expect("few");
        // SAFETY: there is room for two requests, and the kernel reads them in the call that submits them.
        unsafe {
            let at = self.requests.add(index * REQUEST);
            at.copy_from(request.as_ptr(), REQUEST);
            // The array of requests, and its end.
            self.word(40 + 24, index).write_volatile(number);
            self.word(40 + 4, 0).write_volatile(number + 1);
        }
    }

    /// Submits all, and waits until so many are complete.
    fn enter(&self, submitted: u32, complete: u32) {
        let ring = self.file.as_raw_fd();
        let none = std::ptr::null::<u8>();
        let call = libc::SYS_io_uring_enter;
        // SAFETY: a plain call.
        let done = unsafe { libc::syscall(call, ring, submitted, complete, GET_EVENTS, none, 0) };
        assert_eq!(done, submitted.into(), "submitted");
    }
}

/// Waits for one request that is about a pipe, beside one that is about nothing; then for requests about two pipes.
pub(crate) fn requested(told: &mut String) {
    for both in [false, true] {
        let Some(ring) = Ring::new() else {
            return;
        };
        let (from, mut to) = pipe().expect("a pipe");
        let (other, keep) = pipe().expect("a pipe");
        let (mut one, mut two) = ([0], [0]);
        ring.add(0, READ, from.as_raw_fd(), &mut one);
        match both {
            true => ring.add(1, READ, other.as_raw_fd(), &mut two),
            false => ring.add(1, NOTHING, -1, &mut two),
        }
        thread::scope(|scope| {
            scope.spawn(|| {
                let_wait();
                to.write_all(b"x").expect("written");
            });
            ring.enter(2, if both { 1 } else { 2 });
        });
        let (first, second) = (inode(from.as_raw_fd()), inode(other.as_raw_fd()));
        match both {
            true => writeln!(told, "ring of pipes {}", first.min(second)),
            false => writeln!(told, "ring pipe {first}"),
        }
        .expect("memory");
        drop(keep);
        // The other request ends with its pipe.
        drop(ring);
    }
}

/// Waits for a request that is about a pipe, beside one about a pipe in the ring's own table, then beside one that
/// succeeds without an answer.
pub(crate) fn requested_beside(told: &mut String) {
    for flags in [REGISTERED, SILENT] {
        let Some(ring) = Ring::new() else {
            return;
        };
        let (from, mut to) = pipe().expect("a pipe");
        let (other, keep) = pipe().expect("a pipe");
        let (mut one, mut two) = ([0], [0]);
        ring.add(0, READ, from.as_raw_fd(), &mut one);
        let descriptor = match flags {
            REGISTERED => 0,
            _ => other.as_raw_fd(),
        };
        ring.register(other.as_raw_fd());
        ring.add_with(flags, 1, READ, descriptor, &mut two);
        thread::scope(|scope| {
            scope.spawn(|| {
                let_wait();
                to.write_all(b"x").expect("written");
            });
            ring.enter(2, 1);
        });
        let number = inode(from.as_raw_fd());
        match flags {
            REGISTERED => writeln!(told, "ring of pipes {number} and 1"),
            _ => writeln!(told, "ring pipe {number}"),
        }
        .expect("memory");
        drop(keep);
        drop(ring);
    }
}
