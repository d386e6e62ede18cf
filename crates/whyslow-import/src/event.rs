//! Neutral events: the trackers' input, whatever the trace's format.
//!
//! Each format's frontend turns records into these events, in time order. They state what happened,
//! and leave open what the source leaves open. A switch may carry the stack of the thread that left
//! (Linux) or of the one that came (Windows). A stack may be named by a key that is defined later
//! and then recycled. Its user half may come later or never. Mappings, names and command lines may
//! come at the very end.
//!
//! Times are nanoseconds of the trace's own clock. Ids are the operating system's; the trackers
//! distinguish lifetimes.

use whyslow_model::WaitReason;
use whyslow_settle::{ModuleId, TextId};
use whyslow_stacks::{HalfRef, StackRef};

use crate::operations::Operation;
use whyslow_schedule::CpuSetId;
pub use whyslow_schedule::{Site, Snapshot, UserTarget, WaitTarget};

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// When; `None` for a fact that has held since before the trace.
    pub time_ns: Option<i64>,
    /// Where; `None` where the source does not say.
    pub cpu: Option<u32>,
    /// What.
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EventKind {
    /// A CPU changed threads.
    Switch(Switch),
    /// A thread was made runnable.
    Waking(Waking),
    /// A new thread was made runnable for the first time.
    FirstWaking(Waking),
    /// A thread that was made runnable before is on a CPU's queue now.
    Queued {
        /// The thread.
        tid: u32,
    },
    /// A CPU sample.
    Sample(Sample),
    /// A thread was seen on a CPU, and that is all: the context of any other event.
    OnCpu {
        /// The thread.
        tid: u32,
    },
    /// A process made another one, which begins as its copy.
    Fork {
        /// The process that did it.
        parent_pid: u32,
        /// The new process.
        pid: u32,
        /// Its first thread.
        tid: u32,
    },
    /// A process began as a program of its own; its first thread is reported separately.
    ProcessStart {
        /// The process that did it, where the source says.
        parent_pid: Option<u32>,
        /// The new process.
        pid: u32,
    },
    /// A process ended; its remaining threads are about to end.
    ProcessEnd {
        /// The process.
        pid: u32,
    },
    /// A process started a thread.
    ThreadStart {
        /// The process.
        pid: u32,
        /// The new thread.
        tid: u32,
    },
    /// A process became another program. All its other threads are gone.
    Exec {
        /// The process; the thread goes on under this id too.
        pid: u32,
        /// The thread's id before; `None` where the source does not say.
        old_tid: Option<u32>,
        /// The program's name.
        name: Option<TextId>,
    },
    /// A thread began to end; it may still run for a while.
    Exit {
        /// The process.
        pid: u32,
        /// The thread.
        tid: u32,
    },
    /// A thread got another name.
    Rename {
        /// The process.
        pid: u32,
        /// The thread; the one with the process's id names the process too.
        tid: u32,
        /// The name.
        name: TextId,
    },
    /// Facts about a process, late or early.
    Process(ProcessFacts),
    /// A thread was there when the trace started.
    ThreadSeen {
        /// The process.
        pid: u32,
        /// The thread.
        tid: u32,
        /// Its name.
        name: Option<TextId>,
    },
    /// What a thread was doing at the start or end of the trace.
    Snapshot(Snapshot),
    /// A thread may use these CPUs from now on.
    Affinity {
        /// The process.
        pid: u32,
        /// The thread.
        tid: u32,
        /// The CPUs.
        cpus: CpuSetId,
    },
    /// A process is in a group of processes from now on.
    GroupMember {
        /// The process.
        pid: u32,
        /// The group.
        group: u32,
    },
    /// A module was mapped.
    Mapping(Mapping),
    /// Whatever was mapped at an address no longer is.
    Unmapping {
        /// The process; `None` is the kernel.
        pid: Option<u32>,
        /// First address of the mapping.
        base: u64,
    },
    /// Defines the half that `key` has referred to since its last definition.
    StackDefinition {
        /// The key.
        key: u64,
        /// The half; absent where it was refused or is empty.
        half: HalfRef,
    },
    /// The user half of a stack whose other half came before.
    UserHalf(UserHalf),
    /// What the waits of a system call were for.
    WaitTarget(WaitTarget),
    /// An operation began or ended.
    Operation(OperationEvent),
    /// The source lost events.
    Lost {
        /// How many.
        count: u64,
        /// Nothing was lost before this time; `None` means since the last event of that CPU.
        since_ns: Option<i64>,
    },
}

impl EventKind {
    /// Returns whether it says which thread a CPU runs, or which one is to run.
    pub(crate) fn is_scheduling(&self) -> bool {
        matches!(
            self,
            Self::Switch(_)
                | Self::Waking(_)
                | Self::FirstWaking(_)
                | Self::Sample(_)
                | Self::OnCpu { .. }
        )
    }
}

/// A CPU changed threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Switch {
    /// The thread that left; 0 is the idle thread.
    pub out_tid: u32,
    /// Its process, where the source says.
    pub out_pid: Option<u32>,
    /// Why it left.
    pub reason: WaitReason,
    /// The system's own number for that.
    pub reason_raw: i32,
    /// Its priority, as the system counts it.
    pub priority: Option<i32>,
    /// It belongs to the class that runs only when no other thread wants to.
    pub is_idle_class: bool,
    /// Its stack.
    pub out_stack: StackRef,
    /// Where it left.
    pub out_site: Site,
    /// How long it had been on the CPU since it came there, as the system accounts it.
    pub out_accounted_ns: Option<i64>,
    /// How long the recorder's own programs ran meanwhile.
    pub out_recorder_ns: Option<i64>,
    /// The thread that came.
    pub in_tid: u32,
    /// Its process, where the source says.
    pub in_pid: Option<u32>,
    /// The stack it came back with: where it had left.
    pub in_stack: StackRef,
    /// Where its waker was.
    pub in_waker_site: Site,
}

impl Switch {
    /// Returns a switch with only the threads, and the reason why the first one left.
    #[must_use]
    pub fn bare(out_tid: u32, in_tid: u32, reason: WaitReason) -> Self {
        Self {
            out_tid,
            out_pid: None,
            reason,
            reason_raw: 0,
            priority: None,
            is_idle_class: false,
            out_stack: StackRef::NONE,
            out_site: Site::default(),
            out_accounted_ns: None,
            out_recorder_ns: None,
            in_tid,
            in_pid: None,
            in_stack: StackRef::NONE,
            in_waker_site: Site::default(),
        }
    }
}

/// A thread was made runnable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waking {
    /// The thread that is runnable now.
    pub target_tid: u32,
    /// Who did it.
    pub waker: Waker,
    /// Where; the stack of the waker.
    pub stack: StackRef,
    /// Identifies that place, for other wake-ups from there that have no stack.
    pub site: Site,
}

/// Who made a thread runnable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waker {
    /// The source does not say.
    Unknown,
    /// A thread, in its own context.
    Thread {
        /// The thread.
        tid: u32,
    },
    /// Whichever thread runs on the CPU; an interrupt if that is the idle thread.
    Running,
    /// An interrupt; the thread it interrupted is not the waker.
    Interrupt,
    /// Deferred work of an interrupt, on top of a thread that may have caused it.
    Softirq {
        /// The thread.
        tid: u32,
    },
}

/// A CPU sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// The process, where the source says.
    pub pid: Option<u32>,
    /// The thread; `None` is whichever runs on the CPU.
    pub tid: Option<u32>,
    /// CPU time it represents.
    pub weight_ns: i64,
    /// Its stack.
    pub stack: StackRef,
    /// The thread's priority.
    pub priority: Option<i32>,
}

/// Facts about a process; `None` leaves what is known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ProcessFacts {
    /// The process.
    pub pid: u32,
    /// Its parent.
    pub ppid: Option<u32>,
    /// The parent has ended: its id belongs to another process by now, or to none.
    pub is_parent_gone: bool,
    /// When it started by the wall clock, which may be slightly off; may be before the trace.
    pub start_ns: Option<i64>,
    /// Its name.
    pub name: Option<TextId>,
    /// Path of the executable.
    pub path: Option<TextId>,
    /// Its command line.
    pub command_line: Option<TextId>,
    /// Name or id of its user.
    pub user: Option<TextId>,
    /// Its session.
    pub session: Option<i32>,
    /// Its exit code.
    pub exit_code: Option<i32>,
    /// The signal that killed it.
    pub exit_signal: Option<i32>,
    /// Whether it is the kernel's.
    pub is_kernel: Option<bool>,
}

/// A module, or one function of it, at an address range of a process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mapping {
    /// The process; `None` is the kernel.
    pub pid: Option<u32>,
    /// The module.
    pub module: ModuleId,
    /// First address.
    pub base: u64,
    /// Length of the range.
    pub size_bytes: u64,
    /// Offset of the first address in the file.
    pub file_offset: u64,
    /// Since when; `None` is since before the trace.
    pub from_ns: Option<i64>,
    /// Until when, where that is known already.
    pub to_ns: Option<i64>,
    /// The function whose code this is, if reported: by runtimes that compile. It takes precedence
    /// over the module's other mappings.
    pub function: Option<TextId>,
}

/// The start or end of an operation, and where it was recorded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OperationEvent {
    /// The thread in whose context it happened, where the source says.
    pub tid: Option<u32>,
    /// The process of that thread, where the source says.
    pub pid: Option<u32>,
    /// The stack of that thread.
    pub stack: StackRef,
    /// The operation.
    pub operation: Operation,
}

impl OperationEvent {
    /// Returns whether the stack is recorded with the event; otherwise it is part of the event.
    pub(crate) fn has_own_stack(&self) -> bool {
        !matches!(self.operation, Operation::Filter(_))
    }
}

/// The user half of a stack whose other half came before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UserHalf {
    /// The thread whose stack it is.
    pub tid: u32,
    /// What it belongs to.
    pub target: UserTarget,
    /// The half.
    pub half: HalfRef,
}
