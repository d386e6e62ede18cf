//! Signals and the end of a command as descriptors that `poll` can wait for.
#![expect(unsafe_code, reason = "system calls")]

use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::Duration;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd};
use rustix::io::{Errno, read, write};

use whyslow_person::HANDLED;

use super::checked_int;

/// What sent a signal that the terminal sends to a whole group.
const SI_KERNEL: i32 = 0x80;

/// A signal that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signal {
    /// Its number.
    pub(crate) number: libc::c_int,
    /// It comes from the terminal, which sends it to the command as well.
    pub(crate) is_from_terminal: bool,
}

/// Takes the signals that would end the process, for as long as it lives.
///
/// Threads started meanwhile inherit the blocked mask, so only [`take`](Self::take) sees them.
#[derive(Debug)]
pub(crate) struct SignalTrap {
    fd: OwnedFd,
    previous: libc::sigset_t,
}

impl SignalTrap {
    /// Blocks the signals in this thread and opens a descriptor for them.
    pub(crate) fn set() -> io::Result<Self> {
        let mut set = empty_set();
        for signal in HANDLED {
            // SAFETY: the set is initialized, and the signal's number is valid.
            checked_int(unsafe { libc::sigaddset(&raw mut set, signal) })?;
        }
        let mut previous = empty_set();
        // SAFETY: both sets are initialized and live until the call returns.
        let answer =
            unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, &raw mut previous) };
        if answer != 0 {
            return Err(io::Error::from_raw_os_error(answer));
        }
        // SAFETY: the set is initialized; -1 asks for a new descriptor.
        let fd =
            unsafe { libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
        let fd = checked_int(fd)?;
        // SAFETY: the kernel has just made this descriptor for us; nobody else owns it.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        Ok(Self { fd, previous })
    }

    /// The mask of blocked signals from before, for a child to restore.
    pub(crate) fn previous_mask(&self) -> libc::sigset_t {
        self.previous
    }

    /// Whether a signal has arrived; it can still be taken.
    pub(crate) fn has_arrived(&self) -> bool {
        poll(&[self.as_fd()], Some(Duration::ZERO)).is_ok_and(|ready| ready == [true])
    }

    /// Takes the next signal that has arrived, if there is one.
    pub(crate) fn take(&self) -> Option<Signal> {
        // One `signalfd_siginfo`.
        let mut info = [0_u8; 128];
        if read(&self.fd, &mut info) != Ok(info.len()) {
            return None;
        }
        let word = |offset: usize| {
            let bytes = info
                .get(offset..)
                .and_then(|rest| rest.first_chunk())
                .copied();
            i32::from_ne_bytes(bytes.unwrap_or_default())
        };
        // `struct signalfd_siginfo`: number, errno, code.
        Some(Signal {
            number: word(0),
            is_from_terminal: word(8) == SI_KERNEL,
        })
    }
}

impl AsFd for SignalTrap {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Drop for SignalTrap {
    fn drop(&mut self) {
        // SAFETY: the set was filled by the call that blocked the signals.
        let _ = unsafe {
            libc::pthread_sigmask(
                libc::SIG_SETMASK,
                &raw const self.previous,
                std::ptr::null_mut(),
            )
        };
    }
}

/// A flag between threads that `poll` can wait for.
#[derive(Debug)]
pub(crate) struct EventFlag {
    fd: OwnedFd,
}

impl EventFlag {
    /// Returns a flag that is down.
    pub(crate) fn new() -> io::Result<Self> {
        let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Self { fd })
    }

    /// Raises the flag.
    pub(crate) fn raise(&self) {
        // Fails only if the flag is up already.
        let _ = write(&self.fd, &1_u64.to_ne_bytes());
    }

    /// Takes the flag down.
    pub(crate) fn lower(&self) {
        // Fails only if the flag is down already.
        let _ = read(&self.fd, &mut [0; 8]);
    }
}

impl AsFd for EventFlag {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Waits until one of the descriptors is readable or the time is over (`None`: no limit); returns
/// which of them are.
pub(crate) fn poll(fds: &[BorrowedFd<'_>], timeout: Option<Duration>) -> io::Result<Vec<bool>> {
    let mut entries: Vec<_> = fds
        .iter()
        .map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN))
        .collect();
    let timeout = timeout.map(Timespec::try_from).transpose();
    let timeout = timeout.map_err(io::Error::other)?;
    match rustix::event::poll(&mut entries, timeout.as_ref()) {
        Ok(_) => Ok(entries
            .iter()
            .map(|entry| !entry.revents().is_empty())
            .collect()),
        Err(Errno::INTR) => Ok(vec![false; fds.len()]),
        Err(error) => Err(error.into()),
    }
}

fn empty_set() -> libc::sigset_t {
    let mut set = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the function initializes the whole set.
    let _ = unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    // SAFETY: it was initialized just now.
    unsafe { set.assume_init() }
}
