//! One event as counts, lists and filters see it, whatever trace it is from.

use std::io;
use std::sync::Arc;

use whyslow_etl::decode::Field;
use whyslow_query::{FileInfo, Note};

use crate::failure::Failure;

/// What is known of a kind of event.
#[derive(Debug, Clone)]
pub(crate) struct What {
    /// Who writes it.
    pub(crate) provider: Arc<str>,
    /// GUID of who writes it; empty where that has none.
    pub(crate) provider_id: Arc<str>,
    /// Its name.
    pub(crate) event: Arc<str>,
    /// Its id.
    pub(crate) id: Arc<str>,
    /// What its fields are known from.
    pub(crate) decoded: &'static str,
    /// Whether stacks that come apart may be its own.
    pub(crate) takes_stacks: bool,
}

/// One event.
pub(crate) struct Seen<'a> {
    /// Number of its kind, for whoever keeps something per kind.
    pub(crate) kind: usize,
    /// What is known of its kind.
    pub(crate) what: &'a What,
    /// When, in nanoseconds since the trace's start.
    pub(crate) time_ns: i64,
    /// When, by the trace's own clock.
    pub(crate) raw_time: i64,
    /// The CPU.
    pub(crate) cpu: Option<u32>,
    /// The process.
    pub(crate) pid: Option<i64>,
    /// Name of the process.
    pub(crate) process: Option<&'a Arc<str>>,
    /// The thread.
    pub(crate) tid: Option<i64>,
    /// Name of the thread; empty where it has none.
    pub(crate) thread: &'a str,
    /// Size with its header.
    pub(crate) bytes: u64,
    /// Size of its payload.
    pub(crate) payload_bytes: u64,
    /// Whether it brings its stack along.
    pub(crate) has_stack: bool,
    /// Its fields.
    pub(crate) fields: &'a dyn Fn() -> FieldsOf<'a>,
}

/// The fields of an event, in order.
pub(crate) type FieldsOf<'a> = Box<dyn Iterator<Item = Field<'a>> + 'a>;

/// A stack that came apart from its event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StackFor {
    /// Time of its event, by the trace's own clock.
    pub(crate) raw_time: i64,
    /// The event's thread.
    pub(crate) tid: Option<i64>,
    /// The CPU it was taken on.
    pub(crate) cpu: Option<u32>,
}

/// Why a walk ends before the trace does.
#[derive(Debug)]
pub(crate) enum Stop {
    /// All that was asked for has been seen.
    Enough,
    /// The answer cannot be written.
    Written(io::Error),
    /// The trace cannot be read.
    Failed(Failure),
}

/// What takes the matching events of a walk.
pub(crate) trait Sink {
    /// Begins a trace; `has_stacks` says whether stacks come apart from their events.
    fn begin(&mut self, file: &FileInfo, has_stacks: bool) -> Result<(), Stop>;

    /// Takes an event.
    fn event(&mut self, seen: &Seen<'_>) -> Result<(), Stop>;

    /// Takes a stack of an event that has been taken before, if it was.
    fn stack(&mut self, _stack: StackFor) {}

    /// Ends the trace; `notes` are on its quality.
    fn end(&mut self, notes: Vec<Note>) -> Result<(), Stop>;
}
