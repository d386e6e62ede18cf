//! Requests to file systems: start and end become one row, and are counted with those like them.

use whyslow_model::tables::{FileCallRow, SingleFileCallRow};
use whyslow_model::{FileCallFlags, FileId, FileOperation, Named, ProblemKind, RawRow};

use crate::pairs::Pairs;
use crate::stretches::{Call, Span, Stretches, Sum};
use crate::tracker::{Scene, Tracker};

/// A request to a file system begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileRequestEvent {
    /// Identifies the request among those under way: an address in memory.
    pub key: u64,
    /// What happens.
    pub phase: FilePhase,
}

/// What happens to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilePhase {
    /// It begins.
    Begin(FileRequest),
    /// The second file of one that may be under way is known; otherwise it begins.
    Target(FileRequest),
    /// It ends.
    End {
        /// The result: 0, or an error.
        result: i32,
        /// What the file system says besides, such as how many bytes it moved.
        information: u64,
    },
    /// It has ended, and is told as a whole.
    Whole {
        /// The request.
        request: FileRequest,
        /// How long it took; `None` where that was not measured.
        duration_ns: Option<i64>,
    },
}

/// What is requested of a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileRequest {
    /// The thread that requests it.
    pub tid: Option<u32>,
    /// The file.
    pub file: Option<FileId>,
    /// What it is renamed or linked to.
    pub other: Option<FileId>,
    /// What to do.
    pub operation: FileOperation,
    /// Number of the system's own kind of request.
    pub call: i32,
    /// How it is done.
    pub flags: FileCallFlags,
    /// Where in the file.
    pub offset_bytes: Option<i64>,
    /// How many bytes.
    pub asked_bytes: Option<i64>,
    /// The kind of file it is for, as bits of a mode in Linux; 0: not known.
    pub kind: u32,
}

impl FileRequest {
    /// Returns a request with only operation and call known.
    #[must_use]
    pub fn of(operation: FileOperation, call: i32) -> Self {
        Self {
            tid: None,
            file: None,
            other: None,
            operation,
            call,
            flags: FileCallFlags::default(),
            offset_bytes: None,
            asked_bytes: None,
            kind: 0,
        }
    }
}

/// Bits of a mode for a folder and for a file.
pub const FOLDER: u32 = 0o040_000;
/// The same for a file.
pub const FILE: u32 = 0o100_000;

/// What opening a file says if it made the file.
const CREATED: u64 = 2;

/// What requests have in common that are counted together: file, operation, result and flags.
type Alike = (Option<FileId>, i32, i32, i32);

/// The requests that are under way, and the counts.
#[derive(Debug)]
pub struct FileRequests {
    open: Pairs<u64, Open>,
    counts: Stretches<Alike>,
    /// Ends are recorded.
    has_ends: bool,
    without_begin: u64,
}

/// A request that has begun.
#[derive(Debug, Clone, Copy)]
struct Open {
    ns: i64,
    thread: u32,
    stack: i64,
    request: FileRequest,
    /// Events have been lost since: an end may belong to a later request.
    is_in_doubt: bool,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    duration_ns: Option<i64>,
    result: i32,
    bytes: Option<i64>,
}

impl Tracker for FileRequests {
    type Event = FileRequestEvent;

    fn new(most_open: u32) -> Self {
        Self {
            open: Pairs::new(most_open),
            counts: Stretches::new(most_open, push_counted),
            has_ends: false,
            without_begin: 0,
        }
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        match event.phase {
            FilePhase::Begin(request) => self.begin(event.key, request, scene),
            FilePhase::Target(request) => match self.open.get_mut(event.key) {
                Some(open) if open.request.tid == request.tid => {
                    open.request.other = request.other;
                }
                _ => self.begin(event.key, request, scene),
            },
            FilePhase::End {
                result,
                information,
            } => {
                self.has_ends = true;
                self.end(event.key, (result, information), scene);
            }
            FilePhase::Whole {
                request,
                duration_ns,
            } => {
                let before = duration_ns.unwrap_or(0);
                let ns = scene.ns().saturating_sub(before).max(scene.start_ns());
                let open = Open {
                    ns,
                    thread: scene.thread(request.tid),
                    stack: scene.stack(),
                    request,
                    is_in_doubt: false,
                };
                let duration_ns = duration_ns.map(|_| scene.ns().saturating_sub(ns));
                let bytes = request.asked_bytes;
                self.push(
                    &open,
                    End {
                        duration_ns,
                        result: 0,
                        bytes,
                    },
                    scene,
                );
            }
        }
    }

    fn loss(&mut self) {
        self.open.open().for_each(|open| open.is_in_doubt = true);
    }

    /// Requests that are still under way have no end.
    fn end(&mut self, scene: &mut dyn Scene) {
        for open in self.open.take() {
            self.push_open(&open, scene);
        }
        self.counts.finish(scene);
        let unmatched = ProblemKind::UnmatchedEnd;
        scene.problem(
            unmatched,
            self.without_begin,
            "ends of requests to file systems whose beginning is not in the trace",
        );
        if self.has_ends {
            scene.problem(
                unmatched,
                self.open.without_end,
                "requests to file systems whose end is not in the trace",
            );
        }
        scene.problem(
            ProblemKind::LimitReached,
            self.open.refused,
            "requests to file systems: too many under way at once",
        );
    }
}

impl FileRequests {
    fn begin(&mut self, key: u64, request: FileRequest, scene: &mut dyn Scene) {
        let open = Open {
            ns: scene.ns(),
            thread: scene.thread(request.tid),
            stack: scene.stack(),
            request,
            is_in_doubt: false,
        };
        if !self.has_ends && self.open.is_full() {
            return self.push_open(&open, scene);
        }
        if let Some(before) = self.open.get_mut(key) {
            // Its second file was told first.
            let is_same = |one: &FileRequest| (one.tid, one.operation, one.call);
            let is_told = before.request.other.is_some() && request.other.is_none();
            if is_told && is_same(&before.request) == is_same(&request) {
                return;
            }
        }
        if let Some(lost) = self.open.begin(key, open) {
            self.push_open(&lost, scene);
        }
    }

    fn end(&mut self, key: u64, (result, information): (i32, u64), scene: &mut dyn Scene) {
        let Some(mut open) = self.open.end(key) else {
            self.without_begin += 1;
            return;
        };
        if open.is_in_doubt {
            self.open.without_end += 1;
            return self.push_open(&open, scene);
        }
        let request = &mut open.request;
        let is_ok = result == 0;
        if is_ok && request.operation == FileOperation::Open {
            let is_new = information == CREATED;
            if is_new && request.kind == FOLDER {
                request.operation = FileOperation::Create;
            }
        }
        let opens = matches!(
            request.operation,
            FileOperation::Open | FileOperation::Create | FileOperation::List
        );
        if let Some(file) = request.file.filter(|_| is_ok && opens) {
            scene.opened(file, request.kind);
        }
        if let Some(other) = request.other.filter(|_| is_ok) {
            scene.opened(other, 0);
        }
        let moved = i64::try_from(information).unwrap_or(i64::MAX);
        // A status may be an error, though some bytes were moved: then they do not count.
        let bytes = (moves_bytes(request.operation) && is_ok).then_some(moved);
        // A request for news ends when there are some.
        let waits = request.operation == FileOperation::Watch;
        let duration_ns = (!waits).then(|| scene.ns().saturating_sub(open.ns));
        let end = End {
            duration_ns,
            result,
            bytes,
        };
        self.push(&open, end, scene);
    }

    /// Pushes a request without an end. Where no ends are recorded, it moved what it asked for.
    fn push_open(&mut self, open: &Open, scene: &mut dyn Scene) {
        let bytes = open.request.asked_bytes;
        let bytes = bytes.filter(|_| !self.has_ends && moves_bytes(open.request.operation));
        let end = End {
            bytes,
            ..End::default()
        };
        self.push(open, end, scene);
    }

    fn push(&mut self, open: &Open, end: End, scene: &mut dyn Scene) {
        let request = &open.request;
        let mut row = RawRow::<SingleFileCallRow, _>::new();
        row.set(SingleFileCallRow::start_ns, open.ns);
        row.set(SingleFileCallRow::duration_ns, end.duration_ns);
        row.set(SingleFileCallRow::file, request.file);
        row.set(SingleFileCallRow::other_file, request.other);
        row.set(SingleFileCallRow::operation, request.operation.code());
        row.set(SingleFileCallRow::call, request.call);
        row.set(SingleFileCallRow::result, end.result);
        row.set(SingleFileCallRow::flags, request.flags.0);
        row.set(SingleFileCallRow::offset_bytes, request.offset_bytes);
        row.set(SingleFileCallRow::asked_bytes, request.asked_bytes);
        row.set(SingleFileCallRow::bytes, end.bytes);
        row.set_provisional(SingleFileCallRow::stack, open.stack);
        scene.push(open.thread, &row);
        let call = Call {
            thread: open.thread,
            from_ns: open.ns,
            bytes: end.bytes,
            duration_ns: end.duration_ns,
        };
        let alike = (
            request.file,
            request.operation.code(),
            end.result,
            request.flags.0,
        );
        self.counts.add(alike, &call, scene);
    }
}

fn push_counted(
    span: Span,
    &(file, operation, result, flags): &Alike,
    sum: &Sum,
    scene: &mut dyn Scene,
) {
    let mut row = RawRow::<FileCallRow, _>::new();
    row.set(FileCallRow::from_ns, span.from_ns);
    row.set(FileCallRow::duration_ns, span.duration_ns);
    row.set(FileCallRow::file, file);
    row.set(FileCallRow::operation, operation);
    row.set(FileCallRow::result, result);
    row.set(FileCallRow::flags, flags);
    row.set(FileCallRow::count, sum.count);
    row.set(FileCallRow::bytes, sum.bytes);
    row.set(FileCallRow::time_ns, sum.time_ns);
    row.set(FileCallRow::longest_ns, sum.longest_ns);
    row.set(FileCallRow::timed_count, sum.timed_count);
    scene.push(span.thread, &row);
}

fn moves_bytes(operation: FileOperation) -> bool {
    use FileOperation::{Fault, List, PageIn, PageOut, Read, Write};
    matches!(operation, Read | Write | List | PageIn | PageOut | Fault)
}
