//! Records what a whole Linux machine does, into a `perf.data` file. Elsewhere this crate is empty: on
//! Windows, the system's own recorder does it, controlled by `whyslow-wpr`.
//!
//! No `perf` binary is needed: [`Recorder`] opens the kernel's events itself, one ring per CPU
//! with all events in it, and a thread empties the rings while the recording runs. CPU samples
//! come with stacks that are unwound as they arrive; context switches and wake-ups are complete,
//! with kernel stacks; names, forks, mappings and exits come from the side-band; the initial state
//! comes from `/proc`. `perf report` opens the file too.
//!
//! What the kernel does not permit is left out and reported: see [`RecordReport::missing`].
//!
//! Start reading at [`Recorder`]; [`Settings`] and [`RecordReport`] are what goes in and comes
//! out. How things that perf does not know are written is described in
//! [`whyslow_perfdata::whyslow_events`].

#[cfg(target_os = "linux")]
mod bpf_output;
#[cfg(target_os = "linux")]
mod disk_layout;
#[cfg(target_os = "linux")]
mod disks;
#[cfg(target_os = "linux")]
mod drain;
mod duplicates;
#[cfg(target_os = "linux")]
mod error;
#[cfg(target_os = "linux")]
mod event_index;
#[cfg(target_os = "linux")]
mod events;
#[cfg(target_os = "linux")]
mod finish;
#[cfg(target_os = "linux")]
mod generated_output;
#[cfg(target_os = "linux")]
mod goroutine_output;
#[cfg(target_os = "linux")]
mod goroutines;
#[cfg(target_os = "linux")]
mod kept_files;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg(target_os = "linux")]
mod limit_reached;
#[cfg(target_os = "linux")]
mod limiter;
#[cfg(target_os = "linux")]
mod machine_facts;
#[cfg(target_os = "linux")]
mod mapped;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod memory_output;
#[cfg(target_os = "linux")]
mod merge;
#[cfg(target_os = "linux")]
mod network;
#[cfg(target_os = "linux")]
mod open;
#[cfg(target_os = "linux")]
mod own_marks;
#[cfg(target_os = "linux")]
mod parts;
#[cfg(target_os = "linux")]
mod pipeline;
#[cfg(target_os = "linux")]
mod python;
#[cfg(target_os = "linux")]
mod python_output;
#[cfg(target_os = "linux")]
mod raw_record;
#[cfg(target_os = "linux")]
mod recorder;
#[cfg(target_os = "linux")]
mod report;
#[cfg(target_os = "linux")]
mod rights;
#[cfg(target_os = "linux")]
mod rundown;
#[cfg(target_os = "linux")]
mod sched_formats;
mod settings;
#[cfg(target_os = "linux")]
mod settling;
#[cfg(target_os = "linux")]
mod sink;
#[cfg(target_os = "linux")]
mod standby;
#[cfg(target_os = "linux")]
mod switch_chain;
mod switch_layout;
#[cfg(target_os = "linux")]
mod sys;
#[cfg(target_os = "linux")]
mod system_calls;
#[cfg(target_os = "linux")]
mod tracepoints;
#[cfg(target_os = "linux")]
mod transform;
#[cfg(target_os = "linux")]
mod waking_layout;
#[cfg(target_os = "linux")]
mod walker;

#[cfg(target_os = "linux")]
pub use error::Error;
#[cfg(target_os = "linux")]
pub use limit_reached::LimitReached;
#[cfg(target_os = "linux")]
pub use parts::{Part, Profile};
#[cfg(target_os = "linux")]
pub use recorder::Recorder;
#[cfg(target_os = "linux")]
pub use report::{
    CommandEnding, CommandOutcome, DropReason, DroppedStacks, EventCount, Missing, RecordReport,
    SeenMark, UserStackCounts,
};
#[cfg(target_os = "linux")]
pub use rights::{Permitted, permitted};
#[cfg(target_os = "linux")]
pub use settings::{ExtraTracepoint, Settings};
#[cfg(target_os = "linux")]
pub use standby::Standby;
