//! Codes: the meaning of small integers in a column.
//!
//! A code column is an `i32` on disk; the `code` table of every extract spells the codes out, so a
//! SQL user can join it. Codes are never renumbered. `codes!` makes an enumeration, `flags!` a set
//! of bits; those of a table of events are defined next to it.

use crate::schema::Code;

/// A code with a name for people.
pub trait Named: Sized + Copy + 'static {
    /// Every value with its name, in the order of the codes.
    const ALL: &'static [(Self, &'static str)];

    /// Returns the code as stored in a column.
    fn code(self) -> i32;

    /// Returns the value of a code, or `None` if this version does not know it.
    fn from_code(code: i32) -> Option<Self> {
        let mut all = Self::ALL.iter();
        all.find(|(value, _)| value.code() == code)
            .map(|&(value, _)| value)
    }

    /// Returns the name.
    fn name(self) -> &'static str {
        let mut all = Self::ALL.iter();
        all.find(|(value, _)| value.code() == self.code())
            .map_or("?", |&(_, name)| name)
    }
}

macro_rules! codes {
    ($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $vdoc:literal])* $variant:ident = $code:literal $text:literal,)* }) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(i32)]
        pub enum $name { $($(#[doc = $vdoc])* $variant = $code,)* }

        impl Named for $name {
            const ALL: &'static [(Self, &'static str)] = &[$((Self::$variant, $text),)*];

            fn code(self) -> i32 {
                self as i32
            }
        }
    };
}

macro_rules! flags {
    ($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $vdoc:literal])* $flag:ident = $bit:literal $text:literal,)* }) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
        pub struct $name(pub i32);

        impl $name {
            $($(#[doc = $vdoc])* pub const $flag: Self = Self($bit);)*

            /// Returns both sets of bits together.
            #[must_use]
            pub fn with(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// Returns whether all bits of `other` are set.
            pub fn has(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
        }

        impl Named for $name {
            const ALL: &'static [(Self, &'static str)] = &[$((Self($bit), $text),)*];

            fn code(self) -> i32 {
                self.0
            }
        }
    };
}

/// Returns every code of a kind with its name.
pub fn spelled<C: Named>() -> Vec<Code> {
    C::ALL
        .iter()
        .map(|&(value, name)| (value.code(), name))
        .collect()
}

codes! {
    /// What a thread was doing in an interval. The states of a thread cover its lifetime exactly.
    ThreadState {
        /// What the thread did is not known: before its first event, or after a loss.
        Unknown = 0 "unknown",
        /// On a CPU.
        Running = 1 "running",
        /// Runnable, without a CPU.
        Ready = 2 "ready",
        /// Blocked until something makes it runnable.
        Waiting = 3 "waiting",
        /// Off the CPU; when it became runnable is not known (wake-ups were not recorded).
        OffCpu = 4 "off-CPU",
        /// Stopped by a signal or a debugger.
        Stopped = 5 "stopped",
    }
}

codes! {
    /// Why a thread left the CPU, in terms common to all systems; `reason_raw` holds the system's
    /// own code.
    WaitReason {
        /// Not known.
        Unknown = 0 "unknown",
        /// Blocked; a signal would end the wait (Linux `S`).
        Interruptible = 1 "interruptible",
        /// Blocked; only what it waits for can end the wait (Linux `D`).
        Uninterruptible = 2 "uninterruptible",
        /// Still runnable: another thread took the CPU.
        Preempted = 3 "preempted",
        /// Still runnable: gave the CPU away on its own (`sched_yield`).
        Yielded = 4 "yielded",
        /// Stopped or traced.
        Stopped = 5 "stopped",
        /// A kernel thread that is parked or idle by design (Linux `I`, `P`).
        Idle = 6 "idle",
        /// The thread ended.
        Exited = 7 "exited",
        /// Newly created, not yet run.
        New = 8 "new",
        /// Blocked until some time has passed, if the system says so.
        Sleep = 9 "sleep",
        /// Blocked until a page of memory is brought in, if the system says so.
        PageFault = 10 "page fault",
        /// Blocked until there is free memory, if the system says so.
        Memory = 11 "memory",
        /// Blocked by a lock between threads of a program, or waiting for another thread's signal,
        /// if the system says so.
        Lock = 12 "lock",
        /// Blocked by a lock inside the kernel, if the system says so.
        KernelLock = 13 "kernel lock",
        /// Blocked until another process sends or answers a message, if the system says so.
        Message = 14 "message",
        /// Still runnable: its group of processes has used up its quota of CPU time.
        Throttled = 15 "throttled",
    }
}

codes! {
    /// What made a waiting thread runnable.
    WakerKind {
        /// Not known: no wake-up was recorded.
        Unknown = 0 "unknown",
        /// Another thread, in its own context.
        Thread = 1 "thread",
        /// An interrupt (a timer, a disk, a network card); the thread it interrupted is not the
        /// waker.
        Interrupt = 2 "interrupt",
        /// Deferred work of an interrupt that ran on top of a thread (a soft interrupt): that
        /// thread caused it, by sending to its own machine, or was only interrupted.
        Softirq = 3 "soft interrupt",
    }
}

codes! {
    /// Whether a frame ran in the kernel or in the process, and what ran it there.
    StackKind {
        /// The process's own machine code.
        User = 0 "user",
        /// The kernel's code.
        Kernel = 1 "kernel",
        /// A Python function, in its interpreter.
        Python = 2 "python",
        /// A method of Java, or of another language of its virtual machine.
        Java = 3 "java",
        /// A JavaScript function, in its engine.
        JavaScript = 4 "javascript",
        /// A Ruby method or block, in its interpreter.
        Ruby = 5 "ruby",
        /// A PHP function, in its interpreter.
        Php = 6 "php",
        /// A Perl subroutine, or the statements of a file, in its interpreter.
        Perl = 7 "perl",
    }
}

codes! {
    /// How a stack ends at its root; stored in the root node of every stack.
    StackEnd {
        /// Not known whether the stack is complete (frame pointers, other recorders).
        Unknown = 0 "unknown",
        /// The walk reached the function a thread starts in.
        Complete = 1 "complete",
        /// The walk stopped early.
        Truncated = 2 "truncated",
        /// The thread has a user half, but only the kernel half was recorded.
        NoUserHalf = 3 "no user half",
        /// A kernel thread, the idle thread, or an interrupt: there is no user half.
        KernelOnly = 4 "kernel only",
    }
}

flags! {
    /// Bits of the `flags` column of `thread_state`.
    StateFlags {
        /// The interval began before the trace.
        OPEN_START = 1 "open start",
        /// The interval was still going on when the trace ended.
        OPEN_END = 2 "open end",
        /// A wait whose wake-up was not seen: its end is the switch-in, so it includes the ready time.
        NO_WAKE_UP = 4 "no wake-up seen",
        /// Follows lost events.
        AFTER_LOSS = 8 "after loss",
        /// The stack, or its user half, was taken from another wait of the same thread at the same
        /// place.
        APPROXIMATE_STACK = 16 "approximate stack",
        /// The wait ended because the thread was killed.
        KILLED = 32 "killed",
        /// The thread was woken in a page fault, not in a system call.
        PAGE_FAULT = 64 "page fault",
        /// The thread belongs to the class that runs only when no other thread wants to.
        IDLE_CLASS = 128 "idle class",
    }
}
