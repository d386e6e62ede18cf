//! The eBPF programs that count every system call of every thread (`bpf/syscalls.bpf.c`).
//!
//! ```text
//! sys_enter   whose call it is, and when it began: kept by CPU
//! switch      the same, of a thread that loses the CPU in a call: kept by thread
//! sys_exit    counted by thread, call and result; once a second the thread hands its counts over
//! execve      what was counted for the old program is handed over
//! exit        the call that does not return is counted, and all is handed over
//! ```
//!
//! **Counts, results and errors are exact** at any rate. Where a thread has no room for more kinds of
//! calls, it hands over its counts; if it has just done so, calls of further kinds are counted
//! together. Only counts that a thread cannot hand over when it ends are lost; how many is counted.
//!
//! **Times** are exact while a CPU makes fewer than 50,000 calls per second. Above that, one in
//! sixteen is timed, chosen at random, and counts for sixteen. A call in which its thread loses the
//! CPU is always timed, at least from there on, and counts only for itself. So the total is an
//! unbiased estimate,
//! and no long wait is missed.
//!
//! If a thread repeats a hot call on the same descriptor, with nothing in between, the CPU counts the calls until the
//! next one that is timed, or until the thread leaves the CPU.
//!
//! The same programs see the marks that programs set; see `marks.rs`.
//!
//! The cost falls on the whole machine: with any program at `sys_enter` or `sys_exit`, each system
//! call of each process takes the kernel's slow path.

use std::error::Error;
use std::fs::File;
use std::io::{self, Read};

use aya::maps::PerCpuArray;
use aya::{Ebpf, EbpfLoader, Pod};
use whyslow_perfdata::whyslow_events::{
    CallEnd, CallTable, FileCalls, FileName, Mark, SingleFileCalls, SystemCall, SystemCalls,
};

use crate::clearing;
use crate::clock::now_ns;
use crate::config::Output;
use crate::ends::End;
use crate::error::{BpfError, MISSING};
use crate::file_calls::{self, parse_counts, parse_name, parse_names};
use crate::file_rows::parse_rows;
use crate::links::{Links, program};
use crate::loaded::Loaded;
use crate::loading::{self, FORGET_THREAD};
use crate::marks::parse_mark;
use crate::programs::Programs;
use crate::words::half;

/// The programs, compiled; see `bpf/build`.
static OBJECT: &[u8] = aya::include_bytes_aligned!("../bpf/syscalls.bpf.o");

/// Programs on tracepoints: name in the source, tracepoint. In the order of attaching.
const TRACEPOINTS: [(&str, &str); 5] = [
    ("on_switch", "sched_switch"),
    ("on_exit", "sched_process_exit"),
    ("on_enter", "sys_enter"),
    ("on_leave", "sys_exit"),
    (ON_MEASURED_LEAVE, "sys_exit"),
];
/// Counts a call that ends, too; only others end in it.
const ON_MEASURED_LEAVE: &str = "on_measured_leave";
/// Those that others at the same tracepoint end in.
const ENDS: [(End, &str); 3] = [
    (End::Switch, "on_switch"),
    (End::Call, "on_leave"),
    (End::MeasuredCall, ON_MEASURED_LEAVE),
];
const LIST_COUNTS: &str = "list_counts";

/// Bytes of `struct counts` before its slots, and of a slot.
const HEAD_BYTES: usize = 32;
const SLOT_BYTES: usize = 40;
/// `SLOTS` in the source.
const MOST_SLOTS: usize = 44;
/// Bytes of the list that are read; 2 KB per thread at most.
const MAX_LIST_BYTES: u64 = 256 << 20;
/// Words of `struct cpu`, which of them counts lost calls, and where `struct hot` begins.
const CPU_WORDS: usize = 16;
const LOST_CALLS: usize = 8;
const HOT: usize = 9;

/// What the programs write.
#[derive(Debug)]
pub enum Told {
    /// Counts of system calls of a thread.
    Calls(SystemCalls),
    /// Counts of calls about files of a thread.
    FileCalls(FileCalls),
    /// Single calls about files of a thread.
    SingleFileCalls(SingleFileCalls),
    /// Which files numbers refer to.
    FileNames(Vec<FileName>),
    /// A mark that a program set.
    Mark(Mark),
    /// The full exit code of a child of the recorder; the kernel keeps only 8 bits of it.
    LongCode {
        /// The process.
        pid: u32,
        /// What it passed.
        code: i32,
    },
}

/// How system calls are counted.
#[derive(Clone, Copy, Debug)]
pub struct Counting {
    /// If calls on a CPU follow each other faster than this, one in sixteen is timed; 0: all are, at a
    /// higher cost.
    pub hot_gap_ns: u32,
    /// Calls about files are counted by file, too.
    pub has_files: bool,
    /// How many of them have rows of their own, per second and CPU; 0: none.
    pub file_rows_per_second: u32,
}

/// The loaded programs. Dropping it detaches and unloads them.
pub struct SystemCallCounter {
    ebpf: Ebpf,
    links: Links,
    own_pid: u32,
}

impl Loaded for SystemCallCounter {
    fn object(&self) -> &Ebpf {
        &self.ebpf
    }
}

impl std::fmt::Debug for SystemCallCounter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SystemCallCounter").finish_non_exhaustive()
    }
}

impl SystemCallCounter {
    /// Loads the programs, which then do nothing yet; `outputs` has one event per CPU. The process
    /// `own_pid` is not counted.
    ///
    /// # Errors
    /// See [`BpfError`]; nothing stays loaded then.
    pub fn load(
        own_pid: u32,
        counting: Counting,
        outputs: &[Output<'_>],
    ) -> Result<Self, BpfError> {
        let has_files = u32::from(counting.has_files);
        let has_find_vma = u32::from(loading::finds_mappings());
        let row_cost_ns = match counting.file_rows_per_second {
            0 => 0,
            rows => 1_000_000_000 / u64::from(rows),
        };
        if !cfg!(target_arch = "x86_64") {
            return Err(BpfError::OtherProcessor);
        }
        let btf = loading::kernel_types()?;
        let mut loader = EbpfLoader::new();
        loader
            .btf(Some(&btf))
            .allow_unsupported_maps()
            .override_global("own_pid", &own_pid, true)
            .override_global("has_files", &has_files, true)
            .override_global("hot_gap_ns", &counting.hot_gap_ns, true)
            .override_global("row_cost_ns", &row_cost_ns, true)
            .override_global("has_find_vma", &has_find_vma, true)
            .map_max_entries("output", loading::cpu_count(outputs)?);
        let mut ebpf = loader.load(OBJECT)?;
        loading::set_outputs(&ebpf, outputs)?;
        for (name, tracepoint) in TRACEPOINTS {
            let refused = |error: &(dyn Error + 'static)| BpfError::refused(name, error);
            let program = program(&mut ebpf, name)?;
            loading::again(|| program.load(tracepoint, &btf)).map_err(|error| refused(&error))?;
        }
        for name in [LIST_COUNTS, FORGET_THREAD] {
            loading::load_iterator(&mut ebpf, &btf, name, "task")?;
        }
        Ok(Self {
            ebpf,
            links: Links::default(),
            own_pid,
        })
    }

    /// Starts counting. Where `others` run at the same tracepoints, they end in the programs that count.
    ///
    /// # Errors
    /// [`BpfError`], after which nothing is counted.
    pub fn start(&mut self, mut others: Option<&mut Programs>) -> Result<(), BpfError> {
        if let Some(others) = &others {
            others.share_sums(&self.ebpf)?;
        }
        for (name, _) in TRACEPOINTS {
            if name == ON_MEASURED_LEAVE && others.is_none() {
                continue;
            }
            if let Err(error) = self.start_program(name, others.as_deref_mut()) {
                self.detach(others)?;
                return Err(error);
            }
        }
        Ok(())
    }

    fn start_program(
        &mut self,
        name: &'static str,
        others: Option<&mut Programs>,
    ) -> Result<(), BpfError> {
        let refused = |error: &(dyn Error + 'static)| BpfError::refused(name, error);
        let program = program(&mut self.ebpf, name)?;
        let end = ENDS.iter().find(|(_, ended_in)| *ended_in == name);
        if let (Some(&(end, _)), Some(others)) = (end, others) {
            let program = program.fd().map_err(|error| refused(&error))?;
            return others.ends.set(end, Some(program));
        }
        self.links.attach(&mut self.ebpf, name)
    }

    /// Forgets all counts, after [`SystemCallCounter::stop`]: it can start again as if it had just been loaded. No
    /// program may run that had begun before.
    ///
    /// # Errors
    /// [`BpfError`]; then it cannot be used any more.
    pub fn forget(&mut self) -> Result<(), BpfError> {
        clearing::forget_threads(&mut self.ebpf)?;
        clearing::clear(&self.ebpf, &[])
    }

    /// Stops counting, and returns what the living threads have not handed over.
    ///
    /// # Errors
    /// [`BpfError`] if the threads cannot be listed.
    pub fn stop(&mut self, others: Option<&mut Programs>) -> Result<Vec<Told>, BpfError> {
        self.detach(others)?;
        // A program that is running on another CPU at this moment ends within microseconds.
        std::thread::sleep(std::time::Duration::from_millis(1));
        let file = loading::iterate(&mut self.ebpf, LIST_COUNTS)?;
        let mut left = read_list(file).map_err(|source| BpfError::System {
            what: "list the threads' system calls",
            source,
        })?;
        left.extend(self.cpus()?.iter().flat_map(hot_calls));
        left.retain(|told| told.pid() != Some(self.own_pid));
        Ok(left)
    }

    /// Calls that were not counted because there was no room for their counts.
    ///
    /// # Errors
    /// [`BpfError`] if the kernel does not give the number.
    pub fn lost_calls(&self) -> Result<u64, BpfError> {
        Ok(self.cpus()?.iter().map(|cpu| cpu[LOST_CALLS]).sum())
    }

    /// The state of each CPU, `struct cpu` in the source.
    fn cpus(&self) -> Result<Vec<[u64; CPU_WORDS]>, BpfError> {
        let refused = |error: &(dyn Error + 'static)| BpfError::refused("the counters", error);
        let map = self.ebpf.map("cpus").ok_or(MISSING)?;
        let map: PerCpuArray<_, [u64; CPU_WORDS]> =
            map.try_into().map_err(|error| refused(&error))?;
        let cpus = map.get(&0, 0).map_err(|error| refused(&error))?;
        Ok(cpus.to_vec())
    }

    /// Rows of single calls about files for which there was no room.
    ///
    /// # Errors
    /// [`BpfError`] if the kernel does not give the number.
    pub fn lost_file_rows(&self) -> Result<u64, BpfError> {
        self.sum_of_last::<4>("row_budgets")
    }

    /// Marks for which there was no room, or that were too many per second.
    ///
    /// # Errors
    /// [`BpfError`] if the kernel does not give the number.
    pub fn lost_marks(&self) -> Result<u64, BpfError> {
        self.sum_of_last::<3>("mark_budgets")
    }

    /// Calls about files that were not counted by file because there was no room for it.
    ///
    /// # Errors
    /// [`BpfError`] if the kernel does not give the number.
    pub fn lost_file_calls(&self) -> Result<u64, BpfError> {
        self.sum("lost_file_calls")
    }

    /// Names of files for which there was no room.
    ///
    /// # Errors
    /// [`BpfError`] if the kernel does not give the number.
    pub fn lost_file_names(&self) -> Result<u64, BpfError> {
        self.sum("lost_names")
    }

    /// The sum of the only number of a map, over all CPUs.
    fn sum(&self, map: &'static str) -> Result<u64, BpfError> {
        self.sum_of_last::<1>(map)
    }

    /// The sum of the last of the `WORDS` numbers of a map, over all CPUs.
    fn sum_of_last<const WORDS: usize>(&self, map: &'static str) -> Result<u64, BpfError>
    where
        [u64; WORDS]: Pod,
    {
        let refused = |error: &(dyn Error + 'static)| BpfError::refused("the counters", error);
        let map = self.ebpf.map(map).ok_or(MISSING)?;
        let map: PerCpuArray<_, [u64; WORDS]> = map.try_into().map_err(|error| refused(&error))?;
        let cpus = map.get(&0, 0).map_err(|error| refused(&error))?;
        Ok(cpus.iter().filter_map(|cpu| cpu.last()).sum())
    }

    fn detach(&mut self, others: Option<&mut Programs>) -> Result<(), BpfError> {
        let mut others = others;
        let mut clear = |switch: bool| {
            let ends = ENDS.iter().map(|&(end, _)| end);
            let mut ends = ends.filter(|&end| (end == End::Switch) == switch);
            match &mut others {
                Some(others) => ends.try_for_each(|end| others.ends.set(end, None)),
                None => Ok(()),
            }
        };
        clear(false)?;
        self.links.detach(&mut self.ebpf)?;
        // As long as calls are counted, so are switches: they say which thread's calls these are.
        clear(true)
    }
}

impl Told {
    fn pid(&self) -> Option<u32> {
        match self {
            Self::Calls(calls) => Some(calls.pid),
            Self::FileCalls(calls) => Some(calls.pid),
            Self::SingleFileCalls(calls) => Some(calls.pid),
            Self::FileNames(_) | Self::Mark(_) | Self::LongCode { .. } => None,
        }
    }
}

/// Reads what the iterator writes.
fn read_list(file: File) -> io::Result<Vec<Told>> {
    let mut bytes = Vec::new();
    file.take(MAX_LIST_BYTES).read_to_end(&mut bytes)?;
    let mut rest = bytes.as_slice();
    let mut list = Vec::new();
    while let Some((told, size)) = parse(rest) {
        list.push(told);
        rest = rest.get(size..).unwrap_or_default();
    }
    Ok(list)
}

/// Reads what the programs write, and returns how many bytes it took. `None` if it is cut off, or of
/// other
/// programs.
pub fn parse(bytes: &[u8]) -> Option<(Told, usize)> {
    const CALLS: u16 = 0;
    const FILE_CALLS: u16 = 1;
    const FILE_NAME: u16 = 2;
    const FILE_ROW: u16 = 3;
    const FILE_NAMES: u16 = 4;
    const MARK: u16 = 5;
    const LONG_CODE: u16 = 6;
    let kind = u16::from_ne_bytes(*bytes.get(24..)?.first_chunk()?);
    match kind {
        CALLS => parse_calls(bytes).map(|(calls, size)| (Told::Calls(calls), size)),
        FILE_CALLS => parse_counts(bytes).map(|(calls, size)| (Told::FileCalls(calls), size)),
        FILE_ROW => parse_rows(bytes).map(|(calls, size)| (Told::SingleFileCalls(calls), size)),
        FILE_NAME => parse_name(bytes).map(|name| (Told::FileNames(vec![name]), bytes.len())),
        FILE_NAMES => parse_names(bytes).map(|(names, size)| (Told::FileNames(names), size)),
        LONG_CODE => {
            let (pid, code) = (half(bytes, 0)?, half(bytes, 28)?.cast_signed());
            Some((Told::LongCode { pid, code }, HEAD_BYTES))
        }
        MARK => parse_mark(bytes).map(|(mark, size)| (Told::Mark(mark), size)),
        _ => None,
    }
}

/// Returns the repeated calls that a CPU counted and their thread has not taken over.
fn hot_calls(cpu: &[u64; CPU_WORDS]) -> Vec<Told> {
    let [.., file, file_key, count, result_sum] = *cpu;
    let bytes: Vec<u8> = cpu[HOT..]
        .iter()
        .flat_map(|word| word.to_ne_bytes())
        .collect();
    let half_at = |at: usize| half(&bytes, at).unwrap_or(0);
    let [key, pid, tid, has_file] = [0, 4, 8, 16].map(half_at);
    if count == 0 {
        return Vec::new();
    }
    // As slots; none of these calls was timed.
    let now_ns = now_ns();
    let slot = [u64::from(key), count, result_sum, 0, 0].map(u64::to_ne_bytes);
    let call = parse_slot(slot.as_flattened()).map(|call| {
        Told::Calls(SystemCalls {
            pid,
            tid,
            from_ns: now_ns,
            to_ns: now_ns,
            is_exiting: false,
            calls: vec![call],
        })
    });
    let file_key = file_key & u64::from(u32::MAX);
    let slot = [file, file_key, count, result_sum, 0, 0].map(u64::to_ne_bytes);
    let of_file = file_calls::parse_slot(slot.as_flattened()).filter(|_| has_file != 0);
    let of_file = of_file.map(|call| {
        Told::FileCalls(FileCalls {
            pid,
            tid,
            from_ns: now_ns,
            to_ns: now_ns,
            calls: vec![call],
        })
    });
    call.into_iter().chain(of_file).collect()
}

/// Reads the counts of one thread.
fn parse_calls(bytes: &[u8]) -> Option<(SystemCalls, usize)> {
    let half =
        |at: usize| -> Option<u32> { Some(u32::from_ne_bytes(*bytes.get(at..)?.first_chunk()?)) };
    let word =
        |at: usize| -> Option<u64> { Some(u64::from_ne_bytes(*bytes.get(at..)?.first_chunk()?)) };
    let is_exiting = u16::from_ne_bytes(*bytes.get(26..)?.first_chunk()?);
    let used = usize::try_from(half(28)?).ok()?;
    if used > MOST_SLOTS {
        return None;
    }
    let size = HEAD_BYTES + used * SLOT_BYTES;
    let slots = bytes.get(HEAD_BYTES..size)?;
    let calls = slots
        .chunks_exact(SLOT_BYTES)
        .map(parse_slot)
        .collect::<Option<_>>()?;
    let counts = SystemCalls {
        pid: half(0)?,
        tid: half(4)?,
        from_ns: word(8)?,
        to_ns: word(16)?,
        is_exiting: is_exiting != 0,
        calls,
    };
    Some((counts, size))
}

/// Reads a slot; its key is described in the source.
fn parse_slot(slot: &[u8]) -> Option<SystemCall> {
    const NO_RETURN: u32 = 1 << 28;
    const OTHERS: u32 = 1 << 29;
    let half =
        |at: usize| -> Option<u32> { Some(u32::from_ne_bytes(*slot.get(at..)?.first_chunk()?)) };
    let word =
        |at: usize| -> Option<u64> { Some(u64::from_ne_bytes(*slot.get(at..)?.first_chunk()?)) };
    let key = half(0)?;
    let table = match key >> 12 & 3 {
        0 => CallTable::Native,
        1 => CallTable::Bits32,
        2 => CallTable::X32,
        _ => return None,
    };
    let end = match key {
        _ if key & OTHERS != 0 => CallEnd::Others,
        _ if key & NO_RETURN != 0 => CallEnd::Never,
        _ => CallEnd::Returned,
    };
    Some(SystemCall {
        number: u16::try_from(key & 0xfff).ok()?,
        table,
        end,
        error: u16::try_from(key >> 16 & 0xfff).ok()?,
        timed_count: half(4)?.into(),
        count: word(8)?,
        result_sum: word(16)?,
        time_ns: word(24)?,
        longest_ns: word(32)?,
    })
}

#[cfg(test)]
mod tests {
    use whyslow_testenv::{Feature, has};

    use super::*;

    #[test]
    fn what_is_forgotten_is_not_counted_again() {
        if !has(Feature::Bpf) {
            return;
        }
        let counting = Counting {
            hot_gap_ns: 20_000,
            has_files: true,
            file_rows_per_second: 5_000,
        };
        let mut counter = SystemCallCounter::load(0, counting, &[]).unwrap();
        for _ in 0..2 {
            counter.start(None).unwrap();
            // There is no ring: all counts stay where they are.
            for _ in 0..100 {
                std::fs::metadata("/proc/self/stat").unwrap();
            }
            let left = counter.stop(None).unwrap();
            let pid = std::process::id();
            let own: Vec<_> = left.iter().filter(|told| told.pid() == Some(pid)).collect();
            assert!(own.iter().any(|told| matches!(told, Told::FileCalls(_))));
            counter.forget().unwrap();
            assert!(counter.stop(None).unwrap().is_empty());
            assert_eq!(counter.lost_calls().unwrap(), 0);
        }
    }

    #[test]
    fn hot_calls_that_no_thread_took_over_are_counted() {
        let halves = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let mut cpu = [0; CPU_WORDS];
        cpu[HOT] = halves(17 | 1 << 31, 700);
        cpu[HOT + 1] = halves(701, 5);
        cpu[HOT + 2] = halves(1, 3);
        cpu[HOT + 3] = 0xf11e;
        cpu[HOT + 4] = halves(5, 99);
        assert!(hot_calls(&cpu).is_empty());
        (cpu[HOT + 5], cpu[HOT + 6]) = (12, 120);
        let told = hot_calls(&cpu);
        let [Told::Calls(calls), Told::FileCalls(files)] = &told[..] else {
            panic!("{told:?}");
        };
        assert_eq!((calls.pid, calls.tid), (700, 701));
        let call = &calls.calls[0];
        assert_eq!((call.number, call.count, call.result_sum), (17, 12, 120));
        let file = &files.calls[0];
        assert_eq!((file.file, file.operation, file.count), (0xf11e, 5, 12));
        cpu[HOT + 2] = 0;
        assert_eq!(hot_calls(&cpu).len(), 1, "about no file");
    }
}
