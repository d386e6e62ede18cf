//! `perf_event_open` and the controls of the events it opens.
#![expect(unsafe_code, reason = "system calls")]

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use whyslow_perfdata::writer::{ATTR_BYTES, EventAttr};

use super::{checked, checked_int};

const FLAG_FD_CLOEXEC: libc::c_ulong = 8;

const IOC_ENABLE: libc::c_ulong = 0x2400;
const IOC_DISABLE: libc::c_ulong = 0x2401;
const IOC_PERIOD: libc::c_ulong = 0x4008_2404;
const IOC_SET_OUTPUT: libc::c_ulong = 0x2405;
const IOC_ID: libc::c_ulong = 0x8008_2407;
const IOC_FLAG_GROUP: libc::c_ulong = 0;

/// The attribute's bytes where the kernel may read them as a struct.
#[repr(C, align(8))]
struct AlignedAttr([u8; ATTR_BYTES]);

/// One open event.
#[derive(Debug)]
pub(crate) struct PerfEvent {
    fd: OwnedFd,
}

/// What an event observes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Everything on one CPU.
    Cpu(u32),
    /// One task (and its children, with `inherit`) while it is on one CPU.
    TaskOnCpu {
        /// The task.
        pid: i32,
        /// The CPU.
        cpu: u32,
    },
}

/// What reading an event tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventReading {
    /// Samples that found no room in the ring; `None` where the kernel does not count them.
    pub(crate) lost: Option<u64>,
}

impl PerfEvent {
    /// Opens an event.
    pub(crate) fn open(attr: &EventAttr, target: Target) -> io::Result<Self> {
        let bytes = AlignedAttr(attr.to_bytes());
        let (pid, cpu) = match target {
            Target::Cpu(cpu) => (-1, cpu),
            Target::TaskOnCpu { pid, cpu } => (pid, cpu),
        };
        // SAFETY: the attribute is a readable struct of the size that its own size field says; the
        // other arguments are plain numbers.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const bytes,
                pid,
                libc::c_int::try_from(cpu).unwrap_or(libc::c_int::MAX),
                -1 as libc::c_int,
                FLAG_FD_CLOEXEC,
            )
        };
        let fd = libc::c_int::try_from(checked(answer)?).map_err(io::Error::other)?;
        // SAFETY: the kernel has just made this descriptor for us; nobody else owns it.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        Ok(Self { fd })
    }

    /// Starts counting.
    pub(crate) fn enable(&self) -> io::Result<()> {
        self.control(IOC_ENABLE, IOC_FLAG_GROUP)
    }

    /// Stops counting.
    pub(crate) fn disable(&self) -> io::Result<()> {
        self.control(IOC_DISABLE, IOC_FLAG_GROUP)
    }

    /// Sends the samples into the ring of `leader`.
    pub(crate) fn redirect_to(&self, leader: &Self) -> io::Result<()> {
        let leader = libc::c_ulong::try_from(leader.fd.as_raw_fd()).map_err(io::Error::other)?;
        self.control(IOC_SET_OUTPUT, leader)
    }

    /// Takes one sample per `period` events from now on.
    pub(crate) fn set_period(&self, period: u64) -> io::Result<()> {
        // SAFETY: the argument points to a number that lives until the call returns.
        let answer =
            unsafe { libc::ioctl(self.fd.as_raw_fd(), IOC_PERIOD as _, &raw const period) };
        checked_int(answer).map(drop)
    }

    /// The id that the event's samples carry.
    pub(crate) fn id(&self) -> io::Result<u64> {
        let mut id = 0_u64;
        // SAFETY: the argument points to room for the number that the kernel writes.
        let answer = unsafe { libc::ioctl(self.fd.as_raw_fd(), IOC_ID as _, &raw mut id) };
        checked_int(answer)?;
        Ok(id)
    }

    /// Reads the event's counts; `has_lost`: it was opened with `read_format::ID` and `read_format::LOST`.
    pub(crate) fn read(&self, has_lost: bool) -> io::Result<EventReading> {
        let mut words = [0_u64; 4];
        // SAFETY: the kernel writes at most the given number of bytes into the array.
        let answer = unsafe {
            libc::read(
                self.fd.as_raw_fd(),
                words.as_mut_ptr().cast::<libc::c_void>(),
                size_of_val(&words),
            )
        };
        if answer < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(EventReading {
            lost: has_lost.then_some(words[2]),
        })
    }

    fn control(&self, request: libc::c_ulong, argument: libc::c_ulong) -> io::Result<()> {
        // SAFETY: these requests take a plain number.
        let answer = unsafe { libc::ioctl(self.fd.as_raw_fd(), request as _, argument) };
        checked_int(answer).map(drop)
    }
}

impl std::os::fd::AsFd for PerfEvent {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.fd.as_fd()
    }
}
