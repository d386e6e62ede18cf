//! Counts of system calls on their way from the kernel to the file.

use std::os::fd::AsFd;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use whyslow_perfdata::whyslow_events::{CallEnd, EVENT_SYSTEM_CALLS, FileCalls, SystemCalls};
use whyslow_perfdata::writer::SampleIdentity;

use crate::events::{self, EventKind};
use crate::open::{Observed, OpenEvents};
use crate::raw_record::{Fields, u32_at, u64_at};
use crate::rights;
use crate::settings::Settings;
use crate::sys::perf::PerfEvent;
use crate::transform::Transform;
use whyslow_bpf::system_calls::{self, Told};
use whyslow_bpf::{BpfError, Counting, Output, SystemCallCounter};

/// The programs that count, while a thread loads them: the kernel takes as long to check them as all others.
#[derive(Debug)]
pub(crate) struct LoadingCounter {
    /// Which event they write to.
    event: u64,
    thread: JoinHandle<Result<Loaded, BpfError>>,
}

/// The programs that count, and why they do not count by file where they should.
#[derive(Debug)]
struct Loaded {
    counter: SystemCallCounter,
    no_files: Option<BpfError>,
}

impl OpenEvents {
    /// Begins to load the programs that count, with an event for what they write.
    pub(crate) fn begin_system_calls(
        &mut self,
        settings: &Settings,
        observed: Observed,
    ) -> Option<LoadingCounter> {
        if !settings.count_system_calls || !settings.use_bpf {
            let why = if settings.use_bpf {
                "they were not requested"
            } else {
                "eBPF programs were not asked for"
            };
            self.missing.push(rights::uncounted_calls(why));
            return None;
        }
        if self.scope.is_own_only {
            self.missing.push(rights::forbidden_calls());
            return None;
        }
        let spec = events::system_call_output(self.scope);
        if let Err(error) = self.open_event(spec, observed) {
            let missing = rights::no_event(EVENT_SYSTEM_CALLS, &error);
            self.missing.push(missing);
            return None;
        }
        let opened = self.events.last()?;
        let event = *opened.ids.first()?;
        let outputs = self
            .cpus
            .iter()
            .copied()
            .zip(opened.per_cpu.iter().cloned());
        let outputs: Vec<(u32, Arc<PerfEvent>)> = outputs.collect();
        let counting = Counting {
            hot_gap_ns: settings.hot_call_gap_ns,
            has_files: settings.record_files,
            file_rows_per_second: settings.file_rows_per_second,
        };
        let thread = thread::Builder::new().name("whyslow-calls".to_owned());
        match thread.spawn(move || load(counting, &outputs)) {
            Ok(thread) => Some(LoadingCounter { event, thread }),
            Err(source) => {
                let what = "start a thread";
                self.without_counter(event, &BpfError::System { what, source });
                None
            }
        }
    }

    /// Waits until the programs that count are loaded.
    pub(crate) fn end_system_calls(&mut self, loading: Option<LoadingCounter>) {
        let Some(loading) = loading else {
            return;
        };
        let loaded = loading.thread.join();
        match loaded.unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
            Ok(loaded) => {
                let no_files = loaded.no_files.as_ref().map(rights::no_files);
                self.missing.extend(no_files);
                self.system_calls = Some(loaded.counter);
            }
            Err(error) => self.without_counter(loading.event, &error),
        }
    }

    /// Gives up the event whose programs could not be loaded.
    fn without_counter(&mut self, event: u64, error: &BpfError) {
        self.events.retain(|one| one.ids.first() != Some(&event));
        self.no_system_calls(error);
    }

    /// Starts to count.
    pub(crate) fn start_system_calls(&mut self) {
        let programs = self.programs.as_mut();
        let counter = self.system_calls.as_mut();
        let started = counter.map(|counter| counter.start(programs));
        if let Some(Err(error)) = started {
            self.system_calls = None;
            self.is_spoiled = true;
            self.no_system_calls(&error);
        }
    }

    /// Stops counting, and returns what no thread has handed over.
    pub(crate) fn stop_system_calls(&mut self) -> Vec<Told> {
        let programs = self.programs.as_mut();
        let counter = self.system_calls.as_mut();
        match counter.map(|counter| counter.stop(programs)) {
            Some(Ok(left)) => left,
            Some(Err(error)) => {
                self.is_spoiled = true;
                self.no_system_calls(&error);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// Calls that could not be counted.
    pub(crate) fn lost_system_calls(&self) -> u64 {
        let lost = self
            .system_calls
            .as_ref()
            .map(SystemCallCounter::lost_calls);
        lost.and_then(Result::ok).unwrap_or(0)
    }

    /// Calls about files that could not be counted by file.
    pub(crate) fn lost_file_calls(&self) -> u64 {
        let counter = self.system_calls.as_ref();
        let lost = counter.map(SystemCallCounter::lost_file_calls);
        lost.and_then(Result::ok).unwrap_or(0)
    }

    /// Names of files for which there was no room.
    pub(crate) fn lost_file_names(&self) -> u64 {
        let counter = self.system_calls.as_ref();
        let lost = counter.map(SystemCallCounter::lost_file_names);
        lost.and_then(Result::ok).unwrap_or(0)
    }

    /// Rows of single calls about files for which there was no room.
    pub(crate) fn lost_file_rows(&self) -> u64 {
        let counter = self.system_calls.as_ref();
        let lost = counter.map(SystemCallCounter::lost_file_rows);
        lost.and_then(Result::ok).unwrap_or(0)
    }

    /// Marks for which there was no room, or that were too many per second.
    pub(crate) fn lost_marks(&self) -> u64 {
        let lost = self
            .system_calls
            .as_ref()
            .map(SystemCallCounter::lost_marks);
        lost.and_then(Result::ok).unwrap_or(0)
    }

    fn no_system_calls(&mut self, error: &BpfError) {
        self.missing.push(rights::no_calls(error));
    }
}

/// Loads the programs that count; without files where the kernel refuses what those need.
fn load(counting: Counting, outputs: &[(u32, Arc<PerfEvent>)]) -> Result<Loaded, BpfError> {
    let outputs = outputs.iter().map(|(cpu, event)| Output {
        cpu: *cpu,
        event: event.as_fd(),
        chained: None,
    });
    let outputs: Vec<Output<'_>> = outputs.collect();
    let load = |has_files| {
        let counting = Counting {
            has_files,
            ..counting
        };
        SystemCallCounter::load(std::process::id(), counting, &outputs)
    };
    let (loaded, no_files) = match load(counting.has_files) {
        Err(error) if counting.has_files => (load(false), Some(error)),
        loaded => (loaded, None),
    };
    loaded.map(|counter| Loaded { counter, no_files })
}

impl Transform {
    /// Takes one sample of what the programs write.
    pub(crate) fn system_call_output(&mut self, record: &[u8]) {
        let told = Fields::of_sample(record)
            .raw()
            .and_then(system_calls::parse);
        let Some((told, _)) = told else {
            self.bad_outputs += 1;
            return;
        };
        let identity = SampleIdentity {
            pid: 0,
            tid: 0,
            time_ns: u64_at(record, 32),
            cpu: u32_at(record, 40),
            id: 0,
        };
        self.told(identity, &told);
    }

    /// Writes what a living thread had counted when the recording ended.
    pub(crate) fn left_system_calls(&mut self, told: Told, now_ns: u64) {
        let identity = SampleIdentity {
            pid: 0,
            tid: 0,
            time_ns: self.behind_all(now_ns),
            cpu: 0,
            id: 0,
        };
        let to_ns = now_ns;
        let told = match told {
            Told::Calls(calls) => Told::Calls(SystemCalls { to_ns, ..calls }),
            Told::FileCalls(calls) => Told::FileCalls(FileCalls { to_ns, ..calls }),
            told => told,
        };
        self.told(identity, &told);
    }

    fn told(&mut self, identity: SampleIdentity, told: &Told) {
        let mut bytes = Vec::new();
        let (kind, pid, tid) = match told {
            Told::Calls(calls) => {
                let others = calls
                    .calls
                    .iter()
                    .filter(|call| call.end == CallEnd::Others);
                self.calls_of_others += others.map(|call| call.count).sum::<u64>();
                calls.encode(&mut bytes);
                (EventKind::SystemCalls, calls.pid, calls.tid)
            }
            Told::FileCalls(calls) => {
                calls.encode(&mut bytes);
                (EventKind::FileCalls, calls.pid, calls.tid)
            }
            Told::SingleFileCalls(calls) => {
                calls.encode(&mut bytes);
                (EventKind::SingleFileCalls, calls.pid, calls.tid)
            }
            Told::Mark(mark) => {
                self.marks.take(identity.time_ns, mark);
                mark.encode(&mut bytes);
                (EventKind::Mark, mark.pid, mark.tid)
            }
            &Told::LongCode { pid, code } => {
                self.long_code = Some((pid, code));
                return;
            }
            Told::FileNames(names) => {
                for name in names {
                    bytes.clear();
                    name.encode(&mut bytes);
                    self.own_sample(EventKind::FileName, identity, &[], &bytes);
                }
                return;
            }
        };
        let identity = SampleIdentity {
            pid,
            tid,
            ..identity
        };
        self.own_sample(kind, identity, &[], &bytes);
    }
}
