//! Events and sections that only Whyslow's own recorder writes; `whyslow_perfdata` describes them.

mod files;
mod goroutine;
mod mark;
mod network;
mod process_memory;

use whyslow_model::WaitReason;
use whyslow_model::tables::FactRow;
use whyslow_perfdata::whyslow_events::{
    Affinity, CodeLanguage, CodeObject, DnsPacket, EVENT_AFFINITY, EVENT_CODE, EVENT_DNS_PACKET,
    EVENT_EXEC, EVENT_EXIT, EVENT_FILE_CALLS, EVENT_FILE_NAME, EVENT_GOROUTINE, EVENT_GROUP,
    EVENT_GROUP_MEMBER, EVENT_MARK, EVENT_NAME_LOOKUP, EVENT_PROCESS_MEMORY,
    EVENT_SINGLE_FILE_CALLS, EVENT_SYSTEM_CALLS, EVENT_TCP, EVENT_THREAD, EVENT_USER_STACK,
    EVENT_WAIT_OBJECT, Exec, ExecSource, Exit, FEATURE_INFO, FileCalls, FileName, GroupMember,
    GroupReading, Mark, NameLookup, ProcessMemory, SingleFileCalls, SystemCalls, TcpReport,
    ThreadState, UserStack, UserStackEnd, UserStackKind, WaitObject,
};
use whyslow_perfdata::{Endian, Features, Record, Sample};
use whyslow_stacks::{HalfRef, StackRef};

use super::{Frontend, time};
use crate::error::Error;
use crate::event::{
    Event, EventKind, Mapping, OperationEvent, ProcessFacts, Snapshot, UserHalf, UserTarget,
};
use crate::operations::{CountedCalls, Operation, SampledCall};
use crate::payload::perf::lossy;
use process_memory::memory_of;
use whyslow_settle::{Module, ModuleKind};

/// The events of Whyslow's own recorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    UserStack,
    Exec,
    Exit,
    Thread,
    Affinity,
    SystemCalls,
    GroupMember,
    Group,
    Code,
    Goroutine,
    WaitObject,
    FileCalls,
    FileName,
    SingleFileCalls,
    Mark,
    Tcp,
    DnsPacket,
    NameLookup,
    ProcessMemory,
}

impl Own {
    /// Returns whether it reports a finding of the recorder, not what happened at that time.
    pub(super) fn is_finding(self) -> bool {
        matches!(
            self,
            Self::UserStack
                | Self::WaitObject
                | Self::Thread
                | Self::SystemCalls
                | Self::Group
                | Self::Code
                | Self::Goroutine
                | Self::FileCalls
                | Self::FileName
                | Self::SingleFileCalls
                | Self::Tcp
                | Self::NameLookup
                | Self::ProcessMemory
        )
    }

    /// Returns the event with this name, or `None` if it is not one of the recorder's own.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            EVENT_USER_STACK => Self::UserStack,
            EVENT_EXEC => Self::Exec,
            EVENT_EXIT => Self::Exit,
            EVENT_THREAD => Self::Thread,
            EVENT_AFFINITY => Self::Affinity,
            EVENT_SYSTEM_CALLS => Self::SystemCalls,
            EVENT_GROUP_MEMBER => Self::GroupMember,
            EVENT_GROUP => Self::Group,
            EVENT_CODE => Self::Code,
            EVENT_GOROUTINE => Self::Goroutine,
            EVENT_WAIT_OBJECT => Self::WaitObject,
            EVENT_FILE_CALLS => Self::FileCalls,
            EVENT_FILE_NAME => Self::FileName,
            EVENT_SINGLE_FILE_CALLS => Self::SingleFileCalls,
            EVENT_MARK => Self::Mark,
            EVENT_TCP => Self::Tcp,
            EVENT_DNS_PACKET => Self::DnsPacket,
            EVENT_NAME_LOOKUP => Self::NameLookup,
            EVENT_PROCESS_MEMORY => Self::ProcessMemory,
            _ => return None,
        })
    }
}

/// The recorder's facts: lines of key and value.
#[derive(Debug, Clone, Default)]
pub(super) struct Info {
    lines: Vec<(String, String)>,
    /// Facts left out because of the limit.
    pub(super) refused: u64,
}

/// Maximum number of facts kept: about a hundred, plus one per word of the command line, for which
/// Linux allows 2 MB including the pointers. Each costs its text and, here and in its table, some
/// two hundred bytes.
const MOST_FACTS: usize = 1 << 18;

impl Info {
    /// Reads the facts of a file.
    pub(super) fn read(features: &Features) -> Self {
        features
            .raw(FEATURE_INFO)
            .map_or_else(Self::default, Self::parse)
    }

    fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        let kept = lines.by_ref().take(MOST_FACTS);
        Self {
            lines: kept
                .map(|(key, value)| (key.to_owned(), unescape(value)))
                .collect(),
            refused: lines.map(|_| 1).sum(),
        }
    }

    /// Returns the first value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.all(key).next()
    }

    /// Returns every value of a key.
    pub(super) fn all(&self, key: &str) -> impl Iterator<Item = &str> {
        let lines = self.lines.iter().filter(move |(other, _)| other == key);
        lines.map(|(_, value)| value.as_str())
    }

    /// Returns a value that is a number.
    pub(super) fn number(&self, key: &str) -> Option<i64> {
        self.get(key)?.parse().ok()
    }

    /// Returns the numbers of all keys that begin with `prefix`, with the rest of the key.
    pub(super) fn numbers(&self, prefix: &str) -> impl Iterator<Item = (&str, u64)> {
        self.lines
            .iter()
            .filter_map(move |(key, value)| Some((key.strip_prefix(prefix)?, value.parse().ok()?)))
    }

    /// Returns whether the recorder wrote any.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the rows of the `fact` table.
    pub(super) fn rows(&self) -> Vec<FactRow> {
        let row = |(key, value): &(String, String)| FactRow {
            subject: subject(key).to_owned(),
            key: key.clone(),
            value: value.clone(),
        };
        self.lines.iter().map(row).collect()
    }
}

fn subject(key: &str) -> &'static str {
    const MACHINE: [&str; 10] = [
        "host",
        "system",
        "kernel",
        "kernel_version",
        "cpu_model",
        "cpus_online",
        "cpus_possible",
        "memory_kb",
        "time_zone",
        "utc_offset_s",
    ];
    match key {
        _ if MACHINE.contains(&key) || key.starts_with("boot_") => "machine",
        _ if key.starts_with("command_") => "session",
        "start_ns" | "end_ns" | "scope" => "session",
        _ => "recorder",
    }
}

/// Returns the system call whose stack was taken.
fn sampled_call(tid: u32, payload: &UserStack, user: HalfRef) -> EventKind {
    let sampled = SampledCall {
        tid,
        call: payload.system_call,
        count: payload.sampled_count.into(),
    };
    EventKind::Operation(OperationEvent {
        pid: None,
        tid: Some(tid),
        operation: Operation::from(sampled),
        stack: StackRef {
            user,
            ..StackRef::NONE
        },
    })
}

fn unescape(value: &str) -> String {
    let mut text = String::new();
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, true) => match letters.next() {
                Some('n') => text.push('\n'),
                Some(other) => text.push(other),
                None => text.push('\\'),
            },
            (letter, false) => text.push(letter),
        }
    }
    text
}

impl Frontend<'_> {
    pub(super) fn own(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        own: Own,
    ) -> Result<(), Error> {
        let endian = self.session.endian;
        let event = match own {
            Own::UserStack => self.user_stack(record, sample, endian),
            Own::Exec => self.command_line(record, sample.raw, endian),
            Own::Exit => Some(time(record)).zip(self.exit(sample.raw, endian)),
            Own::Thread => self.snapshot(record, sample, endian),
            Own::Affinity => match Affinity::decode(sample.raw, endian) {
                Some(affinity) => return self.affinity(record, &affinity),
                None => None,
            },
            Own::GroupMember => match GroupMember::decode(sample.raw, endian) {
                Some(member) => return self.group_member(&member),
                None => None,
            },
            Own::WaitObject => match WaitObject::decode(sample.raw, endian) {
                Some(object) => return self.wait_object(record, sample.tid(), &object),
                None => None,
            },
            Own::Group => match GroupReading::decode(sample.raw, endian) {
                Some(reading) => {
                    self.group_reading(record, &reading);
                    return Ok(());
                }
                None => None,
            },
            Own::Goroutine => self.goroutine(record, sample, endian),
            Own::SystemCalls => match SystemCalls::decode(sample.raw, endian) {
                Some(calls) => return self.system_calls(record, &calls),
                None => None,
            },
            Own::Code => match CodeObject::decode(sample.raw, endian) {
                Some(code) => return self.code(record, &code),
                None => None,
            },
            Own::FileCalls => match FileCalls::decode(sample.raw, endian) {
                Some(calls) => return self.file_calls(record, &calls),
                None => None,
            },
            Own::SingleFileCalls => match SingleFileCalls::decode(sample.raw, endian) {
                Some(calls) => return self.single_file_calls(record, &calls),
                None => None,
            },
            Own::Mark => match Mark::decode(sample.raw, endian) {
                Some(mark) => return self.mark(record, &mark),
                None => None,
            },
            Own::Tcp => match TcpReport::decode(sample.raw, endian) {
                Some(report) => return self.tcp(record, &report),
                None => None,
            },
            Own::DnsPacket => match DnsPacket::decode(sample.raw, endian) {
                Some(packet) => return self.dns_packet(record, &packet),
                None => None,
            },
            Own::NameLookup => match NameLookup::decode(sample.raw, endian) {
                Some(lookup) => return self.name_lookup(record, &lookup),
                None => None,
            },
            Own::ProcessMemory => ProcessMemory::decode(sample.raw, endian)
                .map(|told| (time(record), memory_of(&told))),
            Own::FileName => match FileName::decode(sample.raw, endian) {
                Some(name) => {
                    self.file_name(&name);
                    return Ok(());
                }
                None => None,
            },
        };
        match event {
            Some((time_ns, kind)) => {
                let event = Event {
                    time_ns: time_ns.map(|ns| ns.min(self.whole_to_ns)),
                    cpu: record.cpu,
                    kind,
                };
                Ok(self.importer.event(&event)?)
            }
            None => self.bad_payload(record),
        }
    }

    fn user_stack(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        endian: Endian,
    ) -> Option<(Option<i64>, EventKind)> {
        let payload = UserStack::decode(sample.raw, endian)?;
        let tid = u32::try_from(sample.tid()?).ok()?;
        let now = time(record)?;
        let anchor = i64::try_from(payload.anchor_ns).ok().filter(|&ns| ns != 0);
        let target = match payload.kind {
            UserStackKind::Wait => UserTarget::Wait {
                from_ns: anchor,
                is_sampled: payload.sampled_count > 0,
                is_killed: payload.is_exiting,
            },
            UserStackKind::Block => UserTarget::Fault { out_ns: now },
            UserStackKind::Preempted => UserTarget::Preemption { out_ns: now },
            UserStackKind::Waker => UserTarget::Waker {
                woken_tid: payload.other_tid,
                at_ns: now,
            },
            UserStackKind::OpenWait => UserTarget::OpenWait,
            UserStackKind::Call => {
                let user = self.user_half(sample, &payload);
                return Some((Some(now), sampled_call(tid, &payload, user)));
            }
        };
        let half = self.user_half(sample, &payload);
        let half = UserHalf { tid, target, half };
        Some((Some(now), EventKind::UserHalf(half)))
    }

    fn user_half(&mut self, sample: &Sample<'_>, payload: &UserStack) -> HalfRef {
        match payload.end {
            // The innermost frame alone says less than the sample of the same place.
            UserStackEnd::Skipped => HalfRef::Absent,
            _ => self.chains.stack(&mut self.importer, sample.callchain).user,
        }
    }

    /// Exit code or signal, reported by the main thread or the last one.
    fn exit(&mut self, payload: &[u8], endian: Endian) -> Option<EventKind> {
        let exit = Exit::decode(payload, endian)?;
        let number = |user: u32| self.importer.text(&user.to_string());
        let mut facts = ProcessFacts {
            pid: exit.pid,
            user: exit.user.and_then(number),
            ..ProcessFacts::default()
        };
        if exit.is_process || exit.pid == exit.tid {
            let signal = i32::try_from(exit.wait_status & 0x7f).ok()?;
            let code = i32::try_from((exit.wait_status >> 8) & 0xff).ok()?;
            facts.exit_signal = Some(signal).filter(|&signal| signal != 0);
            facts.exit_code = Some(code).filter(|_| signal == 0);
        }
        Some(EventKind::Process(facts))
    }

    fn command_line(
        &mut self,
        record: &Record<'_>,
        payload: &[u8],
        endian: Endian,
    ) -> Option<(Option<i64>, EventKind)> {
        let exec = Exec::decode(payload, endian)?;
        let mut line = command_line(&exec.arguments);
        if exec.is_cut {
            line.push_str(" …");
        }
        let facts = ProcessFacts {
            pid: exec.pid,
            ppid: (exec.parent_pid != 0).then_some(exec.parent_pid),
            command_line: self.importer.text(&line),
            ..ProcessFacts::default()
        };
        // For a process that existed before, the time is when it was read.
        let is_rundown = exec.source == ExecSource::Rundown;
        let time = time(record).filter(|_| !is_rundown);
        Some((time, EventKind::Process(facts)))
    }

    /// A set of CPUs beyond the limit is counted at the limit.
    fn affinity(&mut self, record: &Record<'_>, affinity: &Affinity) -> Result<(), Error> {
        let Some(cpus) = self.importer.cpu_set(&affinity.cpus) else {
            return Ok(());
        };
        let (pid, tid) = (affinity.pid, affinity.tid);
        let event = Event {
            time_ns: time(record).filter(|_| !affinity.is_rundown),
            cpu: record.cpu,
            kind: EventKind::Affinity { pid, tid, cpus },
        };
        Ok(self.importer.event(&event)?)
    }

    /// A function that an interpreter runs: it has the same addresses in every process.
    fn code(&mut self, record: &Record<'_>, code: &CodeObject) -> Result<(), Error> {
        let kind = match code.language {
            CodeLanguage::Python => ModuleKind::Python,
            CodeLanguage::Java => ModuleKind::Java,
            CodeLanguage::JavaScript => ModuleKind::JavaScript,
            CodeLanguage::Ruby => ModuleKind::Ruby,
            CodeLanguage::Php => ModuleKind::Php,
            CodeLanguage::Perl => ModuleKind::Perl,
        };
        // Code that a program generated at run time may have neither.
        let known = |text: &str| match text {
            "" => "?".to_owned(),
            text => text.to_owned(),
        };
        let [name, file] = [&code.name, &code.file].map(|text| known(text));
        let name = told_apart(name, code.first_line);
        let (name, file) = (self.importer.text(&name), self.importer.text(&file));
        let (Some(name), Some(file)) = (name, file) else {
            return Ok(());
        };
        let Some(module) = self.importer.module(Module::new(file, kind)) else {
            return Ok(());
        };
        let mapping = Mapping {
            pid: None,
            module,
            base: code.address,
            size_bytes: code.size(),
            file_offset: code.first_line.into(),
            from_ns: None,
            to_ns: None,
            function: Some(name),
        };
        let event = Event {
            time_ns: None,
            cpu: record.cpu,
            kind: EventKind::Mapping(mapping),
        };
        Ok(self.importer.event(&event)?)
    }

    fn system_calls(&mut self, record: &Record<'_>, calls: &SystemCalls) -> Result<(), Error> {
        let counted = CountedCalls::of(calls);
        self.counted(record, counted.map(|counted| (counted.tid, counted.into())))
    }

    /// Takes operations of threads that the recorder counted and reports together.
    fn counted(
        &mut self,
        record: &Record<'_>,
        counted: impl Iterator<Item = (u32, Operation)>,
    ) -> Result<(), Error> {
        for (tid, operation) in counted {
            let operation = OperationEvent {
                pid: None,
                tid: Some(tid),
                operation,
                stack: StackRef::NONE,
            };
            let event = Event {
                time_ns: time(record).map(|ns| ns.min(self.whole_to_ns)),
                cpu: None,
                kind: EventKind::Operation(operation),
            };
            self.importer.event(&event)?;
        }
        Ok(())
    }

    fn snapshot(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        endian: Endian,
    ) -> Option<(Option<i64>, EventKind)> {
        let state = ThreadState::decode(sample.raw, endian)?;
        let reason = match state.state {
            b'S' => Some(WaitReason::Interruptible),
            b'D' => Some(WaitReason::Uninterruptible),
            b'T' | b't' => Some(WaitReason::Stopped),
            b'I' | b'P' => Some(WaitReason::Idle),
            _ => None,
        };
        let stack = self.chains.stack(&mut self.importer, sample.callchain);
        let snapshot = Snapshot {
            pid: state.pid,
            tid: state.tid,
            at_end: state.at_end,
            reason,
            reason_raw: None,
            stack,
        };
        Some((time(record), EventKind::Snapshot(snapshot)))
    }
}

/// Returns arguments as one line, quoted as a shell needs them.
pub(super) fn command_line(arguments: &[u8]) -> String {
    let arguments = arguments.strip_suffix(&[0]).unwrap_or(arguments);
    // A program that overwrites its arguments leaves zeros behind; a single zero may be an empty
    // argument.
    let end = arguments.iter().rposition(|&byte| byte != 0);
    let used = end.map_or(0, |at| at + 1);
    let arguments = match arguments.len() - used {
        0 | 1 => arguments,
        _ => &arguments[..used],
    };
    let quoted = arguments.split(|&byte| byte == 0).map(|argument| {
        let text = lossy(argument);
        let is_plain = |letter: char| {
            letter.is_alphanumeric() || "-_./=:,+@%^".contains(letter) || !letter.is_ascii()
        };
        if !text.is_empty() && text.chars().all(is_plain) {
            text
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// How a name ends that is not the function's own: any number of functions in a file have it.
const SUBSTITUTES: [&str; 4] = ["(anonymous)", "<lambda>", "{closure}", "__ANON__"];

/// Adds the line in which a function begins that has no name of its own; 0 is not known.
fn told_apart(name: String, first_line: u32) -> String {
    let is_substitute = SUBSTITUTES.iter().any(|end| name.ends_with(end));
    match is_substitute && first_line > 0 {
        true => format!("{name}:{first_line}"),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_where_a_shell_needs_it() {
        assert_eq!(
            command_line(b"sh\0-c\0echo 'a b'\0\0"),
            r"sh -c 'echo '\''a b'\''' ''"
        );
        assert_eq!(command_line(b"/bin/true\0"), "/bin/true");
        assert_eq!(command_line(b"store: idle\0\0\0\0"), "'store: idle'");
        assert_eq!(command_line(b"\0\0\0"), "''");
    }

    #[test]
    fn facts_are_lines_of_key_and_value() {
        let info =
            Info::parse(b"host box\ncommand_argument a b\\n\\\\\ncommand_argument c\nlost.x 7\n");
        assert_eq!(info.get("host"), Some("box"));
        assert_eq!(
            info.all("command_argument").collect::<Vec<_>>(),
            ["a b\n\\", "c"]
        );
        assert_eq!(info.numbers("lost.").collect::<Vec<_>>(), [("x", 7)]);
        assert_eq!(info.refused, 0);
    }

    #[test]
    fn facts_without_number_are_left_out_and_counted() {
        let text = "a b\n".repeat(MOST_FACTS + 3);
        let info = Info::parse(text.as_bytes());
        assert_eq!((info.lines.len(), info.refused), (MOST_FACTS, 3));
    }

    #[test]
    fn functions_without_a_name_are_told_apart_by_their_line() {
        let named = |name: &str, line| told_apart(name.to_owned(), line);
        assert_eq!(named("(anonymous)", 5), "(anonymous):5");
        assert_eq!(
            named("load.<locals>.<lambda>", 7),
            "load.<locals>.<lambda>:7"
        );
        assert_eq!(named("Ledger::{closure}", 9), "Ledger::{closure}:9");
        assert_eq!(named("main::__ANON__", 3), "main::__ANON__:3");
        assert_eq!(named("(anonymous)", 0), "(anonymous)");
        assert_eq!(named("serve", 5), "serve");
    }
}
