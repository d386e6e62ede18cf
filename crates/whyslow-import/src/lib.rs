//! Turns a trace into rows: the clock, the order of events, and the trackers.
//!
//! ```text
//! records ─frontend→ Event ─Importer: trackers→ RowSink ─ runs, merge ─ Settle → tables
//! ```
//!
//! A *frontend* per trace format turns records into neutral [`Event`]s in time order. The
//! [`Importer`] holds the trackers: processes, threads, what each thread was doing, stacks,
//! mappings. A row goes to the sink as soon as its event is complete, with provisional values in
//! it. When the trace has ended, [`Importer::finish`] gives a [`Settled`], which turns provisional
//! values into final ones while the sink merges its runs, and then the tables of facts.
//!
//! Memory does not grow with the number of events: rows are not kept, and what is kept is limited
//! by [`Limits`].

#![forbid(unsafe_code)]

mod error;
mod etw;
mod event;
mod importer;
mod limits;
mod memory_sink;
pub mod operations;
mod options;
mod payload;
mod perf;
mod sorter;

pub use error::Error;
pub use etw::{check_together, import_etl, utc_offset_s};
pub use event::{
    Event, EventKind, Mapping, OperationEvent, ProcessFacts, Sample, Site, Snapshot, Switch,
    UserHalf, UserTarget, WaitTarget, Waker, Waking,
};
pub use importer::{Importer, Recording};
pub use limits::Limits;
pub use memory_sink::MemorySink;
pub use options::{ImportOptions, Progress};
pub use perf::import_perf;
pub use sorter::Sorter;
pub use whyslow_schedule::CpuSetId;
pub use whyslow_settle::{
    Module, ModuleId, ModuleKind, Settled, Summary, TextId, Texts, TraceFacts,
};
pub use whyslow_stacks::{HalfRef, NodeId, Root, StackRef};
