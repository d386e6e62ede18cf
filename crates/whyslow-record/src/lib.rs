//! Records what a whole Linux machine does, into a `perf.data` file.
//!
//! No `perf` binary is needed: [`Recorder`] opens the kernel's events itself, one ring per CPU
//! with all events in it, and a thread empties the rings while the recording runs. CPU samples
//! come with stacks that are unwound as they arrive; context switches and wake-ups are complete,
//! with kernel stacks; names, forks, mappings and exits come from the side-band; what was there
//! before comes from `/proc`. `perf report` opens the file too.
//!
//! What the kernel does not permit is left out and said: see [`RecordReport::missing`].
//!
//! Start reading at [`Recorder`]; [`Settings`] and [`RecordReport`] are what goes in and comes
//! out. How things that perf does not know are written is described in
//! [`whyslow_perfdata::whyslow_events`].

mod addresses;
pub mod bpf;
mod bpf_output;
mod build_id;
mod cpus;
mod drain;
mod error;
mod events;
mod finish;
mod kernel;
mod limiter;
mod machine;
mod merge;
mod open;
mod part_file;
mod pipeline;
mod proc;
mod raw_record;
mod recorder;
mod report;
mod rights;
mod rundown;
mod settings;
mod sink;
mod switch_chain;
mod sys;
mod tracepoints;
mod transform;
mod twins;
mod walker;

pub use error::Error;
pub use recorder::Recorder;
pub use report::{
    CommandEnding, CommandOutcome, DropReason, DroppedStacks, EventCount, Missing, RecordReport,
    UserStackCounts,
};
pub use settings::{ExtraTracepoint, Settings};
