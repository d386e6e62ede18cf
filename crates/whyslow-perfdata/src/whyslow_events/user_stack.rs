//! User halves of stacks, delivered separately from what they belong to.

use crate::endian::Endian;

/// Why a user stack ends. The number of each reason is the count of trailing markers in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum UserStackEnd {
    /// The walk reached the first function of the thread.
    Root = 0,
    /// The stack is deeper than the part that was copied.
    DumpTooSmall = 1,
    /// An address is in no known executable mapping.
    UnknownMapping = 2,
    /// The code has no usable unwind information.
    NoUnwindInfo = 3,
    /// The next frame is not in the copied memory, or does not move towards the root.
    BadMemory = 4,
    /// The stack could not be copied (thread gone, memory not readable).
    NotCaptured = 5,
    /// More frames than the recorder keeps.
    DepthLimit = 6,
    /// The recorder was too busy to unwind it; only the innermost frame is there.
    Skipped = 7,
}

impl UserStackEnd {
    /// Every end, in the order of the numbers.
    pub const ALL: [Self; 8] = [
        Self::Root,
        Self::DumpTooSmall,
        Self::UnknownMapping,
        Self::NoUnwindInfo,
        Self::BadMemory,
        Self::NotCaptured,
        Self::DepthLimit,
        Self::Skipped,
    ];

    /// Returns the end with this number, or `None` if only a newer recorder knows it.
    pub fn from_number(number: usize) -> Option<Self> {
        Self::ALL.get(number).copied()
    }

    /// Splits the trailing markers off a call chain: the chain without them, and their number.
    ///
    /// A chain that consists only of one leading marker keeps it.
    pub fn split(chain: &[u64]) -> (&[u64], usize) {
        let frames = chain
            .iter()
            .rposition(|&ip| ip != CONTEXT_USER)
            .map_or(0, |last| last + 1);
        let markers = chain.len() - frames;
        // The marker that opens an empty user half is not a trailing one.
        let opened = chain
            .get(..frames)
            .is_some_and(|head| head.contains(&CONTEXT_USER));
        let keep = if opened || markers == 0 {
            frames
        } else {
            frames + 1
        };
        (chain.get(..keep).unwrap_or(chain), chain.len() - keep)
    }
}

pub(super) const CONTEXT_USER: u64 = -512_i64 as u64;

/// What a [`UserStack`] belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum UserStackKind {
    /// The waits of one system call, taken when it returned: all waits of the thread that began at
    /// `anchor_ns` or later and ended before the sample's time, except those that have a
    /// [`Block`](Self::Block) of their own.
    Wait = 1,
    /// One wait outside of any system call (a page fault, work on the way back to user mode),
    /// taken when it began: the wait whose `sched_switch` follows the sample's time by
    /// microseconds.
    Block = 2,
    /// The thread was preempted; the stack is that of the `sched_switch` that follows.
    Preempted = 3,
    /// The thread wakes another one that waited long; the stack is the waker's, of the
    /// `sched_waking` of `other_tid` at the sample's time.
    Waker = 4,
    /// A wait that was still open when the recording ended.
    OpenWait = 5,
    /// A system call that returned, one of `sampled_count` calls of its thread.
    Call = 6,
}

impl UserStackKind {
    /// Returns the kind with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Wait,
            2 => Self::Block,
            3 => Self::Preempted,
            4 => Self::Waker,
            5 => Self::OpenWait,
            6 => Self::Call,
            _ => return None,
        })
    }
}

/// What woke a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum WakerKind {
    /// Not known, or the stack is not a waker's.
    Unknown = 0,
    /// The running thread, on purpose.
    Thread = 1,
    /// A thread of the kernel; it has no user stack.
    KernelThread = 2,
    /// A hardware or software interrupt: no thread is the waker.
    Interrupt = 3,
}

impl WakerKind {
    fn from_number(number: u8) -> Self {
        match number {
            1 => Self::Thread,
            2 => Self::KernelThread,
            3 => Self::Interrupt,
            _ => Self::Unknown,
        }
    }
}

/// Payload of [`EVENT_USER_STACK`](super::EVENT_USER_STACK); the frames are the sample's call chain.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 1 | [`UserStackKind`] |
/// | 1 | 1 | [`UserStackEnd`], as in the chain |
/// | 2 | 1 | [`WakerKind`] |
/// | 3 | 1 | 1: the thread is ending (it was killed while it waited, or exits) |
/// | 4 | 4 | `system_call` |
/// | 8 | 8 | `anchor_ns` |
/// | 16 | 8 | `off_cpu_ns` |
/// | 24 | 8 | `sampled_ns` |
/// | 32 | 4 | `wait_count` |
/// | 36 | 4 | `sampled_count` |
/// | 40 | 4 | `other_pid` |
/// | 44 | 4 | `other_tid` |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserStack {
    /// What the stack belongs to.
    pub kind: UserStackKind,
    /// How the stack ends.
    pub end: UserStackEnd,
    /// [`UserStackKind::Waker`]: what woke the thread. For an interrupt, the sample's thread is the
    /// one that happened to be interrupted.
    pub waker: WakerKind,
    /// The thread is ending: it was killed while it waited, or exits.
    pub is_exiting: bool,
    /// [`UserStackKind::Wait`], [`UserStackKind::Call`]: number of the system call; otherwise -1.
    pub system_call: i32,
    /// When the first wait of the system call began, or the wait of the thread that was woken or
    /// still waits, in nanoseconds of the recording's clock; for the other kinds the sample's time.
    /// 0: before the recording, not known.
    pub anchor_ns: u64,
    /// How long the thread waited in this system call, from leaving the CPU to running again, in
    /// nanoseconds; 0 where that does not apply.
    pub off_cpu_ns: u64,
    /// If short waits are sampled: the waiting time that this stack represents, including earlier
    /// system calls of the thread without a stack. 0: the stack represents only its own waits.
    pub sampled_ns: u64,
    /// Number of waits in `off_cpu_ns`.
    pub wait_count: u32,
    /// Number of waits in `sampled_ns`; [`UserStackKind::Call`]: number of calls that it
    /// represents.
    pub sampled_count: u32,
    /// [`UserStackKind::Waker`]: process of the thread that is woken; otherwise 0.
    pub other_pid: u32,
    /// [`UserStackKind::Waker`]: the thread that is woken; otherwise 0.
    pub other_tid: u32,
}

impl UserStack {
    /// Bytes of the payload.
    pub const BYTES: usize = 48;

    /// Returns a payload with only these values.
    pub fn new(kind: UserStackKind, end: UserStackEnd, anchor_ns: u64) -> Self {
        Self {
            kind,
            end,
            waker: WakerKind::Unknown,
            is_exiting: false,
            system_call: -1,
            anchor_ns,
            off_cpu_ns: 0,
            sampled_ns: 0,
            wait_count: 0,
            sampled_count: 0,
            other_pid: 0,
            other_tid: 0,
        }
    }

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let flags = u8::from(self.is_exiting);
        out.extend_from_slice(&[self.kind as u8, self.end as u8, self.waker as u8, flags]);
        out.extend_from_slice(&self.system_call.to_ne_bytes());
        for word in [self.anchor_ns, self.off_cpu_ns, self.sampled_ns] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        for word in [
            self.wait_count,
            self.sampled_count,
            self.other_pid,
            self.other_tid,
        ] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
    }

    /// Reads a payload; `None` if it is too short or of an unknown kind.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        Some(Self {
            kind: UserStackKind::from_number(*bytes.first()?)?,
            end: UserStackEnd::from_number(usize::from(*bytes.get(1)?))?,
            waker: WakerKind::from_number(*bytes.get(2)?),
            is_exiting: *bytes.get(3)? & 1 != 0,
            system_call: endian.i32(bytes, 4)?,
            anchor_ns: endian.u64(bytes, 8)?,
            off_cpu_ns: endian.u64(bytes, 16)?,
            sampled_ns: endian.u64(bytes, 24)?,
            wait_count: endian.u32(bytes, 32)?,
            sampled_count: endian.u32(bytes, 36)?,
            other_pid: endian.u32(bytes, 40)?,
            other_tid: endian.u32(bytes, 44)?,
        })
    }
}
