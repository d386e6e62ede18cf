//! Requests to disks: issue and completion become one row.

use whyslow_model::tables::DiskIoRow;
use whyslow_model::{DiskFlags, DiskOperation, FileId, NULL_I64, Named, ProblemKind, RawRow};

use crate::pairs::Pairs;
use crate::tracker::{Scene, Tracker};

/// A request to a disk is issued, or is complete.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiskEvent {
    /// Identifies the request among those under way.
    pub key: RequestKey,
    /// The thread that issues it, where the source says.
    pub tid: Option<u32>,
    /// What is requested, as far as the source says; for a completion, what was done.
    pub request: DiskRequest,
    /// Address of the file in memory, which the frontend replaces by the file; 0 for none.
    pub file_key: u64,
    /// Issue or completion.
    pub phase: DiskPhase,
}

/// Whether a request begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskPhase {
    /// It is put into the disk's queue. Who takes it out may be any thread.
    Insertion,
    /// The driver had no room for it: it will be issued again.
    Return,
    /// It is given to the disk's driver.
    Issue,
    /// It is complete, at least in part.
    Completion {
        /// The completion describes the whole request; otherwise `size_bytes` is how much is done
        /// now.
        is_told_whole: bool,
        /// How long it took, where the system measured that itself.
        service_ns: Option<i64>,
        /// The system's own code for its result, 0 for success.
        result: Option<i32>,
    },
}

/// Identifies a request among those under way: disk and operation with a place on the disk, or an
/// address in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestKey {
    /// The disk and the operation; 0 where `place` is enough.
    pub space: u64,
    /// The place in bytes, or the address.
    pub place: u64,
}

impl RequestKey {
    /// Returns the key of the rest of a request after this many bytes are done.
    fn after(self, bytes: i64) -> Self {
        Self {
            place: self.place.wrapping_add(bytes.cast_unsigned()),
            ..self
        }
    }
}

/// What is requested of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskRequest {
    /// What to do.
    pub operation: DiskOperation,
    /// The disk.
    pub disk: Option<u32>,
    /// Where it begins.
    pub offset_bytes: Option<i64>,
    /// How much.
    pub size_bytes: Option<i64>,
    /// What else is known.
    pub flags: DiskFlags,
    /// Its priority, as the system counts it.
    pub priority: Option<i32>,
    /// The file it is for.
    pub file: Option<FileId>,
}

impl DiskRequest {
    /// Returns a request with only the operation known.
    pub fn of(operation: DiskOperation) -> Self {
        Self {
            operation,
            disk: None,
            offset_bytes: None,
            size_bytes: None,
            flags: DiskFlags::default(),
            priority: None,
            file: None,
        }
    }

    /// Returns whether a completion has no bytes, although the operation should have some.
    fn is_nothing(&self) -> bool {
        self.size_bytes == Some(0) && self.operation != DiskOperation::Flush
    }
}

/// The requests that are under way.
#[derive(Debug)]
pub struct Disks {
    /// In a disk's queue: when they were put there, and the thread that did it.
    queued: Pairs<RequestKey, (i64, u32, i64)>,
    open: Pairs<RequestKey, Issued>,
    /// Completions with too little data for a row without their issue.
    without_issue: u64,
}

/// A request that was issued.
#[derive(Debug, Clone, Copy)]
struct Issued {
    ns: i64,
    /// Number of the thread, or [`NO_THREAD`](crate::tracker::NO_THREAD).
    thread: u32,
    /// Its stack, as a column holds it.
    stack: i64,
    /// How long it was in the disk's queue.
    queued_ns: Option<i64>,
    request: DiskRequest,
    /// How much of it is done, where it completes in parts.
    done_bytes: i64,
    /// Events have been lost since: a completion may belong to a similar request.
    is_in_doubt: bool,
    /// The driver has returned it, and will get it again.
    is_returned: bool,
}

/// A request leaves its queue sooner than this; one that does not was merged with another one, and this is a new one.
const QUEUED_NS: i64 = 5_000_000_000;

/// How a request ended, as far as known.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    duration_ns: Option<i64>,
    service_ns: Option<i64>,
    result: Option<i32>,
}

impl Tracker for Disks {
    type Event = DiskEvent;

    fn new(most_open: u32) -> Self {
        Self {
            queued: Pairs::new(most_open),
            open: Pairs::new(most_open),
            without_issue: 0,
        }
    }

    fn event(&mut self, disk: &DiskEvent, scene: &mut dyn Scene) {
        match disk.phase {
            DiskPhase::Insertion => self.inserted(disk, scene),
            DiskPhase::Return => {
                if let Some(issued) = self.open.get_mut(disk.key) {
                    issued.is_returned = !issued.is_in_doubt;
                }
            }
            DiskPhase::Issue => {
                if let Some(issued) = self.open.get_mut(disk.key)
                    && issued.is_returned
                {
                    issued.is_returned = false;
                    // Until now it waited, in the queue or for the driver.
                    issued.queued_ns = Some(scene.ns().saturating_sub(issued.ns));
                    return;
                }
                let own = (scene.ns(), scene.thread(disk.tid), scene.stack());
                let queued = self.queued.end(disk.key);
                let queued = queued.filter(|(ns, ..)| own.0.saturating_sub(*ns) < QUEUED_NS);
                let queued_ns = queued.map(|(ns, ..)| own.0.saturating_sub(ns).max(0));
                let (ns, thread, stack) = queued.unwrap_or(own);
                // Some recordings have stacks of one of the two events only.
                let stack = if stack == NULL_I64 { own.2 } else { stack };
                let issued = Issued {
                    ns,
                    thread,
                    stack,
                    queued_ns,
                    request: disk.request,
                    done_bytes: 0,
                    is_in_doubt: false,
                    is_returned: false,
                };
                self.begin(disk.key, issued, scene);
            }
            DiskPhase::Completion {
                is_told_whole,
                service_ns,
                result,
            } => {
                let end = End {
                    duration_ns: None,
                    service_ns,
                    result,
                };
                if is_told_whole {
                    self.completed(disk, end, scene);
                } else {
                    self.done(disk, end, scene);
                }
            }
        }
    }

    fn loss(&mut self) {
        // Who took them out of the queue may have been missed.
        self.queued.take();
        for issued in self.open.open() {
            (issued.is_in_doubt, issued.is_returned) = (true, false);
        }
    }

    /// Requests still under way have no completion.
    fn end(&mut self, scene: &mut dyn Scene) {
        for issued in self.open.take() {
            push(scene, &issued, End::default());
        }
        let unmatched = ProblemKind::UnmatchedEnd;
        let text = "completions of disk requests whose issue is not in the trace";
        scene.problem(unmatched, self.without_issue, text);
        scene.problem(
            unmatched,
            self.open.without_end,
            "disk requests whose completion is not in the trace, though another one like them follows",
        );
        scene.problem(
            ProblemKind::LimitReached,
            self.open.refused,
            "disk requests: too many under way at once",
        );
    }
}

impl Disks {
    /// Takes a request that is put into its disk's queue, unless it was issued before and comes back.
    fn inserted(&mut self, disk: &DiskEvent, scene: &mut dyn Scene) {
        if self
            .open
            .get_mut(disk.key)
            .is_some_and(|one| one.is_returned)
        {
            return;
        }
        let queued = (scene.ns(), scene.thread(disk.tid), scene.stack());
        let refused = self.queued.refused;
        let _ = self.queued.begin(disk.key, queued);
        // Requests that were merged into others never leave the queue.
        if self.queued.refused > refused {
            self.queued.take();
            let _ = self.queued.begin(disk.key, queued);
        }
    }

    /// Begins a request; a similar one that never ended becomes a row now.
    fn begin(&mut self, key: RequestKey, issued: Issued, scene: &mut dyn Scene) {
        if let Some(lost) = self.open.begin(key, issued) {
            push(scene, &lost, End::default());
        }
    }

    /// Returns the issue of a completed request; one in doubt becomes a row without an end.
    fn issued(&mut self, key: RequestKey, scene: &mut dyn Scene) -> Option<Issued> {
        let issued = self.open.end(key)?;
        if issued.is_in_doubt {
            self.open.without_end += 1;
            push(scene, &issued, End::default());
        }
        Some(issued).filter(|issued| !issued.is_in_doubt)
    }

    /// Takes a completion that describes the whole request, including how long it took if it was
    /// issued before the trace.
    fn completed(&mut self, disk: &DiskEvent, end: End, scene: &mut dyn Scene) {
        let ns = scene.ns();
        let (issued, duration_ns) = match (self.issued(disk.key, scene), end.service_ns) {
            (Some(issued), _) => {
                let duration_ns = ns.saturating_sub(issued.ns);
                (issued, Some(duration_ns))
            }
            (None, Some(service_ns)) => {
                let issue_ns = ns.saturating_sub(service_ns).max(scene.start_ns());
                let issued = Issued {
                    ns: issue_ns,
                    thread: scene.known_thread(disk.tid),
                    stack: NULL_I64,
                    queued_ns: None,
                    request: disk.request,
                    done_bytes: 0,
                    is_in_doubt: false,
                    is_returned: false,
                };
                (issued, Some(ns.saturating_sub(issue_ns)))
            }
            (None, None) => {
                self.without_issue += 1;
                return;
            }
        };
        let issued = Issued {
            request: disk.request,
            ..issued
        };
        push(scene, &issued, End { duration_ns, ..end });
    }

    /// Takes a completion of part of a request, or of all of it.
    fn done(&mut self, disk: &DiskEvent, end: End, scene: &mut dyn Scene) {
        let Some(issued) = self.issued(disk.key, scene) else {
            // A write with a flush before it is completed once more, without bytes.
            self.without_issue += u64::from(!disk.request.is_nothing());
            return;
        };
        let done = disk.request.size_bytes.unwrap_or(0);
        let done_bytes = issued.done_bytes.saturating_add(done);
        let left = issued.request.size_bytes.unwrap_or(0) - done_bytes;
        if done > 0 && left > 0 && end.result == Some(0) {
            let rest = Issued {
                done_bytes,
                ..issued
            };
            return self.begin(disk.key.after(done), rest, scene);
        }
        let duration_ns = Some(scene.ns().saturating_sub(issued.ns));
        push(scene, &issued, End { duration_ns, ..end });
    }
}

fn push(scene: &mut dyn Scene, issued: &Issued, end: End) {
    let request = issued.request;
    let mut row = RawRow::<DiskIoRow, _>::new();
    row.set(DiskIoRow::issue_ns, issued.ns);
    row.set(DiskIoRow::duration_ns, end.duration_ns);
    row.set(DiskIoRow::service_ns, end.service_ns);
    row.set(DiskIoRow::disk, request.disk.map(u32::cast_signed));
    row.set(DiskIoRow::operation, request.operation.code());
    row.set(DiskIoRow::offset_bytes, request.offset_bytes);
    row.set(DiskIoRow::size_bytes, request.size_bytes);
    row.set(DiskIoRow::result, end.result);
    row.set(DiskIoRow::flags, request.flags.0);
    row.set(DiskIoRow::priority, request.priority);
    row.set(DiskIoRow::file, request.file);
    row.set(DiskIoRow::queued_ns, issued.queued_ns);
    row.set_provisional(DiskIoRow::stack, issued.stack);
    scene.push(issued.thread, &row);
}
