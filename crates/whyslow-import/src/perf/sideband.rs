//! Side-band records: processes, threads, mappings, losses.
//!
//! The recorder writes what existed before as the same records, with time 0.

use whyslow_model::{ProblemKind, WaitReason};
use whyslow_perfdata::{Mmap, Record, RecordBody, Task};
use whyslow_settle::{Module, ModuleKind};

use super::{Frontend, time};
use crate::error::Error;
use crate::event::{Event, EventKind, Mapping, ProcessFacts, Switch};
use crate::importer::hex;
use crate::payload::perf::lossy;

/// All kernel threads are children of this process.
const KTHREADD: u32 = 2;
/// Stands for no thread: the other side of a switch is not reported.
const NOBODY: u32 = u32::MAX;
/// On a switch record: the thread was still runnable.
const SWITCH_OUT_PREEMPT: u16 = 1 << 14;

impl Frontend<'_> {
    pub(super) fn side_band(&mut self, record: &Record<'_>) -> Result<(), Error> {
        match record.body {
            RecordBody::Mmap(mmap) => self.mmap(record, &mmap),
            RecordBody::Comm {
                pid,
                tid,
                exec,
                name,
            } => self.comm(record, (pid, tid), exec, name),
            RecordBody::Fork(task) => self.fork(record, task),
            RecordBody::Exit(task) => match (id(task.pid), id(task.tid)) {
                (Some(pid), Some(tid)) => {
                    if pid == tid {
                        self.dumps.exit(pid);
                    }
                    self.event(record, EventKind::Exit { pid, tid })
                }
                _ => Ok(()),
            },
            RecordBody::Lost { count, .. } => self.lost(record, count),
            RecordBody::LostSamples { count } => self.lost(record, count),
            RecordBody::Switch { out, other } if self.session.has_switch_records => {
                self.switch_record(record, out, other)
            }
            RecordBody::Switch {
                out: false,
                other: Some((0, 0)),
            } => self.entered_from_idle(record),
            RecordBody::Ksymbol {
                address,
                length,
                removed,
                name,
            } => {
                let base = address;
                if removed {
                    return self.event(record, EventKind::Unmapping { pid: None, base });
                }
                let module = self.module(&format!("[bpf]{}", lossy(name)), &[], None);
                let size_bytes = u64::from(length);
                self.map(record, (None, module), (base, size_bytes, 0))
            }
            _ => Ok(()),
        }
    }

    fn comm(
        &mut self,
        record: &Record<'_>,
        (pid, tid): (i32, i32),
        is_exec: bool,
        name: &[u8],
    ) -> Result<(), Error> {
        let (Some(pid), Some(tid)) = (id(pid), id(tid)) else {
            return Ok(());
        };
        self.count_odd_text(record, name);
        let name = self.importer.text(&lossy(name));
        if is_exec && time(record).is_some() {
            self.dumps.exec(pid);
            let old_tid = None;
            return self.event(record, EventKind::Exec { pid, old_tid, name });
        }
        if pid == KTHREADD && tid == KTHREADD {
            self.kernel_process(record, pid)?;
        }
        match name {
            Some(name) => self.event(record, EventKind::Rename { pid, tid, name }),
            None => Ok(()),
        }
    }

    fn fork(&mut self, record: &Record<'_>, task: Task) -> Result<(), Error> {
        let (Some(pid), Some(tid)) = (id(task.pid), id(task.tid)) else {
            return Ok(());
        };
        let parent_pid = id(task.parent_pid).unwrap_or(0);
        let mut kind = EventKind::ThreadStart { pid, tid };
        if pid != parent_pid {
            if time(record).is_none() && (pid == KTHREADD || parent_pid == KTHREADD) {
                self.kernel_process(record, pid)?;
            }
            self.dumps.fork(parent_pid, pid);
            kind = EventKind::Fork {
                parent_pid,
                pid,
                tid,
            };
        }
        // A thread born before that time is one of the existing threads, and may have run since.
        let time_ns = time(record).filter(|_| !self.is_before(record));
        let cpu = record.cpu.filter(|_| time_ns.is_some());
        Ok(self.importer.event(&Event { time_ns, cpu, kind })?)
    }

    fn kernel_process(&mut self, record: &Record<'_>, pid: u32) -> Result<(), Error> {
        let is_kernel = Some(true);
        let facts = ProcessFacts {
            pid,
            is_kernel,
            ..ProcessFacts::default()
        };
        self.event(record, EventKind::Process(facts))
    }

    fn lost(&mut self, record: &Record<'_>, count: u64) -> Result<(), Error> {
        if time(record).is_some() {
            self.counts.lost_in_time = self.counts.lost_in_time.saturating_add(count);
            return self.event(
                record,
                EventKind::Lost {
                    count,
                    since_ns: None,
                },
            );
        }
        // This is a total reported at the end; it includes losses reported before.
        let rest = count.saturating_sub(self.counts.lost_in_time);
        self.counts.lost_in_time = self.counts.lost_in_time.saturating_sub(count);
        self.importer.problems().add_many(
            ProblemKind::LostEvents,
            rest,
            Some(record.offset),
            None,
            || format!("{rest} events, at times the recorder did not note"),
        );
        Ok(())
    }

    /// A thread came onto a CPU that was idle, according to the thread's own switch record.
    ///
    /// The tracepoint of the same switch is written in the idle thread's context; some kernels
    /// write none there (seen: Linux 6.18 in a Firecracker machine, the idle thread of CPU 1).
    fn entered_from_idle(&mut self, record: &Record<'_>) -> Result<(), Error> {
        let (Some(in_tid), Some(cpu)) = (record.tid.and_then(id), record.cpu) else {
            return Ok(());
        };
        if self.importer.is_running(cpu, in_tid) {
            return Ok(());
        }
        let switch = Switch {
            out_pid: Some(0),
            ..Switch::bare(0, in_tid, WaitReason::Idle)
        };
        self.event(record, EventKind::Switch(switch))
    }

    fn switch_record(
        &mut self,
        record: &Record<'_>,
        is_out: bool,
        other: Option<(i32, i32)>,
    ) -> Result<(), Error> {
        let Some(own) = record.tid.and_then(id) else {
            return Ok(());
        };
        let other = other.and_then(|(_, tid)| id(tid));
        if !is_out && other.is_some() {
            // The record of the thread that left named this one.
            return Ok(());
        }
        let is_preempted = record.misc & SWITCH_OUT_PREEMPT != 0;
        let reason = if is_preempted {
            WaitReason::Preempted
        } else {
            WaitReason::Unknown
        };
        let (out_tid, in_tid) = if is_out {
            (own, other.unwrap_or(NOBODY))
        } else {
            (NOBODY, own)
        };
        let switch = Switch {
            out_pid: record.pid.and_then(id).filter(|_| is_out),
            ..Switch::bare(out_tid, in_tid, reason)
        };
        self.event(record, EventKind::Switch(switch))
    }

    fn mmap(&mut self, record: &Record<'_>, mmap: &Mmap<'_>) -> Result<(), Error> {
        // `perf record --buildid-mmap` writes no protection for the kernel's mappings.
        if !mmap.executable && !mmap.kernel {
            return Ok(());
        }
        self.count_odd_text(record, mmap.path);
        let path = lossy(mmap.path);
        let pid = id(mmap.pid).filter(|_| !mmap.kernel);
        if let Some(pid) = pid {
            self.dumps.mapping(pid, mmap);
        }
        let module = self.module(&path, mmap.build_id, pid);
        if let (Some(module), Some(pid)) = (module, pid)
            && module.kind == ModuleKind::Elf
        {
            self.importer.suggest_path(pid, time(record), module.path);
        }
        let range = (mmap.address, mmap.length, mmap.file_offset);
        self.map(record, (pid, module), range)
    }

    fn map(
        &mut self,
        record: &Record<'_>,
        (pid, module): (Option<u32>, Option<Module>),
        (base, size_bytes, file_offset): (u64, u64, u64),
    ) -> Result<(), Error> {
        let Some(module) = module.and_then(|module| self.importer.module(module)) else {
            return Ok(());
        };
        let mapping = Mapping {
            pid,
            module,
            base,
            size_bytes,
            file_offset,
            from_ns: time(record),
            to_ns: None,
            function: None,
        };
        self.event(record, EventKind::Mapping(mapping))
    }

    /// Returns the module that a mapping's name means.
    fn module(&mut self, name: &str, build_id: &[u8], pid: Option<u32>) -> Option<Module> {
        let kind = kind_of(name, pid.is_none());
        let path = match (kind, pid) {
            // The file that names code made at run time is per process.
            (ModuleKind::Jit, Some(pid)) => self.importer.text(&format!("/tmp/perf-{pid}.map")),
            // The reference symbol behind the bracket is not part of the kernel's name.
            (ModuleKind::Kernel, _) => {
                let end = name.find(']').map_or(name.len(), |end| end + 1);
                self.importer.text(name.get(..end).unwrap_or(name))
            }
            _ => self
                .importer
                .text(name.strip_suffix(" (deleted)").unwrap_or(name)),
        };
        let mut module = Module::new(path?, kind);
        if build_id.iter().any(|&byte| byte != 0) {
            module.build_id = self.importer.text(&hex(build_id));
        }
        Some(module)
    }

    fn count_odd_text(&mut self, record: &Record<'_>, text: &[u8]) {
        if std::str::from_utf8(text).is_err() {
            let kind = ProblemKind::NotUtf8;
            self.importer
                .problems()
                .add(kind, Some(record.offset), || lossy(text));
        }
    }
}

/// Kind of a mapping by the name perf gives it.
fn kind_of(name: &str, is_kernel: bool) -> ModuleKind {
    if is_kernel {
        let is_core = name.starts_with("[kernel.") || name.starts_with("[guest.kernel.");
        return if is_core {
            ModuleKind::Kernel
        } else {
            ModuleKind::KernelModule
        };
    }
    let is_jit = |name: &str| {
        matches!(
            name,
            "" | "//anon" | "[heap]" | "/dev/zero" | "/dev/zero (deleted)"
        ) || name.starts_with("[anon")
            || name.starts_with("[stack")
            || name.starts_with("/memfd:")
            || name.starts_with("/SYSV")
    };
    match name {
        "[vdso]" => ModuleKind::Vdso,
        name if is_jit(name) => ModuleKind::Jit,
        name if name.starts_with('[') || name.starts_with("anon_inode:") => ModuleKind::Anonymous,
        _ => ModuleKind::Elf,
    }
}

fn id(id: i32) -> Option<u32> {
    u32::try_from(id).ok()
}
