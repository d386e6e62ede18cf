//! Requests to file systems: events of the kernel, and those of its manifest provider, whose layouts
//! are the same.

use whyslow_etl::kernel::hooks::{Hook, file_io};
use whyslow_etl::kernel::{FileName, FileRequest as Told, FileRequestEnd, FilterCall, HardFault};
use whyslow_etl::{Descriptor, Guid, Record};
use whyslow_model::{FileCallFlags, FileOperation, windows_calls};
use whyslow_operations::{FILE, FOLDER, FilePhase, FileRequest, FileRequestEvent};
use whyslow_stacks::{HalfRef, Root, StackRef};

use super::emitter::Emitter;
use super::file_names::FileNames;
use crate::event::{EventKind, OperationEvent};
use crate::operations::{FilterEvent, Operation};
use crate::payload::etw::Fields;
use whyslow_etl::kernel::KernelRecord;

/// Microsoft-Windows-Kernel-File.
pub(super) const KERNEL_FILE: Guid = Guid::new(
    0xedd0_8927,
    0x9cc4,
    0x4e65,
    [0xb9, 0x70, 0xc2, 0x56, 0x0f, 0xb5, 0xc2, 0x89],
);

/// Its events that are read, and the kernel's that have the same layout.
const PROVIDED: &[(u16, Hook)] = &[
    (10, file_io::FILE_CREATE),
    (11, file_io::FILE_DELETE),
    (12, file_io::CREATE),
    (13, file_io::CLEANUP),
    (14, file_io::CLOSE),
    (15, file_io::READ),
    (16, file_io::WRITE),
    (17, file_io::SET_INFO),
    (18, file_io::DELETE),
    (19, file_io::RENAME),
    (20, file_io::DIR_ENUM),
    (21, file_io::FLUSH),
    (22, file_io::QUERY_INFO),
    (23, file_io::FS_CONTROL),
    (24, file_io::OPERATION_END),
    (25, file_io::DIR_NOTIFY),
    (26, file_io::DELETE_PATH),
    (27, file_io::RENAME_PATH),
    (28, file_io::SET_LINK_PATH),
    (29, file_io::SET_LINK),
    (30, file_io::CREATE_NEW),
];
pub(super) const PROVIDED_IDS: &[u16] = &[
    10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
];

/// The kernel's events that name files.
pub(super) const NAMES: &[Hook] = &[
    file_io::NAME,
    file_io::FILE_CREATE,
    file_io::FILE_DELETE,
    file_io::FILE_RUNDOWN,
];
/// The kernel's events of requests.
pub(super) const REQUESTS: &[Hook] = &[
    file_io::CREATE,
    file_io::CREATE_NEW,
    file_io::CLEANUP,
    file_io::CLOSE,
    file_io::READ,
    file_io::WRITE,
    file_io::SET_INFO,
    file_io::DELETE,
    file_io::RENAME,
    file_io::DIR_ENUM,
    file_io::FLUSH,
    file_io::QUERY_INFO,
    file_io::FS_CONTROL,
    file_io::OPERATION_END,
    file_io::DIR_NOTIFY,
    file_io::DELETE_PATH,
    file_io::RENAME_PATH,
    file_io::SET_LINK_PATH,
    file_io::SET_LINK,
];
/// The kernel's events of mini-filters.
pub(super) const FILTERS: &[Hook] = &[file_io::PRE_OPERATION, file_io::POST_OPERATION];

/// Options of an opening (`FILE_*`).
const DIRECTORY: u32 = 0x01;
const WRITE_THROUGH: u32 = 0x02;
const NO_BUFFERING: u32 = 0x08;
const NOT_DIRECTORY: u32 = 0x40;

/// Flags of a request (`IRP_*`).
const NO_CACHE: u32 = 0x01;
const PAGING: u32 = 0x02 | 0x40;

/// What is known of files and requests.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) names: FileNames,
    /// The kernel's own events report requests; those of its provider would count twice.
    has_own: bool,
    has_requests: bool,
    /// Faults that read from disks, or mappings, are recorded.
    pub(super) has_parts: bool,
    pub(super) has_filters: bool,
}

impl Files {
    /// Returns what is known before the trace.
    pub(super) fn new(most: u32) -> Self {
        Self {
            names: FileNames::new(most),
            has_own: false,
            has_requests: false,
            has_parts: false,
            has_filters: false,
        }
    }

    /// Returns whether requests are recorded.
    pub(super) fn are_there(&self) -> bool {
        self.has_requests
    }

    /// Returns whether the provider's events are used.
    pub(super) fn uses_provider(&self) -> bool {
        self.has_requests && !self.has_own
    }

    /// Takes an event of the kernel that names a file.
    pub(super) fn name(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        self.take_name(of.record, of.hook, out);
    }

    /// Takes an event of the kernel about a request.
    pub(super) fn request(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        self.has_own = true;
        self.take(of.record, (of.hook, of.version), out);
    }

    /// Takes an event of the manifest's provider.
    pub(super) fn provided(&mut self, record: &Record<'_>, of: &Descriptor, out: &mut Emitter<'_>) {
        let Some(&(_, hook)) = PROVIDED.iter().find(|(id, _)| *id == of.id) else {
            return;
        };
        if NAMES.contains(&hook) {
            return self.take_name(record, hook, out);
        }
        if !self.has_own {
            let version = if of.version == 0 { 2 } else { 3 };
            self.take(record, (hook, version), out);
        }
    }

    fn take_name(&mut self, record: &Record<'_>, hook: Hook, out: &mut Emitter<'_>) {
        let Some(name) = FileName::read(record.payload(), record.pointer_size()) else {
            return out.bad(record, "a file's name");
        };
        self.names
            .name_key(name.file_key, &name.path.to_string(), out);
        if hook == file_io::FILE_DELETE {
            self.names.forget_key(name.file_key);
        }
    }

    fn take(&mut self, record: &Record<'_>, (hook, version): (Hook, u16), out: &mut Emitter<'_>) {
        self.has_requests = true;
        let pointer = record.pointer_size();
        if hook == file_io::OPERATION_END {
            let Some(end) = FileRequestEnd::read(record.payload(), pointer) else {
                return out.bad(record, "the end of a file operation");
            };
            let phase = FilePhase::End {
                result: windows_calls::result(end.status),
                information: end.information,
            };
            return push(record, end.irp, phase, out);
        }
        let Some(told) = Told::read(record.payload(), hook, version, pointer) else {
            return out.bad(record, "a file operation");
        };
        let (operation, major) = operation(hook, &told);
        let is_opening = matches!(hook, file_io::CREATE | file_io::CREATE_NEW);
        let is_path = matches!(
            hook,
            file_io::DELETE_PATH | file_io::RENAME_PATH | file_io::SET_LINK_PATH
        );
        let file = match is_opening {
            true => {
                let path = told.path.to_string();
                self.names.open(told.file_object, &path, out)
            }
            false => self.names.file(told.file_object, told.file_key, out),
        };
        let other = match is_path && hook != file_io::DELETE_PATH && !told.path.is_empty() {
            true => out.file(&told.path.to_string()),
            false => None,
        };
        let is_transfer = matches!(hook, file_io::READ | file_io::WRITE);
        let sized = is_transfer || hook == file_io::DIR_ENUM;
        let tid = Some(told.thread_id).filter(|&tid| tid != u32::MAX && tid != 0);
        let request = FileRequest {
            tid: tid.or(record.thread_id()),
            file,
            other,
            flags: flags(hook, told.flags),
            offset_bytes: is_transfer
                .then(|| i64::try_from(told.offset).ok())
                .flatten(),
            asked_bytes: sized.then_some(i64::from(told.size)),
            kind: kind(hook, told.flags),
            ..FileRequest::of(operation, windows_calls::request(major, told.class))
        };
        let phase = match is_path {
            true => FilePhase::Target(request),
            false => FilePhase::Begin(request),
        };
        push(record, told.irp, phase, out);
        if hook == file_io::CLOSE {
            self.names.release(told.file_object);
        }
    }

    /// Takes a fault that read from a disk.
    pub(super) fn hard_fault(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        let record = of.record;
        let Some(fault) = HardFault::read(record.payload(), record.pointer_size()) else {
            return out.bad(record, "a hard fault");
        };
        self.has_parts = true;
        let request = FileRequest {
            tid: Some(fault.thread_id),
            file: self.names.by_key(fault.file_key, out),
            flags: FileCallFlags::DISK,
            offset_bytes: i64::try_from(fault.offset).ok(),
            asked_bytes: Some(fault.size.into()),
            ..FileRequest::of(FileOperation::Fault, windows_calls::hard_fault())
        };
        let ticks = record.raw_time.saturating_sub(fault.since);
        let is_plausible = ticks >= 0;
        let phase = FilePhase::Whole {
            request,
            duration_ns: is_plausible.then(|| out.clock().duration_ns(ticks)),
        };
        push(record, 0, phase, out);
    }

    /// Takes a file that was mapped into memory.
    pub(super) fn map(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        let Some(key) = Fields::of(of.record).number("FileKey") else {
            return out.bad(of.record, "a mapping of a file");
        };
        self.has_parts = true;
        let request = FileRequest {
            tid: of.record.thread_id(),
            file: self.names.by_key(key, out),
            ..FileRequest::of(FileOperation::Map, windows_calls::mapping())
        };
        let phase = FilePhase::Whole {
            request,
            duration_ns: None,
        };
        push(of.record, 0, phase, out);
    }

    /// Takes a call of a mini-filter's routine that has ended.
    pub(super) fn filter(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        let record = of.record;
        let pointer = record.pointer_size();
        let call = FilterCall::read(record.payload(), of.hook, pointer);
        let Some((call, since)) = call.and_then(|call| Some((call, call.since?))) else {
            return out.bad(record, "a call of a mini-filter");
        };
        self.has_filters = true;
        let ticks = record.raw_time.saturating_sub(since).max(0);
        let routine = out.stack_node(Root::Kernel, &[call.routine]);
        let stack = StackRef {
            kernel: HalfRef::of(routine),
            user: HalfRef::Impossible,
        };
        let event = FilterEvent {
            duration_ns: out.clock().duration_ns(ticks),
            file: self.names.file(call.file_object, call.file_key, out),
            operation: of_major(call.major_function),
            is_after: of.hook == file_io::POST_OPERATION,
        };
        let event = OperationEvent {
            tid: record.thread_id(),
            pid: record.process_id(),
            stack,
            operation: event.into(),
        };
        out.push(record, EventKind::Operation(event));
    }
}

fn push(record: &Record<'_>, key: u64, phase: FilePhase, out: &mut Emitter<'_>) {
    let operation: Operation = FileRequestEvent { key, phase }.into();
    out.push_operation(record, (record.thread_id(), record.process_id()), operation);
}

/// Returns what a request does, and its major function.
fn operation(hook: Hook, told: &Told<'_>) -> (FileOperation, u8) {
    let is_paging = told.flags & PAGING != 0;
    match hook {
        file_io::CREATE | file_io::CREATE_NEW => (FileOperation::Open, 0x00),
        file_io::CLEANUP => (FileOperation::Close, 0x12),
        file_io::CLOSE => (FileOperation::Release, 0x02),
        file_io::READ if is_paging => (FileOperation::PageIn, 0x03),
        file_io::READ => (FileOperation::Read, 0x03),
        file_io::WRITE if is_paging => (FileOperation::PageOut, 0x04),
        file_io::WRITE => (FileOperation::Write, 0x04),
        file_io::DELETE | file_io::DELETE_PATH => (FileOperation::Remove, 0x06),
        file_io::RENAME | file_io::RENAME_PATH => (FileOperation::Rename, 0x06),
        file_io::SET_LINK | file_io::SET_LINK_PATH => (FileOperation::Link, 0x06),
        file_io::SET_INFO => (of_class(told.class), 0x06),
        file_io::QUERY_INFO => (FileOperation::Stat, 0x05),
        file_io::DIR_ENUM => (FileOperation::List, 0x0c),
        file_io::DIR_NOTIFY => (FileOperation::Watch, 0x0c),
        file_io::FLUSH => (FileOperation::Sync, 0x09),
        _ => (FileOperation::Control, 0x0d),
    }
}

/// Returns what setting a class of information does.
fn of_class(class: u32) -> FileOperation {
    match class {
        10 | 65 => FileOperation::Rename,
        11 | 72 => FileOperation::Link,
        13 | 64 => FileOperation::Remove,
        19 | 20 | 39 => FileOperation::Resize,
        _ => FileOperation::Change,
    }
}

/// Returns what a request with a major function does.
fn of_major(major: u32) -> FileOperation {
    match major {
        0x00..=0x01 => FileOperation::Open,
        0x02 => FileOperation::Release,
        0x03 => FileOperation::Read,
        0x04 => FileOperation::Write,
        0x05 | 0x07 | 0x14 => FileOperation::Stat,
        0x06 | 0x08 | 0x15 => FileOperation::Change,
        0x09 => FileOperation::Sync,
        0x0a | 0x0b => FileOperation::FileSystem,
        0x0c => FileOperation::List,
        0x0d..=0x0f => FileOperation::Control,
        0x11 => FileOperation::Lock,
        0x12 => FileOperation::Close,
        // IRP_MJ_ACQUIRE_FOR_SECTION_SYNCHRONIZATION: a file is about to be mapped.
        0xff => FileOperation::Map,
        _ => FileOperation::Unknown,
    }
}

fn flags(hook: Hook, told: u32) -> FileCallFlags {
    let has = |bit| told & bit != 0;
    let is_paging = has(PAGING);
    let set = match hook {
        file_io::CREATE | file_io::CREATE_NEW => [has(WRITE_THROUGH), has(NO_BUFFERING), false],
        file_io::READ => [false, has(NO_CACHE) && !is_paging, is_paging],
        file_io::WRITE => [false, has(NO_CACHE) && !is_paging, false],
        _ => [false; 3],
    };
    let names = [
        FileCallFlags::DURABLE,
        FileCallFlags::DIRECT,
        FileCallFlags::DISK,
    ];
    let set = set.into_iter().zip(names).filter(|(is_set, _)| *is_set);
    set.fold(FileCallFlags::default(), |flags, (_, flag)| {
        flags.with(flag)
    })
}

/// Returns the kind of file that a request is for, as far as it says.
fn kind(hook: Hook, told: u32) -> u32 {
    match hook {
        file_io::CREATE | file_io::CREATE_NEW if told & DIRECTORY != 0 => FOLDER,
        file_io::CREATE | file_io::CREATE_NEW if told & NOT_DIRECTORY != 0 => FILE,
        file_io::DIR_ENUM => FOLDER,
        _ => 0,
    }
}
