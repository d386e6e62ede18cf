//! Requests to disks: issue and completion become one row.

use whyslow_model::tables::DiskIoRow;
use whyslow_model::{DiskOperation, Named, ProblemKind, RawRow};

use super::Importer;
use super::pairs::Pairs;
use super::running::Sight;
use crate::event::{DiskEvent, DiskPhase, DiskRequest, Event, RequestKey};
use crate::sched::{At, NONE};

/// Returns whether a completion is of no bytes, and that is not all there is to it.
fn is_nothing(request: &DiskRequest) -> bool {
    request.size_bytes == Some(0) && request.operation != DiskOperation::Flush
}

/// The requests that are under way.
#[derive(Debug)]
pub(super) struct Disks {
    open: Pairs<RequestKey, Issued>,
    /// Completions that say too little to be a row without their issue.
    without_issue: u64,
}

/// A request that was issued.
#[derive(Debug, Clone, Copy)]
struct Issued {
    ns: i64,
    /// Number of the thread, or [`NONE`].
    thread: u32,
    request: DiskRequest,
    /// How much of it is done, where it completes in parts.
    done_bytes: i64,
}

impl Disks {
    pub(super) fn new() -> Self {
        Self {
            open: Pairs::new(),
            without_issue: 0,
        }
    }
}

impl Importer<'_> {
    pub(super) fn disk(&mut self, event: &Event, disk: &DiskEvent) {
        let Some(ns) = event.time_ns else {
            return;
        };
        match disk.phase {
            DiskPhase::Issue => {
                let issued = Issued {
                    ns,
                    thread: self.issuer(event, disk.tid),
                    request: disk.request,
                    done_bytes: 0,
                };
                if let Some(lost) = self.disks.open.begin(disk.key, issued) {
                    self.disk_row(&lost, None, None, None);
                }
            }
            DiskPhase::Completion { .. } => self.disk_done(ns, disk),
        }
    }

    fn disk_done(&mut self, ns: i64, disk: &DiskEvent) {
        let DiskPhase::Completion {
            is_told_whole,
            service_ns,
            result,
        } = disk.phase
        else {
            return;
        };
        let issued = match self.disks.open.end(disk.key) {
            Some(issued) => Issued {
                request: disk.request.or(issued.request, is_told_whole),
                ..issued
            },
            // What a completion tells by itself is enough where it says how long it took.
            None => match service_ns.filter(|_| is_told_whole) {
                Some(service_ns) => Issued {
                    ns: ns.saturating_sub(service_ns),
                    thread: self.known_thread(disk.tid),
                    request: disk.request,
                    done_bytes: 0,
                },
                // A write with a flush before it is completed once more, without bytes.
                None if is_nothing(&disk.request) => return,
                None => {
                    self.disks.without_issue += 1;
                    return;
                }
            },
        };
        let done = disk.request.size_bytes.unwrap_or(0);
        let done_bytes = issued.done_bytes.saturating_add(done);
        let left = issued.request.size_bytes.unwrap_or(0) - done_bytes;
        if !is_told_whole && done > 0 && left > 0 && result == Some(0) {
            let rest = Issued {
                done_bytes,
                ..issued
            };
            self.disks.open.rest(disk.key.after(done), rest);
            return;
        }
        let duration_ns = ns.saturating_sub(issued.ns);
        self.disk_row(&issued, Some(duration_ns), service_ns, result);
    }

    /// Returns the number of a thread that is alive, without taking its id for a new one: by the
    /// time of a completion, the thread may have ended.
    fn known_thread(&self, tid: Option<u32>) -> u32 {
        let slot = tid.and_then(|tid| self.threads.slot(tid));
        slot.map_or(NONE, |slot| self.schedule.live(slot).thread)
    }

    /// Returns the number of the thread that issued a request.
    fn issuer(&mut self, event: &Event, tid: Option<u32>) -> u32 {
        let Some((ns, tid)) = event.time_ns.zip(tid) else {
            return NONE;
        };
        let cpu = event.cpu.filter(|&cpu| self.schedule.follows(cpu));
        let at = At {
            ns,
            cpu: cpu.unwrap_or(NONE),
        };
        let slot = self.sighted(tid, None, at, Sight::Other);
        slot.map_or(NONE, |slot| self.schedule.live(slot).thread)
    }

    fn disk_row(
        &mut self,
        issued: &Issued,
        duration_ns: Option<i64>,
        service_ns: Option<i64>,
        result: Option<i32>,
    ) {
        let request = issued.request;
        let mut row = RawRow::<DiskIoRow, _>::new();
        row.set(DiskIoRow::issue_ns, issued.ns);
        row.set(DiskIoRow::duration_ns, duration_ns);
        row.set(DiskIoRow::service_ns, service_ns);
        let disk = request.disk.map(u32::cast_signed);
        row.set(DiskIoRow::disk, disk);
        row.set(DiskIoRow::operation, request.operation.code());
        row.set(DiskIoRow::offset_bytes, request.offset_bytes);
        row.set(DiskIoRow::size_bytes, request.size_bytes);
        row.set(DiskIoRow::result, result);
        row.set(DiskIoRow::flags, request.flags.0);
        row.set(DiskIoRow::priority, request.priority);
        self.out.push(issued.thread, &row);
    }

    /// The trace ends: what is under way has no completion.
    pub(super) fn finish_disks(&mut self) {
        for issued in self.disks.open.take() {
            self.disk_row(&issued, None, None, None);
        }
        let without_issue = self.disks.without_issue;
        let (without_end, refused) = (self.disks.open.without_end, self.disks.open.refused);
        let mut add = |kind, count, what: &str| {
            self.problems
                .add_many(kind, count, None, None, || what.to_owned());
        };
        add(
            ProblemKind::UnmatchedEnd,
            without_issue,
            "completions of disk requests whose issue is not in the trace",
        );
        add(
            ProblemKind::UnmatchedEnd,
            without_end,
            "disk requests whose completion is not in the trace, though another one like them follows",
        );
        add(
            ProblemKind::LimitReached,
            refused,
            "disk requests: too many under way at a time",
        );
    }
}
