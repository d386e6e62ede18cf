//! Requests to disks: one by one, as sums, and what is known about the disks.

use std::ops::ControlFlow;

use whyslow_model::tables::{DiskIoRow, FactRow};
use whyslow_model::{DiskOperation, FileId, Named, ProcessId, Scan, TableRow, ThreadId};

use crate::error::QueryError;
use crate::interval::take;
use crate::mounts::Mounts;
use crate::network::joined_ns;
use crate::scope::Scope;
use crate::view::View;

/// Maximum total time of the rows of one pass, 292 years: no sum over rows of a damaged extract can overflow.
const MOST_NS: i64 = i64::MAX / 2;

/// One request to a disk, cut to the window.
#[derive(Debug, Clone, Copy)]
pub struct DiskRequest {
    /// The process that issued it, if known.
    pub process: Option<ProcessId>,
    /// The thread that issued it, if known.
    pub thread: Option<ThreadId>,
    /// Number of the disk.
    pub disk: Option<i32>,
    /// The requested operation.
    pub operation: DiskOperation,
    /// When it was issued, not before the scope's window.
    pub start_ns: i64,
    /// When it completed, not after the scope's window; `None` if the trace does not say.
    pub end_ns: Option<i64>,
    /// When the disk's driver got it, in the same limits: `start_ns` if it was not queued, or that was not recorded.
    pub driver_ns: i64,
    /// It was in the disk's queue before.
    pub was_queued: bool,
    /// How much it reads, writes or discards.
    pub size_bytes: i64,
    /// Time measured by the system itself.
    pub service_ns: Option<i64>,
    /// Its result, 0 for success.
    pub result: Option<i32>,
    /// The file it is for, if recorded.
    pub file: Option<FileId>,
}

/// Passes every request to a disk in the window of `scope` to `each`; requests of threads outside
/// the scope, of idle and of unknown threads are included only if `anybody` counts.
///
/// # Errors
/// When the extract cannot be read.
///
/// Interrupts issue requests on top of whichever thread runs, even an idle one.
pub fn disk_requests(
    view: View<'_>,
    scope: &Scope,
    anybody: bool,
    mut each: impl FnMut(&DiskRequest),
) -> Result<(), QueryError> {
    let (from, to) = scope.window_ns.unwrap_or((i64::MIN, i64::MAX));
    let mut left_ns = MOST_NS;
    let scan = Scan {
        columns: &[],
        processes: scope.chosen.as_deref().filter(|_| !anybody),
        window_ns: scope.window_ns,
    };
    view.scan(DiskIoRow::SCHEMA, &scan, &mut |table| {
        for row in table.rows::<DiskIoRow>() {
            let in_scope = row.thread.is_some_and(|thread| scope.thread(thread))
                && row.process.is_some_and(|process| scope.process(process));
            let start = row.issue_ns.clamp(-MOST_NS, MOST_NS);
            let duration = row.duration_ns.map(|ns| take(ns, &mut left_ns));
            let end = duration.map(|ns| start.saturating_add(ns));
            let is_outside = start >= to || end.is_some_and(|end| end < from);
            if is_outside || !(in_scope || anybody) {
                continue;
            }
            let driver_ns = start.saturating_add(row.queued_ns.unwrap_or(0).clamp(0, MOST_NS));
            each(&DiskRequest {
                process: row.process,
                thread: row.thread,
                disk: row.disk,
                operation: DiskOperation::from_code(row.operation)
                    .unwrap_or(DiskOperation::Unknown),
                start_ns: start.max(from),
                end_ns: end.map(|end| end.min(to)),
                driver_ns: driver_ns.clamp(start.max(from), end.unwrap_or(to).min(to).max(from)),
                was_queued: row.queued_ns.is_some(),
                size_bytes: row.size_bytes.unwrap_or(0).max(0),
                service_ns: row.service_ns.map(|ns| ns.max(0)),
                result: row.result,
                file: row.file,
            });
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// Times of requests.
#[derive(Debug, Default)]
pub struct Times(Vec<i64>);

impl Times {
    /// Returns their sum; `None` if there are none.
    #[must_use]
    pub fn sum(&self) -> Option<i64> {
        let add = |sum: i64, ns: &i64| sum.saturating_add(*ns);
        (!self.0.is_empty()).then(|| self.0.iter().fold(0, add))
    }

    /// Returns the time that `percent` of them do not exceed.
    #[must_use]
    pub fn percentile(&self, percent: usize) -> Option<i64> {
        let rank = (self.0.len().saturating_mul(percent)).div_ceil(100).max(1);
        self.0.get(rank - 1).copied()
    }
}

/// The sum of requests.
#[derive(Debug, Default)]
pub struct RequestSum {
    /// How many there are.
    pub count: i64,
    /// How much they read, write or discard.
    pub bytes: i64,
    /// How long each took from its issue to its completion.
    pub times: Times,
    /// How long those that were queued were in the disk's queue.
    pub queued: Times,
    /// How long each took from when the disk's driver got it.
    pub driver: Times,
    /// Time in which at least one was under way.
    pub busy_ns: i64,
    /// The longest of them.
    pub longest_ns: i64,
    /// When that was issued.
    pub longest_at_ns: Option<i64>,
    /// When the first was issued.
    pub first_ns: Option<i64>,
    /// Time that the system itself measured.
    pub service_ns: Option<i64>,
    /// How many have no completion.
    pub open: i64,
    /// How many ended with an error.
    pub failed: i64,
    /// The spans of time in which requests were under way.
    spans: Vec<(i64, i64)>,
}

impl RequestSum {
    /// Adds a request.
    pub fn add(&mut self, request: &DiskRequest) {
        self.count += 1;
        self.bytes = self.bytes.saturating_add(request.size_bytes);
        self.failed += i64::from(request.result.is_some_and(|result| result != 0));
        let first_ns = self.first_ns.unwrap_or(i64::MAX);
        self.first_ns = Some(first_ns.min(request.start_ns));
        if let Some(ns) = request.service_ns {
            let sum = self.service_ns.get_or_insert(0);
            *sum = sum.saturating_add(ns);
        }
        let Some(end_ns) = request.end_ns else {
            self.open += 1;
            return;
        };
        let ns = end_ns.saturating_sub(request.start_ns);
        self.times.0.push(ns);
        if request.was_queued {
            let queued_ns = request.driver_ns.saturating_sub(request.start_ns);
            self.queued.0.push(queued_ns);
        }
        let driver_ns = end_ns.saturating_sub(request.driver_ns);
        self.driver.0.push(driver_ns);
        if ns > self.longest_ns || self.longest_at_ns.is_none() {
            self.longest_ns = ns;
            self.longest_at_ns = Some(request.start_ns);
        }
        self.spans.push((request.start_ns, end_ns));
    }

    /// Completes the sum when all requests have been added, in any order.
    pub fn finish(&mut self) {
        self.busy_ns = joined_ns(&mut std::mem::take(&mut self.spans));
        for times in [&mut self.times, &mut self.queued, &mut self.driver] {
            times.0.sort_unstable();
        }
    }
}

/// A disk, as the machine described it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Device {
    /// Major number times 2^20 plus the minor one.
    number: i32,
    name: String,
    is_rotational: Option<bool>,
    scheduler: Option<String>,
    /// How many requests may be queued, and how many the disk takes at a time.
    queue: Option<u32>,
    depth: Option<u32>,
    has_write_cache: bool,
    /// Names of its partitions.
    parts: Vec<String>,
}

impl Device {
    /// Reads a fact: `number name rotational scheduler queue depth cache partitions`.
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(' ').collect();
        let &[
            number,
            name,
            rotational,
            scheduler,
            queue,
            depth,
            cache,
            parts,
        ] = words.as_slice()
        else {
            return None;
        };
        Some(Self {
            number: number.parse().ok()?,
            name: name.to_owned(),
            is_rotational: ["0", "1"]
                .contains(&rotational)
                .then_some(rotational == "1"),
            scheduler: (scheduler != "-").then(|| scheduler.to_owned()),
            queue: queue.parse().ok(),
            depth: depth.parse().ok(),
            has_write_cache: cache == "back",
            parts: parts.split(',').map(str::to_owned).collect(),
        })
    }

    fn described(&self, mounts: &Mounts) -> Option<String> {
        let kind = self.is_rotational.map(|is| match is {
            true => "rotational".to_owned(),
            false => "not rotational".to_owned(),
        });
        let scheduler = self.scheduler.as_ref();
        let queue = self.queue;
        let depth = self.depth;
        let known = [
            kind,
            scheduler.map(|name| format!("scheduler {name}")),
            queue.map(|queue| format!("a queue of {queue} requests")),
            depth.map(|depth| format!("at most {depth} requests at the device at a time")),
            self.has_write_cache
                .then(|| "with a write cache".to_owned()),
        ];
        let known: Vec<String> = known.into_iter().flatten().collect();
        let is_of_it = |source: &str| {
            let device = source.strip_prefix("/dev/");
            device
                .is_some_and(|name| name == self.name || self.parts.iter().any(|part| part == name))
        };
        let mounted = mounts.all().iter();
        let mounted = mounted.filter(|one| one.device == self.number || is_of_it(&one.source));
        let mounted = mounted.take(MOST_MOUNTS);
        let mounted =
            mounted.map(|mount| format!("{} on {} ({})", mount.kind, mount.at, mount.options()));
        let known = (!known.is_empty()).then(|| known.join(", "));
        let parts: Vec<String> = known.into_iter().chain(mounted).collect();
        (!parts.is_empty()).then(|| format!("{}: {}", self.name, parts.join("; ")))
    }
}

/// So many file systems of a disk are described.
const MOST_MOUNTS: usize = 3;

/// The disks of a trace, in words.
#[derive(Debug, Default)]
pub struct Devices {
    all: Vec<Device>,
    mounts: Mounts,
}

impl Devices {
    /// Reads them; none if they were not recorded.
    ///
    /// # Errors
    /// When the extract cannot be read.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let mut all = Vec::new();
        view.scan(FactRow::SCHEMA, &Scan::default(), &mut |table| {
            let rows = table.rows::<FactRow>();
            let disks = rows.filter(|row| row.key == "disk");
            all.extend(disks.filter_map(|row| Device::parse(&row.value)));
            ControlFlow::Continue(())
        })?;
        let mounts = Mounts::read(view)?;
        Ok(Self { all, mounts })
    }

    /// Returns what is known about a disk, by its number: `vda: not rotational, scheduler none, …`.
    #[must_use]
    pub fn described(&self, disk: i32) -> Option<String> {
        let device = self.all.iter().find(|device| device.number == disk)?;
        device.described(&self.mounts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(start_ns: i64, driver_ns: i64, end_ns: Option<i64>) -> DiskRequest {
        DiskRequest {
            process: None,
            thread: None,
            disk: Some(1),
            operation: DiskOperation::Read,
            start_ns,
            driver_ns,
            was_queued: driver_ns > start_ns,
            end_ns,
            size_bytes: 10,
            service_ns: None,
            result: Some(0),
            file: None,
        }
    }

    #[test]
    fn times_are_split_where_the_driver_gets_a_request() {
        let mut sum = RequestSum::default();
        sum.add(&request(10, 14, Some(20)));
        sum.add(&request(15, 15, Some(17)));
        sum.add(&request(30, 90, None));
        sum.finish();
        assert_eq!(
            (sum.count, sum.bytes, sum.open, sum.first_ns),
            (3, 30, 1, Some(10))
        );
        assert_eq!((sum.times.sum(), sum.busy_ns), (Some(12), 10));
        assert_eq!((sum.queued.sum(), sum.driver.sum()), (Some(4), Some(8)));
        assert_eq!((sum.longest_ns, sum.longest_at_ns), (10, Some(10)));
    }

    #[test]
    fn percentiles_are_times_that_occurred() {
        let mut sum = RequestSum::default();
        for ns in (1..=200).rev() {
            sum.add(&request(0, 0, Some(ns)));
        }
        sum.finish();
        let at = |percent| sum.times.percentile(percent);
        assert_eq!(
            [at(0), at(50), at(99), at(100)],
            [1, 100, 198, 200].map(Some)
        );
        assert_eq!((sum.queued.percentile(50), sum.queued.sum()), (None, None));
    }

    #[test]
    fn a_disk_is_described_with_its_file_systems() {
        let disk = "8388608 sda 1 mq-deadline 256 32 back sda1,sda2";
        let device = Device::parse(disk).expect("a disk");
        let mounts = Mounts::of(&[
            "8388610 ext4 /dev/sda2 / - rw,relatime",
            "46 btrfs /dev/sda1 /data - ro",
            "47 ext4 /dev/sdb1 /b - rw",
        ]);
        assert_eq!(
            device.described(&mounts).as_deref(),
            Some(
                "sda: rotational, scheduler mq-deadline, a queue of 256 requests, at most 32 requests at the device at a \
                 time, with a write cache; ext4 on / (rw,relatime); btrfs on /data (ro)"
            )
        );
        let bare = Device::parse("7340032 loop0 0 none - - through -").expect("a disk");
        assert_eq!(
            bare.described(&mounts).as_deref(),
            Some("loop0: not rotational, scheduler none")
        );
        let unknown = Device::parse("265289728 dm-0 - - - - - -").expect("a disk");
        assert_eq!(unknown.described(&mounts), None);
        assert_eq!(Device::parse("7340032 loop0 0"), None);
    }
}
