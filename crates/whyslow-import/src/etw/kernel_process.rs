//! Processes, threads and images as the kernel's manifest provider tells of them,
//! Microsoft-Windows-Kernel-Process: sessions without the kernel's own events often have these.
//!
//! What the trace has the kernel's own events of is taken from those alone, as they say more: the
//! survey finds out which. Events (source: the provider's manifest): 1 and 2 start and stop a process,
//! 15 tells of one that is there already, 3 and 4 start and stop a thread, 5 and 6 load and unload an
//! image. Real traces have them of Windows 7 and 8; of threads and images that are there already the
//! provider tells nothing.

use whyslow_etl::tracelogging::What;
use whyslow_etl::{Descriptor, Guid, Record, Utf16, Value, providers};

use super::Frontend;
use super::images::{Change, ImageTold};
use super::lives::{Moment, SYSTEM_PID};
use crate::event::ProcessFacts;

/// Microsoft-Windows-Kernel-Process.
pub(super) const KERNEL_PROCESS: Guid = Guid::new(
    0x22fb_2cd6,
    0x0e7b,
    0x422b,
    [0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16],
);

/// What the kernel tells of in events of its own.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OwnEvents {
    pub(super) processes: bool,
    pub(super) threads: bool,
    pub(super) images: bool,
}

impl OwnEvents {
    /// Takes note of an event of the kernel.
    pub(super) fn see(&mut self, group: u8, opcode: u8) {
        match (group, opcode) {
            (0x03, 1..=4) => self.processes = true,
            (0x05, 1..=4) => self.threads = true,
            (0x14, 2..=4 | 10) => self.images = true,
            _ => {}
        }
    }

    /// Returns whether it tells of everything that the manifest provider tells of.
    pub(super) fn is_all(self) -> bool {
        self.processes && self.threads && self.images
    }
}

/// The fields of an event, by name.
struct Fields<'a>(Vec<(String, Value<'a>)>);

impl<'a> Fields<'a> {
    fn of(record: &Record<'a>, of: &Descriptor) -> Option<Self> {
        let items = providers::schema(of)?.items(record.payload(), record.pointer_size());
        let values = items.filter_map(|item| match item.what {
            What::Value(value) => Some((item.name.to_string(), value)),
            _ => None,
        });
        Some(Self(values.collect()))
    }

    fn value(&self, name: &str) -> Option<Value<'a>> {
        let mut all = self.0.iter();
        Some(all.find(|(of, _)| of == name)?.1)
    }

    fn id(&self, name: &str) -> Option<u32> {
        u32::try_from(self.value(name)?.as_u64()?).ok()
    }
}

impl Frontend<'_> {
    /// Takes an event of the provider.
    pub(super) fn kernel_process(&mut self, record: &Record<'_>, of: &Descriptor) {
        let own = self.own_events;
        let is_wanted = match of.id {
            1 | 2 | 15 => !own.processes,
            3 | 4 => !own.threads,
            5 | 6 => !own.images,
            _ => false,
        };
        if !is_wanted {
            return;
        }
        self.seen.told_processes |= matches!(of.id, 1 | 2 | 15);
        let Some(fields) = Fields::of(record, of) else {
            return;
        };
        let taken = match of.id {
            1 => self.told_process(record, Moment::Start, &fields),
            2 => self.told_process(record, Moment::End, &fields),
            15 => self.told_process(record, Moment::There, &fields),
            3 => self.told_thread(record, Moment::Start, &fields),
            4 => self.told_thread(record, Moment::End, &fields),
            5 => self.told_image(record, Change::Load, &fields),
            _ => self.told_image(record, Change::Unload, &fields),
        };
        if taken.is_none() {
            self.bad(record, "a process, thread or image");
        }
    }

    fn told_process(
        &mut self,
        record: &Record<'_>,
        moment: Moment,
        fields: &Fields<'_>,
    ) -> Option<()> {
        let pid = fields.id("ProcessID")?;
        let is_unnamed = self.known_process(pid, moment == Moment::Start);
        // Whole paths but for an end, which has the beginning of the name.
        let image = fields.value("ImageName")?.to_string();
        let name = image.rsplit('\\').next().unwrap_or_default();
        let has_name = !name.is_empty() && (moment != Moment::End || is_unnamed);
        let path = self.importer.text(&image);
        let path = path.filter(|_| name.len() < image.len());
        let session = fields.id("SessionID");
        let exit_code = fields.id("ExitCode").map(u32::cast_signed);
        let facts = ProcessFacts {
            pid,
            ppid: fields.id("ParentProcessID"),
            name: self.importer.text(name).filter(|_| has_name),
            path,
            session: session.and_then(|session| i32::try_from(session).ok()),
            exit_code: exit_code.filter(|_| moment == Moment::End),
            is_kernel: (pid == SYSTEM_PID).then_some(true),
            ..ProcessFacts::default()
        };
        if path.is_some() {
            self.path_told(pid);
        }
        self.push_process(record, moment, facts);
        Some(())
    }

    fn told_thread(
        &mut self,
        record: &Record<'_>,
        moment: Moment,
        fields: &Fields<'_>,
    ) -> Option<()> {
        let (pid, tid) = (fields.id("ProcessID")?, fields.id("ThreadID")?);
        self.push_thread(record, moment, (pid, tid), None);
        Some(())
    }

    fn told_image(
        &mut self,
        record: &Record<'_>,
        change: Change,
        fields: &Fields<'_>,
    ) -> Option<()> {
        let path = match fields.value("ImageName")? {
            Value::Utf16(path) => path,
            _ => Utf16::default(),
        };
        let image = ImageTold {
            pid: fields.id("ProcessID")?,
            base: fields.value("ImageBase")?.as_u64()?,
            size: fields.value("ImageSize")?.as_u64()?,
            time_stamp: fields.id("TimeDateStamp").unwrap_or(0),
            path,
        };
        self.image_told(record, change, record.pointer_size(), &image);
        Some(())
    }
}
