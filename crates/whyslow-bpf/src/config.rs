//! What the programs do, and where their output goes.

use std::ops::Range;
use std::os::fd::BorrowedFd;

use crate::error::BpfError;

/// Most bytes of both parts of a stack: a record of perf has at most 64 KB.
const WHOLE_BYTES: u32 = 60 << 10;
/// Most bytes of the outermost part.
const OUTER_BYTES: u32 = 24 << 10;

/// What the programs do.
#[derive(Debug, Clone)]
pub struct Config {
    /// Waits in one system call that together reach this get a user stack, in ns. Shorter ones are
    /// added up per thread, and the one with which the sum reaches it gets a stack for all.
    pub wait_threshold_ns: u64,
    /// Process whose stacks are of no interest: the recorder.
    pub own_pid: u32,
    /// Report every switch and every wake-up, as [`Event::Switch`](crate::payload::Event::Switch) and
    /// [`Event::Waking`](crate::payload::Event::Waking).
    pub reports_switches: bool,
    /// Where the kernel's entries of hardware interrupts are, by which wake-ups of interrupts are known; empty: not
    /// known. `None`: to be found out.
    pub interrupt_entries: Option<Range<u64>>,
    /// Most kernel stacks of switches per second and CPU. Sites without any may run into debt.
    pub chains_per_second: u32,
    /// Most bytes of stacks per second and CPU of waits, blocks, preempted threads and wakers,
    /// each; beyond it they get none.
    pub stack_bytes_per_second: u32,
    /// Most bytes of stacks per second and CPU of CPU samples; beyond it they get at most 16 KB.
    pub sample_bytes_per_second: u32,
    /// Most bytes copied from the stack pointer upwards of a stack too deep to be copied whole.
    pub inner_bytes: u32,
    /// Bytes copied of the outermost part of such a stack, at most 24 KB. A stack of at most
    /// `inner_bytes + outer_bytes`, which is at most 60 KB, is copied whole.
    pub outer_bytes: u32,
}

impl Default for Config {
    /// One millisecond, 8 and 48 MB per second, 36 KB and 24 KB, no process of its own, no switches.
    fn default() -> Self {
        Self {
            wait_threshold_ns: 1_000_000,
            own_pid: 0,
            reports_switches: false,
            interrupt_entries: None,
            chains_per_second: 50_000,
            stack_bytes_per_second: 8_000_000,
            sample_bytes_per_second: 48_000_000,
            inner_bytes: WHOLE_BYTES - OUTER_BYTES,
            outer_bytes: OUTER_BYTES,
        }
    }
}

/// The output event of one CPU.
#[derive(Debug, Clone, Copy)]
pub struct Output<'a> {
    /// The CPU.
    pub cpu: u32,
    /// An event of type `PERF_COUNT_SW_BPF_OUTPUT` on it.
    pub event: BorrowedFd<'a>,
    /// Another one, whose samples have the kernel's call chain; needed to report switches.
    pub chained: Option<BorrowedFd<'a>>,
}

impl Config {
    /// Refuses settings that the programs cannot honor.
    pub(crate) fn check(&self) -> Result<(), BpfError> {
        let whole = self.inner_bytes.saturating_add(self.outer_bytes);
        if whole > WHOLE_BYTES || self.outer_bytes > OUTER_BYTES || self.inner_bytes == 0 {
            return Err(BpfError::Settings(
                "stack dumps have at most 60 KB, 24 KB of them outer",
            ));
        }
        if self.stack_bytes_per_second == 0
            || self.sample_bytes_per_second == 0
            || self.wait_threshold_ns == 0
            || self.chains_per_second == 0
        {
            return Err(BpfError::Settings(
                "rate and threshold of stacks are at least 1",
            ));
        }
        Ok(())
    }
}
