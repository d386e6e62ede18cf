//! Counts of system calls on their way from the kernel to the file.

use whyslow_perfdata::whyslow_events::{CallEnd, EVENT_SYSTEM_CALLS, FileCalls, SystemCalls};
use whyslow_perfdata::writer::SampleIdentity;

use crate::bpf::system_calls::{self, Told};
use crate::bpf::{BpfError, Counting, SystemCallCounter};
use crate::events::{self, EventKind};
use crate::open::{Observed, OpenEvents};
use crate::raw_record::{Fields, u32_at, u64_at};
use crate::rights;
use crate::settings::Settings;
use crate::transform::Transform;

impl OpenEvents {
    /// Loads the programs that count, with an event for what they write.
    pub(crate) fn load_system_calls(&mut self, settings: &Settings, observed: Observed) {
        if !settings.count_system_calls || !settings.use_bpf {
            let why = if settings.use_bpf {
                "they were not asked for"
            } else {
                "eBPF programs were not asked for"
            };
            return self.missing.push(rights::uncounted_calls(why));
        }
        if self.scope.is_own_only {
            return self.missing.push(rights::forbidden_calls());
        }
        let spec = events::system_call_output(self.scope);
        if let Err(error) = self.open_event(spec, observed) {
            let missing = rights::no_event(EVENT_SYSTEM_CALLS, &error);
            return self.missing.push(missing);
        }
        let outputs = self.last_outputs();
        let load = |has_files| {
            let counting = Counting {
                hot_gap_ns: settings.hot_call_gap_ns,
                has_files,
                file_rows_per_second: settings.file_rows_per_second,
            };
            SystemCallCounter::load(std::process::id(), counting, &outputs)
        };
        let loaded = match load(settings.record_files) {
            // A kernel may refuse what files need only.
            Err(error) if settings.record_files => {
                load(false).inspect(|_| self.missing.push(rights::no_files(&error)))
            }
            loaded => loaded,
        };
        match loaded {
            Ok(counter) => self.system_calls = Some(counter),
            Err(error) => {
                self.events.pop();
                self.no_system_calls(&error);
            }
        }
    }

    /// Starts to count.
    pub(crate) fn start_system_calls(&mut self) {
        let programs = self.programs.as_mut();
        let counter = self.system_calls.as_mut();
        let started = counter.map(|counter| counter.start(programs));
        if let Some(Err(error)) = started {
            self.system_calls = None;
            self.no_system_calls(&error);
        }
    }

    /// Stops to count, and returns what no thread has handed over.
    pub(crate) fn stop_system_calls(&mut self) -> Vec<Told> {
        let programs = self.programs.as_mut();
        let counter = self.system_calls.as_mut();
        match counter.map(|counter| counter.stop(programs)) {
            Some(Ok(left)) => left,
            Some(Err(error)) => {
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

    /// Rows of single calls about files for which there was no room.
    pub(crate) fn lost_file_rows(&self) -> u64 {
        let counter = self.system_calls.as_ref();
        let lost = counter.map(SystemCallCounter::lost_file_rows);
        lost.and_then(Result::ok).unwrap_or(0)
    }

    fn no_system_calls(&mut self, error: &BpfError) {
        self.missing.push(rights::no_calls(error));
    }
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
            told @ (Told::FileName(_) | Told::SingleFileCalls(_)) => told,
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
            Told::FileName(name) => {
                name.encode(&mut bytes);
                (EventKind::FileName, 0, 0)
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
