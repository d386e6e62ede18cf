//! Requests to disks while the command ran: those of its own, and those of others on the same disk.

use std::collections::BTreeMap;

use whyslow_model::{Capability, DiskOperation, FileOperation, ProcessId, ThreadId};
use whyslow_query::View;
use whyslow_query::disks::disk_requests;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::file_calls::counted_file_calls;
use whyslow_query::scope::Scope;
use whyslow_query::spans::Spans;
use whyslow_query::wait::Rules;

use crate::command::Command;
use crate::file_names::Names;
use crate::path::{Path, Step, What};
use crate::recorded::recorder;

/// How many requests are looked at; more would explain no more.
const MOST: usize = 1 << 20;

/// Fewer requests of the command say nothing about how long one takes.
const FEW: usize = 10;

/// A request of unknown length is not taken for a longer one.
const UNSEEN_NS: i64 = 50_000_000;

/// A request of the command whose completion was not seen counts for a moment only: it waits for it at once.
const AT_ONCE_NS: i64 = 1_000_000;

/// Disks have numbers for so many parts.
const MOST_PARTS: i32 = 15;

/// Major numbers of loop devices and memory cards, whose parts are numbered in another way, and the one that disks of many
/// kinds share for their parts, NVMe among them.
const OTHERWISE: [i32; 3] = [7, 179, 259];

/// Who wrote this percentage of all bytes wrote what the kernel writes back.
const NEARLY_ALL: i128 = 80;

/// Requests to disks while the command ran; none where they were not recorded.
#[derive(Debug, Default)]
pub struct Disks {
    requests: Vec<Request>,
    /// Bytes that each process wrote meanwhile to files on each disk, or on a device that is not known.
    written: BTreeMap<Option<i32>, BTreeMap<ProcessId, i64>>,
    /// Whether the command told the system to write data to disks.
    has_synced: bool,
    recorder: Option<ProcessId>,
    /// Whether the command waited for requests to a disk most of the time that it waited for io_uring: its thread made one
    /// directly before, which ended with the wait as far as that was seen.
    pub serve_rings: bool,
}

/// Whose a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The command's.
    Own,
    /// Another process's.
    Other(ProcessId),
    /// A kernel worker writes back data that a program wrote earlier.
    WrittenBack,
    /// Not known, or of the kernel itself.
    Unknown,
}

/// One request.
#[derive(Debug, Clone, Copy)]
struct Request {
    whose: Whose,
    thread: Option<ThreadId>,
    disk: i32,
    from_ns: i64,
    /// `None`: its completion was not seen.
    to_ns: Option<i64>,
    bytes: i64,
}

impl Request {
    /// Returns when it ended, or was under way at least if that was not seen.
    fn until_ns(&self) -> i64 {
        let at_least = self.from_ns.saturating_add(AT_ONCE_NS);
        self.to_ns.unwrap_or(at_least)
    }
}

/// A program that used the disk which the command waited for.
#[derive(Debug, Clone)]
pub struct Neighbour {
    /// Its process with the most bytes.
    pub process: ProcessId,
    /// How many processes of this name there were.
    pub processes: i64,
    /// The disk, as [`whyslow_query::disks::DiskRequest`] has it.
    pub disk: i32,
    /// When it had requests there while the command waited.
    pub when: Spans,
    /// How many requests it had there then.
    pub requests: i64,
    /// Their bytes.
    pub bytes: i64,
    /// All requests there then, the command's included.
    pub all_requests: i64,
    /// Their bytes.
    pub all_bytes: i64,
    /// How long a request of the command typically took while the process had one there, and while it had none; `None`
    /// where there were too few.
    pub typical_ns: Option<(i64, i64)>,
}

impl Disks {
    /// Finds out what the command waited for when it waited for io_uring.
    pub fn look_at_rings(&mut self, path: &Path, rules: &Rules) {
        let is_ring = |at: usize| {
            let group = path.waits.get(at);
            group.is_some_and(|group| rules.class(group.class).name == "io-uring")
        };
        // By the thread that made them: when each began, and ended if that was seen.
        let mut made: BTreeMap<ThreadId, Vec<(i64, Option<i64>)>> = BTreeMap::new();
        for one in self.requests.iter().filter(|one| one.whose == Whose::Own) {
            if let Some(thread) = one.thread {
                made.entry(thread)
                    .or_default()
                    .push((one.from_ns, one.to_ns));
            }
        }
        made.values_mut().for_each(|made| made.sort_unstable());
        let (mut served_ns, mut all_ns) = (0_i64, 0_i64);
        let is_wait = |step: &&Step| matches!(step.what, What::Wait(at) if is_ring(at));
        for step in path.steps.iter().filter(is_wait) {
            let made = step.thread.and_then(|thread| made.get(&thread));
            let last = made.and_then(|made| {
                let until = made.partition_point(|&(from, _)| from <= step.to_ns);
                made.get(until.checked_sub(1)?)
            });
            let is_served = last.is_some_and(|&(from, to)| {
                let ended =
                    to.is_none_or(|end| end >= step.from_ns && end - step.to_ns <= AT_ONCE_NS);
                ended && from >= step.from_ns.saturating_sub(AT_ONCE_NS)
            });
            all_ns = all_ns.saturating_add(step.ns());
            served_ns = served_ns.saturating_add(if is_served { step.ns() } else { 0 });
        }
        self.serve_rings = served_ns > 0 && served_ns.saturating_mul(2) >= all_ns;
    }

    /// Reads them.
    pub(crate) fn read(
        view: View<'_>,
        facts: &Facts,
        command: &Command,
        names: &Names<'_>,
    ) -> Result<Self, QueryError> {
        let mut disks = Self::default();
        if !facts.has(Capability::DiskIo) || !facts.has(Capability::Switches) {
            return Ok(disks);
        }
        let mut scope = Scope::whole(facts);
        scope.window_ns = Some(command.span_ns);
        disk_requests(view, &scope, true, |request| {
            let Some(disk) = request.disk.filter(|_| disks.requests.len() < MOST) else {
                return;
            };
            let process = request.process;
            let is_kernel = process
                .and_then(|id| facts.process(id))
                .is_none_or(|row| row.is_kernel != 0);
            let whose = match process {
                Some(id) if command.has_process(id) => Whose::Own,
                Some(id) if !is_kernel => Whose::Other(id),
                _ if request.operation == DiskOperation::Write => Whose::WrittenBack,
                _ => Whose::Unknown,
            };
            disks.requests.push(Request {
                whose,
                thread: request.thread,
                disk,
                from_ns: request.start_ns,
                to_ns: request.end_ns,
                bytes: request.size_bytes,
            });
        })?;
        disks.estimate_ends();
        disks.recorder = recorder(view, facts)?;
        let is_back = |one: &Request| one.whose == Whose::WrittenBack;
        if disks.requests.iter().any(is_back) && facts.has(Capability::Files) {
            let names = names.get()?;
            let (written, has_synced) = (&mut disks.written, &mut disks.has_synced);
            counted_file_calls(view, &scope, |calls| {
                *has_synced |=
                    calls.operation == FileOperation::Sync && command.has_process(calls.process);
                if calls.operation == FileOperation::Write {
                    let device = names.get(calls.file).and_then(|row| row.device);
                    let of_device = written.entry(device).or_default();
                    let sum = of_device.entry(calls.process).or_default();
                    *sum = sum.saturating_add(calls.sum.bytes.unwrap_or(0).max(0));
                }
            })?;
        }
        Ok(disks)
    }

    /// A request of another process whose completion was not seen lasts until its next one, but not for long.
    fn estimate_ends(&mut self) {
        self.requests.sort_by_key(|one| one.from_ns);
        let mut next: BTreeMap<ProcessId, i64> = BTreeMap::new();
        for one in self.requests.iter_mut().rev() {
            if let Whose::Other(process) = one.whose {
                let later = next.insert(process, one.from_ns);
                let most_ns = one.from_ns.saturating_add(UNSEEN_NS);
                let until = later.map(|ns| ns.min(most_ns));
                one.to_ns = one.to_ns.or(until);
            }
        }
    }

    /// Returns the other program that had requests at the command's disk for most of the time that it waited.
    pub fn neighbour(&self, facts: &Facts, command: &Command, waited: &Spans) -> Option<Neighbour> {
        let disk = self.disk(waited)?;
        let writer = self.writer(command, disk);
        let there = self.requests.iter().filter(|one| one.disk == disk);
        let there = there.map(|one| (one, one.until_ns()));
        let there = there.filter(|(one, to_ns)| waited.within(one.from_ns, *to_ns) > 0);
        let mut all: (i64, i64) = (0, 0);
        let mut others: BTreeMap<&str, Vec<(ProcessId, &Request, i64)>> = BTreeMap::new();
        for (one, to_ns) in there {
            all = (all.0.saturating_add(1), all.1.saturating_add(one.bytes));
            let whose = match one.whose {
                Whose::Other(process) => Some(process),
                Whose::WrittenBack => writer,
                Whose::Own | Whose::Unknown => None,
            };
            let process = whose.filter(|&id| Some(id) != self.recorder);
            if let Some(process) = process
                && let Some(row) = facts.process(process)
            {
                others
                    .entry(&row.name)
                    .or_default()
                    .push((process, one, to_ns));
            }
        }
        let spans = |all: &[(ProcessId, &Request, i64)]| {
            Spans::new(all.iter().map(|(_, one, to_ns)| (one.from_ns, *to_ns)))
        };
        let most = others.into_values().map(|all| (spans(&all), all));
        let (busy, own) = most.max_by_key(|(busy, _)| busy.overlap(waited))?;
        let mut bytes: BTreeMap<ProcessId, i64> = BTreeMap::new();
        for (process, one, _) in &own {
            let sum = bytes.entry(*process).or_default();
            *sum = sum.saturating_add(one.bytes);
        }
        let (&process, _) = bytes.iter().max_by_key(|&(_, &bytes)| bytes)?;
        Some(Neighbour {
            process,
            processes: i64::try_from(bytes.len()).unwrap_or(i64::MAX),
            disk,
            when: busy.common(waited),
            requests: i64::try_from(own.len()).unwrap_or(i64::MAX),
            bytes: bytes.into_values().fold(0, i64::saturating_add),
            all_requests: all.0,
            all_bytes: all.1,
            typical_ns: self.typical(disk, &busy),
        })
    }

    /// Returns the disk that the command's requests were at for most of the time that it waited; without any, the one
    /// that was busiest then, because the kernel may write for it.
    fn disk(&self, waited: &Spans) -> Option<i32> {
        let most = |wanted: &dyn Fn(&Request) -> bool| {
            let mut sums: BTreeMap<i32, i64> = BTreeMap::new();
            for one in self.requests.iter().filter(|one| wanted(one)) {
                let sum = sums.entry(one.disk).or_default();
                *sum = sum.saturating_add(waited.within(one.from_ns, one.until_ns()));
            }
            let most = sums.into_iter().filter(|&(_, ns)| ns > 0);
            most.max_by_key(|&(_, ns)| ns).map(|(disk, _)| disk)
        };
        most(&|one| one.whose == Whose::Own).or_else(|| most(&|_| true))
    }

    /// Returns the process whose data the kernel writes back to a disk, if that is clear: it wrote nearly all that was
    /// written to files there, on a part of the disk, or at an unknown place. What a command syncs is its own.
    fn writer(&self, command: &Command, disk: i32) -> Option<ProcessId> {
        if self.has_synced {
            return None;
        }
        // The numbers of a disk's parts follow its own, except where disks share a number for all of them.
        let is_part =
            |device: i32| device & !MOST_PARTS == disk && !OTHERWISE.contains(&(device >> 20));
        let is_there = |device: i32| device == disk || is_part(device);
        let there = self.written.iter();
        let there = there.filter(|&(device, _)| device.is_none_or(is_there));
        let mut written: BTreeMap<ProcessId, i64> = BTreeMap::new();
        for (&process, &bytes) in there.flat_map(|(_, by)| by) {
            let sum = written.entry(process).or_default();
            *sum = sum.saturating_add(bytes);
        }
        let all = written.values().copied().fold(0, i64::saturating_add);
        let (&process, &most) = written.iter().max_by_key(|&(_, &bytes)| bytes)?;
        let is_clear = i128::from(most) * 100 >= i128::from(all) * NEARLY_ALL && most > 0;
        (is_clear && !command.has_process(process)).then_some(process)
    }

    /// Returns how long requests of the command took that began while another had one there, and while it had none.
    fn typical(&self, disk: i32, busy: &Spans) -> Option<(i64, i64)> {
        let (mut within, mut without) = (Vec::new(), Vec::new());
        let own = self.requests.iter();
        for one in own.filter(|one| one.disk == disk && one.whose == Whose::Own) {
            let Some(to_ns) = one.to_ns else {
                continue;
            };
            let ns = to_ns.saturating_sub(one.from_ns);
            // A long request overlaps others more often, whether they slow it or not.
            match busy.within(one.from_ns, one.from_ns.saturating_add(1)) > 0 {
                true => within.push(ns),
                false => without.push(ns),
            }
        }
        Some((median(within)?, median(without)?))
    }
}

/// Returns the middle one of some times; `None` if there are too few.
fn median(mut times: Vec<i64>) -> Option<i64> {
    let middle = times.len() / 2;
    (times.len() >= FEW).then(|| *times.select_nth_unstable(middle).1)
}
