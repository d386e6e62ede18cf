//! `perf_event_open` and the controls of the events it opens.
#![expect(unsafe_code, reason = "system calls")]

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use rustix::ioctl::{Getter, IntegerSetter, NoArg, Opcode, Setter, ioctl, opcode};

use whyslow_perfdata::writer::{ATTR_BYTES, EventAttr};

use super::checked;

const FLAG_FD_CLOEXEC: libc::c_ulong = 8;

const GROUP: u8 = b'$';
const ENABLE: Opcode = opcode::none(GROUP, 0);
const DISABLE: Opcode = opcode::none(GROUP, 1);
const PERIOD: Opcode = opcode::write::<u64>(GROUP, 4);
const SET_OUTPUT: Opcode = opcode::none(GROUP, 5);
const ID: Opcode = opcode::read::<u64>(GROUP, 7);

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

/// What reading an event returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventReading {
    /// Samples for which there was no room in the ring; `None` where the kernel does not count
    /// them.
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
        // SAFETY: the request takes no argument.
        let answer = unsafe { ioctl(&self.fd, NoArg::<ENABLE>::new()) };
        answer.map_err(io::Error::from)
    }

    /// Stops counting.
    pub(crate) fn disable(&self) -> io::Result<()> {
        // SAFETY: the request takes no argument.
        let answer = unsafe { ioctl(&self.fd, NoArg::<DISABLE>::new()) };
        answer.map_err(io::Error::from)
    }

    /// Sends the samples into the ring of `leader`.
    pub(crate) fn redirect_to(&self, leader: &Self) -> io::Result<()> {
        let leader = usize::try_from(leader.fd.as_raw_fd()).map_err(io::Error::other)?;
        // SAFETY: the request takes a descriptor as a plain number.
        let answer = unsafe { ioctl(&self.fd, IntegerSetter::<SET_OUTPUT>::new_usize(leader)) };
        answer.map_err(io::Error::from)
    }

    /// Takes one sample per `period` events from now on.
    pub(crate) fn set_period(&self, period: u64) -> io::Result<()> {
        // SAFETY: the request takes a pointer to a number of 64 bits.
        let answer = unsafe { ioctl(&self.fd, Setter::<PERIOD, u64>::new(period)) };
        answer.map_err(io::Error::from)
    }

    /// The id that the event's samples carry.
    pub(crate) fn id(&self) -> io::Result<u64> {
        // SAFETY: the request takes a pointer to room for a number of 64 bits.
        let answer = unsafe { ioctl(&self.fd, Getter::<ID, u64>::new()) };
        answer.map_err(io::Error::from)
    }

    /// Reads the event's counts; `has_lost`: it was opened with `read_format::ID` and `read_format::LOST`.
    pub(crate) fn read(&self, has_lost: bool) -> io::Result<EventReading> {
        let mut words = [[0; 8]; 4];
        rustix::io::read(&self.fd, words.as_flattened_mut())?;
        Ok(EventReading {
            lost: has_lost.then_some(u64::from_ne_bytes(words[2])),
        })
    }
}

impl AsFd for PerfEvent {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}
