//! The raw data that the programs write into the rings, as seen by the recorder.
//!
//! Layout: `struct head` of `bpf/whyslow.bpf.c`, then what the kind says, then possibly a stack.
//! Numbers are in native byte order, all structs are multiples of 8 bytes. The kernel pads raw
//! data at its end, so a payload may be longer than its contents.

use whyslow_perfdata::whyslow_events::WaitObject;
use whyslow_unwind::UserRegs;

use crate::wait_object;

/// Registers in a dump: those of [`UserRegs::PERF_MASK_X86_64`], in perf's order.
const REGISTERS: usize = 17;

/// What one raw sample of the programs says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload<'a> {
    /// Process (thread group) id of the thread it is about, in the first pid namespace.
    pub pid: u32,
    /// The thread it is about.
    pub tid: u32,
    /// When the program ran, ns of `CLOCK_MONOTONIC`.
    pub time_ns: u64,
    /// What happened.
    pub event: Event<'a>,
}

/// The kinds of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<'a> {
    /// The user stack of waits inside one system call, taken when it returned.
    Wait(Wait<'a>),
    /// What the waits are for whose user stack follows.
    Object(WaitObject),
    /// The user stack of a thread that blocks now, outside any system call (a page fault, work
    /// on the way back to user mode). It belongs to the wait that begins at `Payload::time_ns`
    /// (the switch of the same thread on the same CPU follows within microseconds).
    Block {
        /// The stack.
        stack: StackDump<'a>,
    },
    /// The user stack of a thread that leaves the CPU although it could continue. It belongs to the
    /// ready time that begins now.
    Preempted {
        /// The stack.
        stack: StackDump<'a>,
    },
    /// The user stack of the CPU sample of the same thread that follows in the same ring, with
    /// nothing of that thread in between.
    Sample {
        /// The stack.
        stack: StackDump<'a>,
    },
    /// A thread that had waited at least the threshold is being woken.
    Waker(Waker<'a>),
    /// A process started a new program.
    Exec {
        /// The arguments, each ended by NUL.
        arguments: &'a [u8],
        /// Bytes that all arguments have; more than `arguments.len()` if they were cut.
        total_bytes: u64,
        /// The most memory that the process had in RAM, in pages, with the programs before this one.
        most_pages: u64,
    },
    /// A CPU changed threads; `Payload::pid` and `tid` are of the one that left. The kernel's call
    /// chain, if it was taken, is the sample's.
    Switch(Switched),
    /// A thread is woken; `Payload::pid` and `tid` are of the waker, or of what an interrupt
    /// interrupted. The kernel's call chain, if it was taken, is the sample's.
    Waking(Waking),
    /// The last thread of a process ended.
    Exit {
        /// The status as `wait(2)` gives it: exit code in bits 8–15, signal in bits 0–6.
        wait_status: u32,
        /// The most memory that the process ever had in RAM, in pages, with any of its programs.
        most_pages: u64,
        /// The user that its files belonged to.
        user: u32,
    },
    /// A system call that returns: one of so many of its thread.
    Call {
        /// Number of the call.
        system_call: u64,
        /// How many calls of the thread it represents.
        calls: u64,
        /// The stack.
        stack: StackDump<'a>,
    },
    /// A thread that comes or leaves may use other CPUs than was reported before.
    Affinity {
        /// The CPUs, a bit each, in words of 8 bytes.
        cpus: &'a [u8],
    },
}

/// See [`Event::Wait`]. All waits of this thread that began at `since_ns` or later and ended before
/// `Payload::time_ns` have this user stack, unless a [`Event::Block`] came with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait<'a> {
    /// Start of the first wait in this system call, ns of `CLOCK_MONOTONIC`.
    pub since_ns: u64,
    /// Time off the CPU while blocked in this system call, in ns. Includes the time from being
    /// woken to running.
    pub wait_ns: u64,
    /// Number of waits in this system call.
    pub wait_count: u32,
    /// System call number.
    pub system_call: i32,
    /// For short waits: how much waiting this stack represents, including earlier system calls of
    /// the thread that got no stack. 0 if this system call alone waited long enough.
    pub sampled_ns: u64,
    /// Number of waits in `sampled_ns`.
    pub sampled_count: u32,
    /// The stack; `None` where there is none (`execve`: the old program is gone).
    pub stack: Option<StackDump<'a>>,
    /// The thread is ending: it was killed while it waited or exits.
    pub is_exiting: bool,
}

/// See [`Event::Switch`]. All but the site is as the tracepoint `sched:sched_switch` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switched {
    /// State of the thread that left.
    pub prev_state: u64,
    /// Where it left, if inside a system call: the same number for the same call from the same
    /// place of the same thread; 0: not reported.
    pub site: u64,
    /// Where the thread that came had been woken from: the same number for the same call from the
    /// same place of the same waker, for a thread that left at the same site; 0: not reported.
    pub next_waker_site: u64,
    /// CPU time of the thread that left since it had come, as the kernel accounts it.
    pub cpu_ns: Option<u64>,
    /// How long the recorder's programs ran on its account.
    pub recorder_ns: u64,
    /// The thread that came.
    pub next_tid: u32,
    /// Priority of the thread that left.
    pub prev_prio: u32,
    /// Priority of the thread that came.
    pub next_prio: u32,
    /// Name of the thread that left.
    pub prev_comm: [u8; 16],
    /// Name of the thread that came.
    pub next_comm: [u8; 16],
    /// The kernel hides the thread that left: the switch is known only from the one that came, and little
    /// else is known.
    pub is_unseen: bool,
}

/// See [`Event::Waking`]. All but the site is as the tracepoint `sched:sched_waking` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waking {
    /// Where it is woken from, as [`Switched::next_waker_site`]; 0: not in its site's sample.
    pub site: u64,
    /// The thread that is woken.
    pub target_tid: u32,
    /// Its priority.
    pub target_prio: u32,
    /// The CPU that it ran on last.
    pub target_cpu: u32,
    /// What kind of interrupt wakes it, as bits of the tracepoint's `common_flags`; 0: none.
    pub context: u8,
    /// Its name.
    pub target_comm: [u8; 16],
}

/// See [`Event::Waker`]. `Payload::pid` and `tid` are the waker's, or what an interrupt happened to
/// interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waker<'a> {
    /// Thread that is woken.
    pub target_tid: u32,
    /// Its process.
    pub target_pid: u32,
    /// When its wait began, ns of `CLOCK_MONOTONIC`.
    pub wait_start_ns: u64,
    /// Who wakes it.
    pub kind: WakerKind,
    /// The waker's user stack; only for [`WakerKind::Thread`] of a user process, and not if the
    /// rate of stacks was limited.
    pub stack: Option<StackDump<'a>>,
}

/// Who wakes a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WakerKind {
    /// The running thread, on purpose.
    Thread,
    /// A kernel thread; it has no user stack.
    KernelThread,
    /// A hardware or software interrupt: no thread is the waker.
    Interrupt,
    /// The kernel does not say whether an interrupt is being served.
    Unknown,
}

/// A copy of a thread's user registers and stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackDump<'a> {
    /// The registers.
    pub regs: UserRegs,
    /// Stack memory from the stack pointer upwards.
    pub inner: &'a [u8],
    /// Address of `outer`.
    pub outer_start: u64,
    /// The outermost part of a stack that is too deep to be copied whole. For a sample with the whole
    /// stack: what lies below the stack pointer.
    pub outer: &'a [u8],
    /// Return addresses that frame pointers lead to, from the innermost on, in words of 8 bytes; of a
    /// wait on a stack that was left for another one.
    pub pointers: &'a [u8],
}

/// In place of the address of the outermost part: the part is `pointers`.
const IS_POINTERS: u64 = 1;

/// Numbers of the kinds in `bpf/whyslow.bpf.c`.
mod kind {
    pub(crate) const WAIT: u32 = 1;
    pub(crate) const BLOCK: u32 = 2;
    pub(crate) const PREEMPTED: u32 = 3;
    pub(crate) const SAMPLE: u32 = 4;
    pub(crate) const WAKER: u32 = 5;
    pub(crate) const EXEC: u32 = 6;
    pub(crate) const EXIT: u32 = 7;
    pub(crate) const AFFINITY: u32 = 8;
    pub(crate) const SWITCH: u32 = 9;
    pub(crate) const WAKING: u32 = 10;
    pub(crate) const CALL: u32 = 11;
    pub(crate) const OBJECT: u32 = 12;
}

/// Marks a number that is not known.
const NOT_KNOWN: u64 = u64::MAX;

/// Bits of the head's flags in `bpf/whyslow.bpf.c`.
mod flag {
    pub(crate) const HAS_STACK: u32 = 1;
    pub(crate) const IS_EXITING: u32 = 1 << 1;
}

impl<'a> Payload<'a> {
    /// Reads raw data. `None` if it is too short or of an unknown kind.
    pub fn parse(raw: &'a [u8]) -> Option<Self> {
        let mut fields = Fields(raw);
        let (kind, flags) = (fields.u32()?, fields.u32()?);
        let (pid, tid, time_ns) = (fields.u32()?, fields.u32()?, fields.u64()?);
        let has_stack = flags & flag::HAS_STACK != 0;
        let event = match kind {
            kind::WAIT => Event::Wait(Wait {
                since_ns: fields.u64()?,
                wait_ns: fields.u64()?,
                sampled_ns: fields.u64()?,
                wait_count: fields.u32()?,
                sampled_count: fields.u32()?,
                system_call: fields.u64()? as u32 as i32,
                stack: if has_stack {
                    Some(fields.stack()?)
                } else {
                    None
                },
                is_exiting: flags & flag::IS_EXITING != 0,
            }),
            kind::BLOCK => Event::Block {
                stack: fields.stack()?,
            },
            kind::PREEMPTED => Event::Preempted {
                stack: fields.stack()?,
            },
            kind::SAMPLE => Event::Sample {
                stack: fields.stack()?,
            },
            kind::WAKER => Event::Waker(Waker {
                wait_start_ns: fields.u64()?,
                target_pid: fields.u32()?,
                target_tid: fields.u32()?,
                kind: WakerKind::from_number(fields.u64()?)?,
                stack: if has_stack {
                    Some(fields.stack()?)
                } else {
                    None
                },
            }),
            kind::EXEC => {
                let (total_bytes, bytes) = (fields.u64()?, fields.u64()?);
                let most_pages = fields.u64()?;
                Event::Exec {
                    arguments: fields.bytes(bytes)?,
                    total_bytes,
                    most_pages,
                }
            }
            kind::SWITCH => Event::Switch(fields.switch()?),
            kind::OBJECT => Event::Object(wait_object::parse(fields.0)?),
            kind::WAKING => Event::Waking(fields.waking()?),
            kind::CALL => Event::Call {
                system_call: fields.u64()?,
                calls: fields.u64()?,
                stack: fields.stack()?,
            },
            kind::EXIT => Event::Exit {
                wait_status: fields.u64()? as u32,
                most_pages: fields.u64()?,
                user: fields.u64()? as u32,
            },
            kind::AFFINITY => {
                let bytes = fields.u64()?;
                Event::Affinity {
                    cpus: fields.bytes(bytes)?,
                }
            }
            _ => return None,
        };
        Some(Self {
            pid,
            tid,
            time_ns,
            event,
        })
    }
}

impl WakerKind {
    fn from_number(number: u64) -> Option<Self> {
        Some(match number {
            0 => Self::Thread,
            1 => Self::KernelThread,
            2 => Self::Interrupt,
            3 => Self::Unknown,
            _ => return None,
        })
    }
}

/// Takes fields off the front.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, length: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_ne_bytes(*bytes))
    }

    fn u64(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_ne_bytes(*bytes))
    }

    fn name(&mut self) -> Option<[u8; 16]> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*bytes)
    }

    /// `struct switched`.
    fn switch(&mut self) -> Option<Switched> {
        let (prev_state, site, next_waker_site) = (self.u64()?, self.u64()?, self.u64()?);
        let cpu_ns = Some(self.u64()?).filter(|&ns| ns != NOT_KNOWN);
        let recorder_ns = self.u64()?;
        let (next_tid, prev_prio, next_prio) = (self.u32()?, self.u32()?, self.u32()?);
        let is_unseen = self.u32()? != 0;
        Some(Switched {
            prev_state,
            site,
            next_waker_site,
            cpu_ns,
            recorder_ns,
            next_tid,
            prev_prio,
            next_prio,
            prev_comm: self.name()?,
            next_comm: self.name()?,
            is_unseen,
        })
    }

    /// `struct waking`.
    fn waking(&mut self) -> Option<Waking> {
        let site = self.u64()?;
        let (target_tid, target_prio, target_cpu) = (self.u32()?, self.u32()?, self.u32()?);
        let context = self.u32()? as u8;
        Some(Waking {
            site,
            target_tid,
            target_prio,
            target_cpu,
            context,
            target_comm: self.name()?,
        })
    }

    /// `struct stack`: registers, address of the outer part, sizes of both parts, both parts.
    fn stack(&mut self) -> Option<StackDump<'a>> {
        let mut values = [0; REGISTERS];
        for value in &mut values {
            *value = self.u64()?;
        }
        let regs = UserRegs::from_perf_x86_64(UserRegs::PERF_MASK_X86_64, &values)?;
        let outer_start = self.u64()?;
        let (inner_bytes, outer_bytes) = (self.u32()?, self.u32()?);
        let inner = self.bytes(u64::from(inner_bytes))?;
        let last = self.bytes(u64::from(outer_bytes))?;
        let (outer, pointers) = match outer_start {
            IS_POINTERS => (&[][..], last),
            _ => (last, &[][..]),
        };
        Some(StackDump {
            regs,
            inner,
            outer_start,
            outer,
            pointers,
        })
    }
}
