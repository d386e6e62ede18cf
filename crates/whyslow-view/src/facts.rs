//! The small tables of one trace that nearly every question reads: trace, processes, threads,
//! capabilities.

use std::sync::Arc;

use whyslow_model::tables::{self, CapabilityRow, ProcessRow, ThreadRow, TraceRow};
use whyslow_model::{Capabilities, Capability, Presence, ProcessId, System, ThreadId};
use whyslow_results::{Clock, FileInfo, NotRecorded, Value, grouped};

use crate::error::QueryError;
use crate::view::View;

/// The facts of one trace.
#[derive(Debug)]
pub struct Facts {
    /// Name of the trace.
    pub name: Arc<str>,
    /// The row of `trace`; `None` if the table is missing.
    pub trace: Option<TraceRow>,
    /// The processes; the position is the id.
    pub processes: Vec<ProcessRow>,
    /// The threads; the position is the id.
    pub threads: Vec<ThreadRow>,
    /// What the recording holds.
    pub capabilities: Capabilities,
}

impl Facts {
    /// Reads the facts of `view`.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        Self::head(view)?.with_processes(view, &[], &[])
    }

    /// Reads some columns of the processes and threads of `view`, or all if none is named; the
    /// others are null.
    pub fn with_processes(
        mut self,
        view: View<'_>,
        process_columns: &[&str],
        thread_columns: &[&str],
    ) -> Result<Self, QueryError> {
        let processes = view.read(&tables::PROCESS, process_columns)?;
        self.processes = processes.rows().collect();
        let threads = view.read(&tables::THREAD, thread_columns)?;
        self.threads = threads.rows().collect();
        Ok(self)
    }

    /// Reads the facts of `view`, except its processes and threads.
    pub fn head(view: View<'_>) -> Result<Self, QueryError> {
        let capabilities = view.read(&tables::CAPABILITY, &[])?;
        let capabilities = Capabilities::from_rows(capabilities.rows::<CapabilityRow>());
        Ok(Self {
            name: view.name().into(),
            trace: view.read(&tables::TRACE, &[])?.rows().next(),
            processes: Vec::new(),
            threads: Vec::new(),
            capabilities,
        })
    }

    /// Returns what result tables say about the file.
    pub fn file(&self) -> FileInfo {
        FileInfo {
            name: Arc::clone(&self.name),
            clock: self.clock(),
        }
    }

    /// Returns the trace's clock.
    pub fn clock(&self) -> Clock {
        self.trace.as_ref().map(Clock::of).unwrap_or_default()
    }

    /// Returns the length of the trace.
    pub fn duration_ns(&self) -> i64 {
        self.trace.as_ref().map_or(0, |trace| trace.duration_ns)
    }

    /// Returns the process with an id.
    pub fn process(&self, id: ProcessId) -> Option<&ProcessRow> {
        self.processes.get(id.index())
    }

    /// Returns the name of the process with an id.
    pub fn process_name(&self, id: ProcessId) -> &str {
        self.process(id)
            .map_or("?", |process| process.name.as_str())
    }

    /// Returns the thread with an id.
    pub fn thread(&self, id: ThreadId) -> Option<&ThreadRow> {
        self.threads.get(id.index())
    }

    /// Returns the name of a thread, which may be its process's.
    pub fn thread_name(&self, id: ThreadId) -> &str {
        let thread = self.thread(id);
        let own = thread.and_then(|thread| thread.name.as_deref());
        let process = || thread.and_then(|thread| self.process(thread.process));
        own.or_else(|| process().map(|process| process.name.as_str()))
            .unwrap_or("?")
    }

    /// Returns a thread as `name(tid)`, with its process if that has another name.
    pub fn thread_label(&self, id: ThreadId) -> String {
        let name = self.thread_name(id);
        let Some(thread) = self.thread(id) else {
            return name.to_owned();
        };
        let tid = thread.os_tid;
        match self.process(thread.process) {
            Some(process) if process.name != name => format!("{}/{name}({tid})", process.name),
            _ => format!("{name}({tid})"),
        }
    }

    /// Returns whether `capability` is recorded, at least in part.
    pub fn has(&self, capability: Capability) -> bool {
        self.capabilities.presence(capability) != Presence::No
    }

    /// Returns what the recorder lost, such as `3 events and 1 buffer of events`; `None` if
    /// nothing.
    pub fn lost(&self) -> Option<String> {
        let trace = self.trace.as_ref()?;
        let number = |count: i64| grouped(u64::try_from(count).unwrap_or(0));
        let buffers = match trace.lost_buffers.unwrap_or(0) {
            0 => String::new(),
            1 => "1 buffer of events".to_owned(),
            count => format!("{} buffers of events", number(count)),
        };
        let events = match trace.lost_events {
            0 => String::new(),
            1 => "1 event".to_owned(),
            count => format!("{} events", number(count)),
        };
        match (events.is_empty(), buffers.is_empty()) {
            (true, true) => None,
            (true, false) => Some(buffers),
            (false, true) => Some(events),
            (false, false) => Some(format!("{events} and {buffers}")),
        }
    }

    /// Returns how to record the data of `capability`.
    pub fn how_to_record(&self, capability: Capability) -> &'static str {
        let os = self.trace.as_ref().and_then(|trace| trace.os.as_deref());
        capability.how_to_record(System::of(os))
    }

    /// Returns the answer when `capability` is missing.
    pub fn not_recorded(&self, capability: Capability) -> NotRecorded {
        NotRecorded {
            capability,
            why: self.capabilities.why(capability).map(ToOwned::to_owned),
            how: self.how_to_record(capability).to_owned(),
        }
    }

    /// Returns how long a process or thread lived within the trace.
    pub fn lifetime_ns(&self, start_ns: Option<i64>, end_ns: Option<i64>) -> i64 {
        let end = end_ns.unwrap_or_else(|| self.duration_ns());
        end.saturating_sub(start_ns.unwrap_or(0)).max(0)
    }

    /// Returns the total time of all CPUs in `[from, to)`, if their number is known.
    #[expect(
        clippy::cast_precision_loss,
        reason = "the base of shares for a person"
    )]
    pub fn capacity_ns(&self, (from, to): (i64, i64)) -> Option<f64> {
        let cpus = self.trace.as_ref()?.cpus?;
        let length = to.min(self.duration_ns()).saturating_sub(from.max(0));
        (length > 0 && cpus > 0).then(|| length as f64 * f64::from(cpus))
    }

    /// Returns the command line of a process, or else its path.
    pub fn command_line(process: &ProcessRow) -> Value {
        let line = process.command_line.as_deref().or(process.path.as_deref());
        line.map_or(Value::Null, Value::text)
    }
}
