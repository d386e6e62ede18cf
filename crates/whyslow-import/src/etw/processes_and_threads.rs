//! Processes and threads: starts, ends, and those listed at the start and end of the session.

use std::collections::HashMap;

use whyslow_etl::kernel::hooks::{Hook, process, thread};
use whyslow_etl::kernel::{Process as KernelProcess, Thread as KernelThread};
use whyslow_etl::{Record, Value};
use whyslow_settle::TextId;

use super::emitter::Emitter;
use crate::event::{EventKind, ProcessFacts};
use crate::payload::etw::Fields;
use whyslow_etl::kernel::KernelRecord;

/// The idle process: its threads are identified by their CPU.
const IDLE_PID: u32 = 0;
/// The process of the kernel's own threads.
pub(super) const SYSTEM_PID: u32 = 4;
/// Bytes that the kernel keeps of an image's name.
const SHORT_NAME: usize = 14;

/// When a process or thread exists, according to an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Start,
    End,
    /// It was there at the start or end of the session.
    There,
}

impl Moment {
    fn of(hook: Hook) -> Self {
        match hook {
            process::START | thread::START => Self::Start,
            process::STOP | thread::STOP => Self::End,
            _ => Self::There,
        }
    }
}

/// Maximum number of programs kept among the images of a process without a name.
const MOST_PROGRAMS: usize = 8;

/// What is known of a process.
#[derive(Debug, Default)]
struct Known {
    has_path: bool,
    /// The name of its image, or its beginning.
    name: Option<String>,
    /// Programs among its images, until its name says which one it is.
    programs: Vec<Program>,
}

/// A program among the images of a process.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) path: TextId,
    /// The last part of the path.
    pub(super) file: String,
    /// When it was loaded; `None` is before the trace.
    pub(super) from_ns: Option<i64>,
}

/// The processes that are known.
#[derive(Debug)]
pub(super) struct Processes {
    known: HashMap<u32, Known>,
    /// The places of processes in the lists at the start and end of the session, which are in order
    /// of creation.
    listed: [HashMap<u32, usize>; 2],
    most: usize,
    has_command_lines: bool,
}

impl Processes {
    /// Returns an empty set, limited to about `most` processes.
    pub(super) fn new(most: usize) -> Self {
        Self {
            known: HashMap::new(),
            listed: Default::default(),
            most,
            has_command_lines: false,
        }
    }

    /// Returns whether any process has a command line.
    pub(super) fn have_command_lines(&self) -> bool {
        self.has_command_lines
    }

    /// Notes a process; returns whether the path of its executable is still unknown.
    pub(super) fn note(&mut self, pid: u32, is_new: bool, out: &mut Emitter<'_>) -> bool {
        if is_new {
            if let Some(gone) = self.known.insert(pid, Known::default()) {
                gone.settle_for_first(pid, out);
            }
            return true;
        }
        if let Some(known) = self.known.get(&pid) {
            return !known.has_path;
        }
        if self.known.len() >= self.most {
            return false;
        }
        self.known.insert(pid, Known::default());
        let facts = ProcessFacts {
            pid,
            ..ProcessFacts::default()
        };
        out.push_untimed(EventKind::Process(facts));
        true
    }

    /// Notes that the path of a process's executable is known.
    pub(super) fn has_path(&mut self, pid: u32) {
        let known = self.known.entry(pid).or_default();
        (known.has_path, known.programs) = (true, Vec::new());
    }

    /// Takes the name of a process: the program with this name among its images is its executable.
    fn name(&mut self, pid: u32, name: &str, out: &mut Emitter<'_>) {
        let Some(known) = self.known.get_mut(&pid).filter(|_| !name.is_empty()) else {
            return;
        };
        known.name = Some(name.to_owned());
        let programs = std::mem::take(&mut known.programs);
        for program in programs {
            self.program(pid, program, out);
        }
    }

    /// Takes a program among the images of a process.
    pub(super) fn program(&mut self, pid: u32, program: Program, out: &mut Emitter<'_>) {
        let lacks_path = self.note(pid, false, out);
        let Some(known) = self.known.get_mut(&pid).filter(|_| lacks_path) else {
            return;
        };
        match &known.name {
            Some(name) if is_called(&program.file, name) => {
                known.has_path = true;
                program.push(pid, out);
            }
            None if known.programs.len() < MOST_PROGRAMS => known.programs.push(program),
            _ => {}
        }
    }

    /// Emits the paths of processes whose name never came: the first program of each.
    pub(super) fn finish(&mut self, out: &mut Emitter<'_>) {
        let mut left: Vec<_> = self.known.drain().collect();
        left.sort_unstable_by_key(|(pid, _)| *pid);
        for (pid, known) in left {
            known.settle_for_first(pid, out);
        }
    }

    /// Notes a process in one of the lists; returns whether its parent must have ended. A process
    /// that has the parent's id but was created later is a different process.
    pub(super) fn list(&mut self, pid: u32, ppid: u32, is_at_end: bool) -> bool {
        let [at_start, at_end] = &mut self.listed;
        let listed = if is_at_end { at_end } else { at_start };
        if listed.len() >= self.most {
            return false;
        }
        let next = listed.len();
        let own = *listed.entry(pid).or_insert(next);
        listed.get(&ppid).is_none_or(|&parent| parent > own)
    }

    /// Takes an event of a process.
    pub(super) fn process(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        let record = of.record;
        let Some(process) = KernelProcess::read(record.payload(), of.version, of.pointer()) else {
            return out.bad(record, "a process");
        };
        let (pid, ppid) = (process.process_id, process.parent_id);
        let moment = Moment::of(of.hook);
        let is_parent_gone = match moment {
            Moment::There => self.list(pid, ppid, of.hook == process::DC_STOP),
            _ => false,
        };
        if pid == IDLE_PID {
            return;
        }
        self.note(pid, moment == Moment::Start, out);
        let command_line = process.command_line.to_string();
        let name = full_name(&process.image.to_string(), &command_line);
        let user = Value::Sid(process.sid).to_string();
        let facts = ProcessFacts {
            pid,
            ppid: Some(ppid),
            is_parent_gone,
            name: out.text(&name),
            command_line: out.text(&command_line),
            user: out.text(&user),
            session: i32::try_from(process.session_id).ok(),
            exit_code: (moment == Moment::End).then_some(process.exit_code),
            is_kernel: (pid == SYSTEM_PID).then_some(true),
            ..ProcessFacts::default()
        };
        self.has_command_lines |= facts.command_line.is_some();
        push_process(record, moment, facts, out);
        self.name(pid, &name, out);
    }
}

impl Known {
    /// Takes the first program as that of the process, where nothing gave the process's name.
    fn settle_for_first(self, pid: u32, out: &mut Emitter<'_>) {
        if let Some(first) = self.programs.into_iter().next() {
            first.push(pid, out);
        }
    }
}

impl Program {
    fn push(self, pid: u32, out: &mut Emitter<'_>) {
        let facts = EventKind::Process(ProcessFacts {
            pid,
            path: Some(self.path),
            ..ProcessFacts::default()
        });
        match self.from_ns {
            Some(ns) => out.push_at(ns, facts),
            None => out.push_untimed(facts),
        }
    }
}

/// Returns whether a file is the image of a process with this name, which may be cut off.
fn is_called(file: &str, name: &str) -> bool {
    let start = file.get(..name.len());
    let begins = start.is_some_and(|start| start.eq_ignore_ascii_case(name));
    begins && (file.len() == name.len() || name.len() >= SHORT_NAME)
}

/// Queues what an event says about a process.
pub(super) fn push_process(
    record: &Record<'_>,
    moment: Moment,
    facts: ProcessFacts,
    out: &mut Emitter<'_>,
) {
    let (pid, parent_pid) = (facts.pid, facts.ppid);
    match moment {
        Moment::Start => {
            out.push(record, EventKind::ProcessStart { parent_pid, pid });
            out.push(record, EventKind::Process(facts));
        }
        Moment::End => {
            out.push(record, EventKind::Process(facts));
            out.push(record, EventKind::ProcessEnd { pid });
        }
        Moment::There => out.push_untimed(EventKind::Process(facts)),
    }
}

/// Takes an event of a thread.
pub(super) fn thread(of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
    let record = of.record;
    let (payload, pointer) = (record.payload(), record.pointer_size());
    let Some(thread) = KernelThread::read(payload, of.version, pointer) else {
        return out.bad(record, "a thread");
    };
    let (pid, tid) = (thread.process_id, thread.thread_id);
    if pid == IDLE_PID {
        return;
    }
    let name = out.text(&thread.name.to_string());
    push_thread(record, Moment::of(of.hook), (pid, tid), name, out);
}

/// Queues what an event says about a thread.
pub(super) fn push_thread(
    record: &Record<'_>,
    moment: Moment,
    (pid, tid): (u32, u32),
    name: Option<TextId>,
    out: &mut Emitter<'_>,
) {
    match moment {
        Moment::Start => {
            out.push(record, EventKind::ThreadStart { pid, tid });
            if let Some(name) = name {
                out.push(record, EventKind::Rename { pid, tid, name });
            }
        }
        Moment::End => {
            // For a thread older than the trace, this may be the only event.
            out.push_untimed_behind(record, EventKind::ThreadSeen { pid, tid, name });
            out.push(record, EventKind::Exit { pid, tid });
        }
        Moment::There => out.push_untimed(EventKind::ThreadSeen { pid, tid, name }),
    }
}

/// Takes the name that a program gave to a thread.
pub(super) fn thread_name(of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
    let fields = Fields::of(of.record);
    let id = |name| u32::try_from(fields.number(name)?).ok();
    let ids = (id("ProcessId"), id("ThreadId"));
    let Some(name) = fields.value("ThreadName") else {
        return;
    };
    let (pid, tid) = (ids.0.unwrap_or(0), ids.1.unwrap_or(0));
    // An empty name removes the old one.
    if let Some(name) = out.any_text(&name.to_string()) {
        out.push(of.record, EventKind::Rename { pid, tid, name });
    }
}

/// Returns the name of a process's image: events have only its beginning, the command line has all
/// of it.
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
