//! One event as counts, lists and filters see it, from any kind of trace.

use std::io;
use std::sync::Arc;

use whyslow_query::{FileInfo, Note};
use whyslow_source::Error;

use crate::field::Field;

/// What is known about a kind of event.
#[derive(Debug, Clone)]
pub struct What {
    /// The provider.
    pub provider: Arc<str>,
    /// GUID of the provider; empty if it has none.
    pub provider_id: Arc<str>,
    /// Its name.
    pub event: Arc<str>,
    /// Its id.
    pub id: Arc<str>,
    /// Where the description of its fields comes from.
    pub decoded: &'static str,
    /// Whether it may own stacks that come separately.
    pub takes_stacks: bool,
}

/// One event.
#[expect(
    missing_debug_implementations,
    reason = "its fields are read when asked for"
)]
pub struct Seen<'a> {
    /// Number of its kind, for data that is kept per kind.
    pub kind: usize,
    /// What is known about its kind.
    pub what: &'a What,
    /// When, in nanoseconds since the trace's start.
    pub time_ns: i64,
    /// When, by the trace's own clock.
    pub raw_time: i64,
    /// The CPU.
    pub cpu: Option<u32>,
    /// The process.
    pub pid: Option<i64>,
    /// Name of the process.
    pub process: Option<&'a Arc<str>>,
    /// The thread.
    pub tid: Option<i64>,
    /// Name of the thread; empty if it has none.
    pub thread: &'a str,
    /// Size with its header.
    pub bytes: u64,
    /// Size of its payload.
    pub payload_bytes: u64,
    /// Whether it contains its stack.
    pub has_stack: bool,
    /// Its fields.
    pub fields: &'a dyn Fn() -> FieldsOf<'a>,
}

/// The fields of an event, in order.
pub type FieldsOf<'a> = Box<dyn Iterator<Item = Field<'a>> + 'a>;

/// A stack that came separately from its event.
#[derive(Debug, Clone, Copy)]
pub struct StackFor {
    /// Time of its event, by the trace's own clock.
    pub raw_time: i64,
    /// The event's thread.
    pub tid: Option<i64>,
    /// The CPU it was taken on.
    pub cpu: Option<u32>,
}

/// Why a walk ends before the trace does.
#[derive(Debug)]
pub enum Stop {
    /// Everything that was asked for has been seen.
    Enough,
    /// The answer cannot be written.
    Written(io::Error),
    /// The trace cannot be read.
    Failed(Error),
}

/// Receives the matching events of a walk.
pub trait Sink {
    /// Starts a trace; `has_stacks` says whether stacks come separately from their events.
    ///
    /// # Errors
    /// When it can take no more.
    fn begin(&mut self, file: &FileInfo, has_stacks: bool) -> Result<(), Stop>;

    /// Takes an event.
    ///
    /// # Errors
    /// When it can take no more.
    fn event(&mut self, seen: &Seen<'_>) -> Result<(), Stop>;

    /// Takes a stack of an event that may have been taken before.
    fn stack(&mut self, _stack: StackFor) {}

    /// Ends the trace; `notes` are on its quality.
    ///
    /// # Errors
    /// When it can take no more.
    fn end(&mut self, notes: Vec<Note>) -> Result<(), Stop>;
}
