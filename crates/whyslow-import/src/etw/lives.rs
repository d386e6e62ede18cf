//! Processes and threads: starts, ends, and what was there at the start and end of the session.

use whyslow_etl::kernel::{Process as KernelProcess, Thread as KernelThread};
use whyslow_etl::{Record, Value};

use super::Frontend;
use crate::event::{Event, EventKind, ProcessFacts};
use crate::text::TextId;

/// The idle process: its threads are known by their CPU.
const IDLE_PID: u32 = 0;
/// The process of the kernel's own threads.
pub(super) const SYSTEM_PID: u32 = 4;
/// Bytes that the kernel keeps of an image's name.
const SHORT_NAME: usize = 14;

/// What an event of a process or thread tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Start,
    End,
    /// It was there at the start or end of the session.
    There,
}

impl Moment {
    fn of(opcode: u8) -> Self {
        match opcode {
            1 => Self::Start,
            2 => Self::End,
            _ => Self::There,
        }
    }
}

impl Frontend<'_> {
    pub(super) fn process(&mut self, record: &Record<'_>, hook: (u8, u8, u16)) {
        let (_, opcode, version) = hook;
        let pointer = super::pointer_of(record, hook);
        let Some(process) = KernelProcess::read(record.payload(), version, pointer) else {
            return self.bad(record, "a process");
        };
        let pid = process.process_id;
        if pid == IDLE_PID {
            return;
        }
        let moment = Moment::of(opcode);
        self.known_process(pid, moment == Moment::Start);
        let command_line = process.command_line.to_string();
        let name = full_name(&process.image.to_string(), &command_line);
        let user = Value::Sid(process.sid).to_string();
        let mut text = |text: &str| match text {
            "" => None,
            text => self.importer.text(text),
        };
        let facts = ProcessFacts {
            pid,
            ppid: Some(process.parent_id),
            name: text(&name),
            command_line: text(&command_line),
            user: text(&user),
            session: i32::try_from(process.session_id).ok(),
            exit_code: (moment == Moment::End).then_some(process.exit_code),
            is_kernel: (pid == SYSTEM_PID).then_some(true),
            ..ProcessFacts::default()
        };
        self.seen.command_lines |= facts.command_line.is_some();
        self.push_process(record, moment, facts);
    }

    pub(super) fn push_process(
        &mut self,
        record: &Record<'_>,
        moment: Moment,
        facts: ProcessFacts,
    ) {
        let (pid, parent_pid) = (facts.pid, facts.ppid);
        match moment {
            Moment::Start => {
                self.push(record, EventKind::ProcessStart { parent_pid, pid });
                self.push(record, EventKind::Process(facts));
            }
            Moment::End => {
                self.push(record, EventKind::Process(facts));
                self.push(record, EventKind::ProcessEnd { pid });
            }
            Moment::There => self.push_untimed(EventKind::Process(facts)),
        }
    }

    pub(super) fn thread(&mut self, record: &Record<'_>, opcode: u8, version: u16) {
        let (payload, pointer) = (record.payload(), record.pointer_size());
        let Some(thread) = KernelThread::read(payload, version, pointer) else {
            return self.bad(record, "a thread");
        };
        let (pid, tid) = (thread.process_id, thread.thread_id);
        if pid == IDLE_PID {
            return;
        }
        let name = (!thread.name.is_empty()).then(|| thread.name.to_string());
        let name = name.and_then(|name| self.importer.text(&name));
        self.push_thread(record, Moment::of(opcode), (pid, tid), name);
    }

    pub(super) fn push_thread(
        &mut self,
        record: &Record<'_>,
        moment: Moment,
        (pid, tid): (u32, u32),
        name: Option<TextId>,
    ) {
        match moment {
            Moment::Start => {
                self.push(record, EventKind::ThreadStart { pid, tid });
                if let Some(name) = name {
                    self.push(record, EventKind::Rename { pid, tid, name });
                }
            }
            Moment::End => {
                // Of a thread that was there before the trace, this may be all that tells.
                let seen = Event {
                    time_ns: None,
                    cpu: None,
                    kind: EventKind::ThreadSeen { pid, tid, name },
                };
                self.queue.push(record.raw_time, seen);
                self.push(record, EventKind::Exit { pid, tid });
            }
            Moment::There => self.push_untimed(EventKind::ThreadSeen { pid, tid, name }),
        }
    }

    /// Takes the name that a program gave to a thread.
    pub(super) fn thread_name(
        &mut self,
        record: &Record<'_>,
        (group, opcode, version): (u8, u8, u16),
    ) {
        let event = whyslow_etl::kernel::event(group, opcode, version);
        let fields = event.map(|event| event.fields(record.payload(), record.pointer_size()));
        let mut ids = [0; 2];
        for (number, (_, value)) in fields.into_iter().flatten().enumerate() {
            match (value, ids.get_mut(number)) {
                (Value::Utf16(name), _) => {
                    let [pid, tid] = ids;
                    if let Some(name) = self.importer.text(&name.to_string()) {
                        self.push(record, EventKind::Rename { pid, tid, name });
                    }
                }
                (value, Some(id)) => {
                    *id = value
                        .as_u64()
                        .and_then(|id| u32::try_from(id).ok())
                        .unwrap_or(0);
                }
                _ => {}
            }
        }
    }
}

/// Returns the name of a process's image: events have the beginning of it, the command line all.
fn full_name(short: &str, command_line: &str) -> String {
    let program = match command_line.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => command_line.split(' ').next(),
    };
    let file = program.unwrap_or_default().rsplit(['\\', '/']).next();
    let starts = |file: &&str| {
        let start = file.get(..short.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(short))
    };
    match file.filter(starts) {
        Some(file) if short.len() >= SHORT_NAME => file.to_owned(),
        _ => short.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_completes_a_short_name() {
        let long = r#""C:\Program Files\x\ServiceHub.RoslynHost.exe" -p 7"#;
        assert_eq!(
            full_name("ServiceHub.Ros", long),
            "ServiceHub.RoslynHost.exe"
        );
        assert_eq!(full_name("cmd.exe", "cmd.exe.bat /c"), "cmd.exe");
        assert_eq!(full_name("ServiceHub.Ros", ""), "ServiceHub.Ros");
        assert_eq!(
            full_name("ServiceHub.Ros", r"C:\other.exe"),
            "ServiceHub.Ros"
        );
    }
}
