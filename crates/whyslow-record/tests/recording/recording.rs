//! A recording read back, in a form that is easy to ask.

use std::collections::BTreeMap;
use std::path::Path;

use whyslow_perfdata::whyslow_events::{
    Affinity, EVENT_AFFINITY, EVENT_EXEC, EVENT_EXIT, EVENT_FILE_CALLS, EVENT_FILE_NAME,
    EVENT_MARK, EVENT_PROCESS_MEMORY, EVENT_SINGLE_FILE_CALLS, EVENT_SYSTEM_CALLS, EVENT_THREAD,
    EVENT_USER_STACK, EVENT_WAIT_OBJECT, Exec, Exit, FEATURE_INFO, FEATURE_KALLSYMS, FileCall,
    FileCalls, FileName, Mark, ProcessMemory, SingleFileCall, SingleFileCalls, SystemCalls,
    ThreadState, UserStack, UserStackEnd, WaitObject,
};
use whyslow_perfdata::{Reader, RecordBody, Sample};

/// A sample with a call chain.
#[derive(Debug)]
pub(crate) struct Stack {
    pub(crate) event: String,
    pub(crate) tid: u32,
    pub(crate) time_ns: u64,
    /// Addresses of the user half, leaf first.
    pub(crate) user: Vec<u64>,
    /// Addresses of the kernel half, leaf first.
    pub(crate) kernel: Vec<u64>,
    /// How the user half ends; `None`: there is none.
    pub(crate) end: Option<UserStackEnd>,
}

/// The payload of a tracepoint.
pub(crate) struct Raw {
    pub(crate) event: String,
    pub(crate) cpu: u32,
    pub(crate) time_ns: u64,
    pub(crate) bytes: Vec<u8>,
    /// It has the kernel's call chain.
    pub(crate) has_chain: bool,
}

/// An executable mapping.
pub(crate) struct Mapping {
    pub(crate) pid: u32,
    pub(crate) start: u64,
    pub(crate) size_bytes: u64,
    pub(crate) file_offset: u64,
    pub(crate) path: String,
    pub(crate) has_build_id: bool,
}

/// Everything of a recording that the tests ask for.
#[derive(Default)]
pub(crate) struct Recording {
    pub(crate) samples: BTreeMap<String, u64>,
    pub(crate) stacks: Vec<Stack>,
    pub(crate) execs: Vec<Exec>,
    pub(crate) exits: Vec<Exit>,
    pub(crate) states: Vec<ThreadState>,
    pub(crate) system_calls: Vec<SystemCalls>,
    /// Marks, and when they were set.
    pub(crate) marks: Vec<(Mark, u64)>,
    /// What waits were for, and the threads that waited.
    pub(crate) wait_objects: Vec<(WaitObject, u32)>,
    /// Process, thread, the file as it was told last, what was done.
    pub(crate) file_calls: Vec<(u32, u32, FileName, FileCall)>,
    /// Process, thread, file, second file, call.
    pub(crate) single_file_calls: Vec<(u32, u32, FileName, Option<FileName>, SingleFileCall)>,
    file_names: BTreeMap<u64, FileName>,
    pub(crate) affinities: Vec<Affinity>,
    pub(crate) memory: Vec<ProcessMemory>,
    pub(crate) user_stacks: Vec<(UserStack, u32)>,
    pub(crate) mappings: Vec<Mapping>,
    /// Thread, name, by an exec.
    pub(crate) names: Vec<(u32, String, bool)>,
    pub(crate) switch_records: u64,
    /// Payloads of tracepoints.
    pub(crate) raws: Vec<Raw>,
    pub(crate) info: Vec<(String, String)>,
    pub(crate) kallsyms: String,
    pub(crate) late: u64,
    pub(crate) faults: Vec<String>,
    /// Tracepoints that were recorded and whose fields the file does not describe.
    pub(crate) undescribed: Vec<String>,
    pub(crate) end_ns: u64,
}

impl Recording {
    pub(crate) fn read(path: &Path) -> Self {
        let mut reader = Reader::open(path).unwrap();
        let mut recording = Self::default();
        let features = reader.features();
        let text = |feature| {
            String::from_utf8_lossy(features.raw(feature).unwrap_or_default()).into_owned()
        };
        recording.info = text(FEATURE_INFO)
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        recording.kallsyms = text(FEATURE_KALLSYMS);
        let described: Vec<String> = features
            .formats
            .iter()
            .map(|format| format!("{}:{}", format.system, format.name))
            .collect();
        let names: Vec<String> = reader
            .events()
            .iter()
            .map(|event| event.name.clone().unwrap_or_default())
            .collect();
        let is_tracepoint: Vec<bool> = reader
            .events()
            .iter()
            .map(|event| event.attr.is_tracepoint())
            .collect();
        let tracepoints = names.iter().zip(&is_tracepoint).filter(|(_, is)| **is);
        let undescribed = tracepoints.filter(|(name, _)| !described.contains(name));
        recording.undescribed = undescribed.map(|(name, _)| name.clone()).collect();
        while let Some(record) = reader.next_record().unwrap() {
            recording.late += u64::from(record.late);
            recording.end_ns = recording.end_ns.max(record.time_ns.unwrap_or(0));
            match record.body {
                RecordBody::Sample(sample) => {
                    let event = record.event.unwrap().0 as usize;
                    recording.sample(&names[event], is_tracepoint[event], &sample);
                }
                RecordBody::Mmap(mapping) if mapping.executable && !mapping.kernel => {
                    recording.mappings.push(Mapping {
                        pid: mapping.pid.cast_unsigned(),
                        start: mapping.address,
                        size_bytes: mapping.length,
                        file_offset: mapping.file_offset,
                        path: String::from_utf8_lossy(mapping.path).into_owned(),
                        has_build_id: !mapping.build_id.is_empty(),
                    });
                }
                RecordBody::Comm {
                    tid, name, exec, ..
                } => {
                    let name = String::from_utf8_lossy(name).into_owned();
                    recording.names.push((tid.cast_unsigned(), name, exec));
                }
                RecordBody::Switch { .. } => recording.switch_records += 1,
                _ => {}
            }
        }
        recording.faults = reader
            .faults()
            .iter()
            .map(|fault| format!("{:?} × {}: {}", fault.kind, fault.count, fault.detail))
            .collect();
        recording
    }

    fn sample(&mut self, event: &str, is_tracepoint: bool, sample: &Sample<'_>) {
        *self.samples.entry(event.to_owned()).or_default() += 1;
        if sample.has_callchain() {
            self.stacks.push(stack(event, sample));
        }
        let (raw, endian) = (sample.raw, sample.endian);
        match event {
            EVENT_EXEC => self.execs.push(Exec::decode(raw, endian).unwrap()),
            EVENT_EXIT => self.exits.push(Exit::decode(raw, endian).unwrap()),
            EVENT_AFFINITY => self.affinities.push(Affinity::decode(raw, endian).unwrap()),
            EVENT_PROCESS_MEMORY => self
                .memory
                .push(ProcessMemory::decode(raw, endian).unwrap()),
            EVENT_THREAD => self.states.push(ThreadState::decode(raw, endian).unwrap()),
            EVENT_SYSTEM_CALLS => {
                let calls = SystemCalls::decode(raw, endian).unwrap();
                self.system_calls.push(calls);
            }
            EVENT_MARK => {
                let mark = Mark::decode(raw, endian).unwrap();
                self.marks.push((mark, sample.time_ns().unwrap()));
            }
            EVENT_WAIT_OBJECT => {
                let object = WaitObject::decode(raw, endian).unwrap();
                let tid = sample.tid().unwrap().cast_unsigned();
                self.wait_objects.push((object, tid));
            }
            EVENT_FILE_NAME => {
                let name = FileName::decode(raw, endian).unwrap();
                self.file_names.insert(name.number, name);
            }
            EVENT_FILE_CALLS => {
                let calls = FileCalls::decode(raw, endian).unwrap();
                for call in &calls.calls {
                    let name = self.file_names[&call.file].clone();
                    self.file_calls.push((calls.pid, calls.tid, name, *call));
                }
            }
            EVENT_SINGLE_FILE_CALLS => {
                let calls = SingleFileCalls::decode(raw, endian).unwrap();
                for call in &calls.calls {
                    let name = self.file_names[&call.file].clone();
                    let other = (call.other != 0).then(|| self.file_names[&call.other].clone());
                    self.single_file_calls
                        .push((calls.pid, calls.tid, name, other, *call));
                }
            }
            EVENT_USER_STACK => {
                let tid = sample.tid().unwrap().cast_unsigned();
                self.user_stacks
                    .push((UserStack::decode(raw, endian).unwrap(), tid));
            }
            _ if is_tracepoint => self.raws.push(Raw {
                event: event.to_owned(),
                cpu: sample.cpu().unwrap(),
                time_ns: sample.time_ns().unwrap(),
                bytes: raw.to_vec(),
                has_chain: !sample.callchain.is_empty(),
            }),
            _ => {}
        }
    }

    /// The value of a key of the info section.
    pub(crate) fn info(&self, key: &str) -> Option<&str> {
        let mut lines = self.info.iter();
        lines
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }

    /// Samples of an event.
    pub(crate) fn count(&self, event: &str) -> u64 {
        self.samples.get(event).copied().unwrap_or(0)
    }

    /// The process whose command line has this word.
    pub(crate) fn process_with(&self, word: &str) -> Option<u32> {
        let has_word = |exec: &&Exec| {
            exec.arguments
                .split(|&byte| byte == 0)
                .any(|argument| argument == word.as_bytes())
        };
        self.execs.iter().rfind(has_word).map(|exec| exec.pid)
    }
}

fn stack(event: &str, sample: &Sample<'_>) -> Stack {
    const USER: u64 = (-512_i64).cast_unsigned();
    let chain: Vec<u64> = sample.callchain.iter().collect();
    let (frames, markers) = UserStackEnd::split(&chain);
    let user_start = frames.iter().position(|&ip| ip == USER);
    let addresses = |part: &[u64]| {
        part.iter()
            .copied()
            .filter(|&ip| !whyslow_perfdata::Callchain::is_marker(ip))
            .collect()
    };
    Stack {
        event: event.to_owned(),
        tid: sample.tid().unwrap().cast_unsigned(),
        time_ns: sample.time_ns().unwrap(),
        user: user_start.map_or_else(Vec::new, |start| addresses(&frames[start..])),
        kernel: addresses(&frames[..user_start.unwrap_or(frames.len())]),
        end: user_start.map(|_| UserStackEnd::from_number(markers).unwrap()),
    }
}
