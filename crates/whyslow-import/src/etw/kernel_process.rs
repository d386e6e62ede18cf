//! Processes, threads and images as reported by the kernel's manifest provider,
//! Microsoft-Windows-Kernel-Process. Sessions without the kernel's own events often have these.
//!
//! Where the trace has the kernel's own events of a kind, only those are read, because they have
//! more data; the prescan finds out which. Events (source: the provider's manifest): 1 and 2 start
//! and stop a process, 15 reports an existing process, 3 and 4 start and stop a thread, 5 and 6
//! load and unload an image. Real traces have these events from Windows 7 and 8. The provider does
//! not report existing threads and images.

use whyslow_etl::{Descriptor, Guid, Record, Utf16, Value};

use super::emitter::Emitter;
use super::images::{Change, ImageFacts, Images};
use super::prescan::OwnEvents;
use super::processes_and_threads::{Moment, Processes, SYSTEM_PID, push_process, push_thread};
use crate::event::ProcessFacts;
use crate::payload::etw::Fields;

/// Microsoft-Windows-Kernel-Process.
pub(super) const KERNEL_PROCESS: Guid = Guid::new(
    0x22fb_2cd6,
    0x0e7b,
    0x422b,
    [0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16],
);

/// Events that are used.
pub(super) const IDS: &[u16] = &[1, 2, 3, 4, 5, 6, 15];

/// What the provider reported.
#[derive(Debug)]
pub(super) struct KernelProcess {
    own: OwnEvents,
    has_processes: bool,
}

impl KernelProcess {
    /// Returns a tracker that leaves out what the kernel reports in events of its own.
    pub(super) fn new(own: OwnEvents) -> Self {
        Self {
            own,
            has_processes: false,
        }
    }

    /// Returns whether its events are the trace's only ones of some kind.
    pub(super) fn is_used(&self) -> bool {
        !self.own.is_all()
    }

    /// Returns whether it reported any process.
    pub(super) fn has_processes(&self) -> bool {
        self.has_processes
    }

    /// Takes an event of the provider.
    pub(super) fn take(
        &mut self,
        record: &Record<'_>,
        of: &Descriptor,
        (processes, images): (&mut Processes, &mut Images),
        out: &mut Emitter<'_>,
    ) {
        let is_wanted = match of.id {
            1 | 2 | 15 => !self.own.processes,
            3 | 4 => !self.own.threads,
            _ => !self.own.images,
        };
        if !is_wanted {
            return;
        }
        self.has_processes |= matches!(of.id, 1 | 2 | 15);
        let Some(fields) = Fields::of_provider(record, of) else {
            return;
        };
        let taken = match of.id {
            1 => process(record, Moment::Start, &fields, (processes, out)),
            2 => process(record, Moment::End, &fields, (processes, out)),
            15 => process(record, Moment::There, &fields, (processes, out)),
            3 => thread(record, Moment::Start, &fields, out),
            4 => thread(record, Moment::End, &fields, out),
            _ => image(&fields).map(|facts| {
                let change = match of.id {
                    5 => Change::Load,
                    _ => Change::Unload,
                };
                let how = (change, record.pointer_size());
                images.take(record, how, &facts, (processes, out));
            }),
        };
        if taken.is_none() {
            out.bad(record, "a process, thread or image");
        }
    }
}

fn process(
    record: &Record<'_>,
    moment: Moment,
    fields: &Fields<'_>,
    (processes, out): (&mut Processes, &mut Emitter<'_>),
) -> Option<()> {
    let pid = fields.id("ProcessID")?;
    let is_unnamed = processes.note(pid, moment == Moment::Start, out);
    // These are whole paths, except in a process's end, which has only the beginning of the name.
    let image = fields.value("ImageName")?.to_string();
    let name = image.rsplit('\\').next().unwrap_or_default();
    let has_name = !name.is_empty() && (moment != Moment::End || is_unnamed);
    let path = out.any_text(&image);
    let path = path.filter(|_| name.len() < image.len());
    let session = fields.id("SessionID");
    let exit_code = fields.id("ExitCode").map(u32::cast_signed);
    let ppid = fields.id("ParentProcessID");
    let is_parent_gone = match ppid {
        Some(ppid) if moment == Moment::There => processes.list(pid, ppid, false),
        _ => false,
    };
    let start_ns = match fields.value("CreateTime") {
        Some(Value::Time(time)) if time.0 > 0 && moment != Moment::Start => Some(out.wall_ns(time)),
        _ => None,
    };
    let facts = ProcessFacts {
        pid,
        ppid,
        start_ns,
        is_parent_gone,
        name: out.any_text(name).filter(|_| has_name),
        path,
        session: session.and_then(|session| i32::try_from(session).ok()),
        exit_code: exit_code.filter(|_| moment == Moment::End),
        is_kernel: (pid == SYSTEM_PID).then_some(true),
        ..ProcessFacts::default()
    };
    if path.is_some() {
        processes.has_path(pid);
    }
    push_process(record, moment, facts, out);
    Some(())
}

fn thread(
    record: &Record<'_>,
    moment: Moment,
    fields: &Fields<'_>,
    out: &mut Emitter<'_>,
) -> Option<()> {
    let (pid, tid) = (fields.id("ProcessID")?, fields.id("ThreadID")?);
    push_thread(record, moment, (pid, tid), None, out);
    Some(())
}

fn image<'a>(fields: &Fields<'a>) -> Option<ImageFacts<'a>> {
    let path = match fields.value("ImageName")? {
        Value::Utf16(path) => path,
        _ => Utf16::default(),
    };
    Some(ImageFacts {
        pid: fields.id("ProcessID")?,
        base: fields.value("ImageBase")?.as_u64()?,
        size: fields.value("ImageSize")?.as_u64()?,
        time_stamp: fields.id("TimeDateStamp").unwrap_or(0),
        path,
    })
}
