//! eBPF programs that see what `perf_event_open` alone cannot: which waits were long, the user
//! stacks that belong to them, who woke whom from where, command lines and exit codes.
//!
//! The programs run on tracepoints only (no kprobes, no fentry: whole classes of machines forbid
//! them). They are compiled ahead of time (`bpf/whyslow.bpf.c` → `whyslow.bpf.o`, side by side) and
//! adapted to the running kernel through its BTF.
//!
//! **Where the output goes.** The recorder opens one `PERF_COUNT_SW_BPF_OUTPUT` event per CPU
//! (sample type with `RAW`, redirected into the ring of that CPU) and hands the descriptors to
//! [`Programs::load`]. Everything arrives as raw data of that event, in the same ring and order as
//! all other records; [`payload::Payload::parse`] reads it. The recorder turns it into records of its
//! own, so the layout is no file format and may change.
//!
//! **Stacks** are carried inside the payload, not by `PERF_SAMPLE_STACK_USER`: the programs know
//! where each thread's stack begins, so they copy as much as there is and no more, and of a stack
//! deeper than 60 KB its inner and its outermost part ([`payload::StackDump`]). That is what makes
//! stacks of `rustc` whole, whose one giant frame of 540 KB no plain dump can span.
//!
//! **Which stack belongs to what** is in each payload's documentation. The rule: a stack is copied while
//! the thread is known to be still inside what the stack explains:
//!
//! * waits inside a system call: when that call returns, before anything else can run,
//! * waits outside one (page faults, exit work): when the thread leaves the CPU,
//! * preempted threads: when the thread leaves the CPU,
//! * wakers: inside the wake-up,
//! * CPU samples: inside the sampling interrupt,
//! * callers of system calls: when one in so many calls of a thread returns. The payload says how many
//!   calls the stack represents; calls that go unsampled for lack of budget count with the next one.
//!
//! **What has no user half.** Kernel threads and io_uring workers; 32-bit programs (registers only);
//! `execve`, whose old program is gone when it returns; what a thread waits for after it began to exit;
//! waits shorter than the threshold, unless they are sampled; and what exceeds the budgets. All but the
//! first are counted ([`Counters`]) or marked in the payload.
//!
//! **What is assumed of the kernel.** The saved registers of a thread say whether it blocks inside a
//! system call (see `in_system_call` in the source). That holds for the entry code of x86-64 as
//! long as the processor does not use FRED, where every wait would look like one outside.

#[cfg(target_os = "linux")]
mod clearing;
#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod config;
#[cfg(target_os = "linux")]
pub mod costs;
#[cfg(target_os = "linux")]
mod counters;
#[cfg(target_os = "linux")]
pub mod disks;
#[cfg(target_os = "linux")]
mod ends;
#[cfg(target_os = "linux")]
mod error;
#[cfg(target_os = "linux")]
mod file_calls;
#[cfg(target_os = "linux")]
mod file_rows;
#[cfg(target_os = "linux")]
mod interrupt_entries;
#[cfg(target_os = "linux")]
mod links;
#[cfg(target_os = "linux")]
mod loaded;
#[cfg(target_os = "linux")]
mod loading;
#[cfg(target_os = "linux")]
mod marks;
#[cfg(target_os = "linux")]
pub mod network;
#[cfg(target_os = "linux")]
mod open_objects;
#[cfg(target_os = "linux")]
mod open_waits;
#[cfg(target_os = "linux")]
pub mod payload;
#[cfg(target_os = "linux")]
mod programs;
#[cfg(target_os = "linux")]
pub mod python;
#[cfg(target_os = "linux")]
mod sys;
#[cfg(target_os = "linux")]
pub mod system_calls;
#[cfg(target_os = "linux")]
mod wait_object;
#[cfg(target_os = "linux")]
mod words;

#[cfg(target_os = "linux")]
pub use clock::now_ns;
#[cfg(target_os = "linux")]
pub use config::{Config, Output};
#[cfg(target_os = "linux")]
pub use counters::{Counters, KindCounters};
#[cfg(target_os = "linux")]
pub use disks::DiskReporter;
#[cfg(target_os = "linux")]
pub use error::BpfError;
#[cfg(target_os = "linux")]
pub use interrupt_entries::interrupt_entries;
#[cfg(target_os = "linux")]
pub use loaded::{Loaded, loaded_programs};
#[cfg(target_os = "linux")]
pub use loading::kernel_types;
#[cfg(target_os = "linux")]
pub use open_waits::OpenWait;
#[cfg(target_os = "linux")]
pub use programs::Programs;
#[cfg(target_os = "linux")]
pub use python::{PythonCost, PythonFrames};
#[cfg(target_os = "linux")]
pub use system_calls::{Counting, SystemCallCounter};
