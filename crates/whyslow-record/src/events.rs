//! The events of a recording: what each asks of the kernel and what its samples look like in the
//! file.
//!
//! All samples start alike (`IDENTIFIER | IP | TID | TIME | CPU`), because they share rings. What
//! follows differs between the kernel's side and the file where the recorder rewrites: a stack
//! dump comes in, a call chain goes out.

use whyslow_perfdata::abi::{event_type, read_format, sample, software};
use whyslow_perfdata::whyslow_events;
use whyslow_perfdata::writer::{AttrFlag, EventAttr};

use crate::settings::Settings;
use crate::sys::clock::RECORDING_CLOCK;

/// The first id for events that no kernel event feeds; the kernel counts its ids from 1.
pub(crate) const OWN_IDS: u64 = 0x7fff_0000_0000_0000;

/// What every sample starts with.
const BASE: u64 = sample::IDENTIFIER | sample::IP | sample::TID | sample::TIME | sample::CPU;

/// What an event is to the recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EventKind {
    /// Names, forks, exits and mappings.
    SideBand,
    /// `SWITCH` records, to find switches that the kernel does not report.
    SwitchNote,
    /// CPU samples.
    CpuClock,
    /// Switches with the stack of the thread that leaves.
    Switch,
    /// Switches without stack: runs only while stacks are limited.
    SwitchBare,
    /// Wake-ups with the waker's stack.
    Waking,
    /// Wake-ups without stack: runs only while stacks are limited.
    WakingBare,
    /// First wake-ups of new threads.
    WakeupNew,
    /// A program's file name at `exec`.
    ProcessExec,
    /// The start or the end of an operation, such as a disk request.
    Operation,
    /// A stall for lack of memory; not every kernel is built with all of them.
    Stall,
    /// Page faults that had to read from a disk.
    MajorFault,
    /// What eBPF programs say; becomes the three that follow, and switches.
    BpfOutput,
    /// Switches that eBPF programs report with the stack of the thread that leaves.
    BpfChained,
    /// What the eBPF programs that read the frames of Python programs say; goes into the stacks.
    PythonOutput,
    /// What wakes the recorder when a process starts a new program.
    Bell,
    /// What the eBPF programs that count system calls say; becomes counts, rows, names and marks.
    SystemCallOutput,
    /// Counts of system calls.
    SystemCalls,
    /// What the eBPF programs that follow the network say; becomes the three that follow.
    NetworkOutput,
    /// What the eBPF programs that report requests to disks say; becomes [`Self::Operation`].
    DiskOutput,
    /// TCP connections.
    Tcp,
    /// Packets to and from name servers.
    DnsPacket,
    /// Names that programs look up.
    NameLookup,
    /// Counts of calls about files.
    FileCalls,
    /// Single calls about files.
    SingleFileCalls,
    /// Which file a number refers to.
    FileName,
    /// Marks that programs set.
    Mark,
    /// User halves of stacks.
    UserStack,
    /// Command lines, from eBPF and from `/proc`.
    ExecArguments,
    /// Exit codes.
    ExitCode,
    /// States of threads, made by the recorder.
    ThreadState,
    /// CPUs that threads may use, from eBPF and from the kernel when recording starts.
    Affinity,
    /// What waits are for.
    WaitObject,
    /// Which process is in which group.
    GroupMember,
    /// Figures of groups.
    Group,
    /// A process that moves to another group.
    GroupMove,
    /// Functions that an interpreter runs.
    Code,
    /// What goroutines do.
    Goroutine,
    /// How much memory processes have.
    ProcessMemory,
    /// A tracepoint of the settings.
    Extra,
}

/// One event: what to ask of the kernel, and how the file describes it.
#[derive(Clone, Debug)]
pub(crate) struct EventSpec {
    pub(crate) kind: EventKind,
    pub(crate) name: String,
    /// What the kernel is asked for.
    pub(crate) attr: EventAttr,
    /// What the file says of the samples that are written.
    pub(crate) file_sample_type: u64,
}

impl EventSpec {
    /// The attribute as it describes the samples in the file.
    pub(crate) fn file_attr(&self) -> EventAttr {
        let mut attr = self.attr.clone();
        attr.sample_type = self.file_sample_type;
        attr.read_format = read_format::ID;
        attr.sample_regs_user = 0;
        attr.sample_stack_user = 0;
        attr.set(AttrFlag::ExcludeCallchainUser, false);
        attr
    }

    /// Whether its samples bring registers and stack memory to unwind.
    pub(crate) fn has_dump(&self) -> bool {
        self.attr.sample_type & sample::STACK_USER != 0
    }
}

impl EventKind {
    /// Whether the file does not know the event: its samples are written as those of others.
    pub(crate) fn is_hidden(self) -> bool {
        self.is_bare()
            || matches!(
                self,
                Self::BpfOutput
                    | Self::BpfChained
                    | Self::PythonOutput
                    | Self::Bell
                    | Self::SystemCallOutput
                    | Self::NetworkOutput
                    | Self::DiskOutput
                    | Self::SwitchNote
            )
    }

    /// Whether it may also be recorded as a further tracepoint, which is then enough.
    pub(crate) fn may_be_asked_for(self) -> bool {
        matches!(self, Self::Operation | Self::Stall)
    }

    /// Whether the settings do without it.
    pub(crate) fn is_left_out(self, settings: &Settings) -> bool {
        match self {
            Self::Operation => !settings.record_disks,
            Self::Stall => !settings.record_memory,
            _ => false,
        }
    }

    /// Whether it is the same without stack, switched on by the limiter only.
    pub(crate) fn is_bare(self) -> bool {
        matches!(self, Self::SwitchBare | Self::WakingBare)
    }
}

/// What decides how events look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    /// Own processes only: no tracepoints.
    pub(crate) is_own_only: bool,
    /// What happens inside the kernel is recorded too.
    pub(crate) has_kernel: bool,
    /// The kernel can count lost samples per event.
    pub(crate) has_lost_count: bool,
    /// Registers that the unwinder wants, as a mask of `PERF_REG_*` bits; 0: no dumps.
    pub(crate) user_registers: u64,
    /// The kernel puts build ids into mappings.
    pub(crate) has_build_ids: bool,
}

/// The side-band, which must be opened first: it owns the rings.
pub(crate) fn side_band(scope: Scope, watermark_bytes: u32) -> EventSpec {
    let mut attr = software(software::DUMMY, scope)
        .with(AttrFlag::Mmap)
        .with(AttrFlag::Mmap2)
        .with(AttrFlag::Comm)
        .with(AttrFlag::CommExec)
        .with(AttrFlag::Task);
    attr.set(AttrFlag::BuildId, scope.has_build_ids);
    // Without rights, the context switches of own processes are all that the scheduler shows.
    attr.set(AttrFlag::ContextSwitch, scope.is_own_only);
    attr.sample_period = 1;
    attr.wakeup = watermark_bytes;
    spec(EventKind::SideBand, "dummy:HG", attr, 0)
}

/// `SWITCH` records; see `switch_chain`.
pub(crate) fn switch_notes(scope: Scope) -> EventSpec {
    let mut attr = software(software::DUMMY, scope).with(AttrFlag::ContextSwitch);
    attr.sample_period = 1;
    spec(EventKind::SwitchNote, "sched:sched_switch", attr, 0)
}

/// CPU samples. `has_dump`: with registers and stack memory, because no eBPF program brings them.
pub(crate) fn cpu_clock(settings: &Settings, scope: Scope, has_dump: bool) -> EventSpec {
    // The kernel's own user half follows frame pointers, also from one stack of a thread to another.
    let mut attr = software(software::CPU_CLOCK, scope).with(AttrFlag::ExcludeIdle);
    attr.sample_period = 1_000_000_000 / u64::from(settings.sample_hz.max(1));
    attr.sample_type |= sample::CALLCHAIN;
    if has_dump {
        add_dump(&mut attr, settings, scope);
    }
    spec(EventKind::CpuClock, "cpu-clock", attr, sample::CALLCHAIN)
}

/// Page faults that had to read from a disk, with the stack after the fault.
pub(crate) fn major_faults(settings: &Settings, scope: Scope) -> EventSpec {
    let mut attr =
        software(software::PAGE_FAULTS_MAJOR, scope).with(AttrFlag::ExcludeCallchainUser);
    attr.sample_period = 1;
    attr.sample_type |= sample::CALLCHAIN | sample::ADDR;
    add_dump(&mut attr, settings, scope);
    let fields = sample::CALLCHAIN | sample::ADDR;
    spec(EventKind::MajorFault, "major-faults", attr, fields)
}

/// What eBPF programs write. It has the name of the event that most of it becomes, so that its
/// losses are counted there.
pub(crate) fn bpf_output(scope: Scope) -> EventSpec {
    let mut attr = software(software::BPF_OUTPUT, scope);
    attr.sample_period = 1;
    attr.sample_type |= sample::RAW;
    spec(
        EventKind::BpfOutput,
        whyslow_events::EVENT_USER_STACK,
        attr,
        sample::RAW,
    )
}

/// Switches that eBPF programs report with a stack.
pub(crate) fn bpf_chained(scope: Scope) -> EventSpec {
    let mut attr = software(software::BPF_OUTPUT, scope).with(AttrFlag::ExcludeCallchainUser);
    attr.sample_period = 1;
    attr.sample_type |= sample::CALLCHAIN | sample::RAW;
    let fields = sample::CALLCHAIN | sample::RAW;
    spec(EventKind::BpfChained, "sched:sched_switch", attr, fields)
}

/// What the eBPF programs that count system calls write.
pub(crate) fn system_call_output(scope: Scope) -> EventSpec {
    EventSpec {
        kind: EventKind::SystemCallOutput,
        name: whyslow_events::EVENT_SYSTEM_CALLS.to_owned(),
        ..bpf_output(scope)
    }
}

/// What the eBPF programs that follow the network write.
pub(crate) fn network_output(scope: Scope) -> EventSpec {
    EventSpec {
        kind: EventKind::NetworkOutput,
        name: whyslow_events::EVENT_TCP.to_owned(),
        ..bpf_output(scope)
    }
}

/// What the eBPF programs that report requests to disks write.
pub(crate) fn disk_output(scope: Scope) -> EventSpec {
    EventSpec {
        kind: EventKind::DiskOutput,
        name: "block:block_rq_complete".to_owned(),
        ..bpf_output(scope)
    }
}

/// What the eBPF programs that read the frames of Python programs write. What is lost of it is
/// missing in stacks.
pub(crate) fn python_output(scope: Scope) -> EventSpec {
    EventSpec {
        kind: EventKind::PythonOutput,
        ..bpf_output(scope)
    }
}

/// What wakes the recorder: unlike all other events, it does not wait until much has accumulated.
pub(crate) fn bell(scope: Scope) -> EventSpec {
    let mut spec = bpf_output(scope);
    spec.kind = EventKind::Bell;
    spec.attr.set(AttrFlag::Watermark, false);
    spec.attr.wakeup = 1;
    spec
}

/// The events whose samples the recorder writes itself.
pub(crate) fn own_events(scope: Scope) -> [EventSpec; 19] {
    let own = |kind, name| {
        let mut attr = software(software::BPF_OUTPUT, scope);
        attr.sample_period = 1;
        spec(kind, name, attr, sample::CALLCHAIN | sample::RAW)
    };
    [
        own(EventKind::UserStack, whyslow_events::EVENT_USER_STACK),
        own(EventKind::WaitObject, whyslow_events::EVENT_WAIT_OBJECT),
        own(EventKind::ExecArguments, whyslow_events::EVENT_EXEC),
        own(EventKind::ExitCode, whyslow_events::EVENT_EXIT),
        own(EventKind::ThreadState, whyslow_events::EVENT_THREAD),
        own(EventKind::SystemCalls, whyslow_events::EVENT_SYSTEM_CALLS),
        own(EventKind::FileCalls, whyslow_events::EVENT_FILE_CALLS),
        own(EventKind::FileName, whyslow_events::EVENT_FILE_NAME),
        own(
            EventKind::SingleFileCalls,
            whyslow_events::EVENT_SINGLE_FILE_CALLS,
        ),
        own(EventKind::Mark, whyslow_events::EVENT_MARK),
        own(EventKind::Tcp, whyslow_events::EVENT_TCP),
        own(EventKind::DnsPacket, whyslow_events::EVENT_DNS_PACKET),
        own(EventKind::NameLookup, whyslow_events::EVENT_NAME_LOOKUP),
        own(EventKind::Affinity, whyslow_events::EVENT_AFFINITY),
        own(EventKind::GroupMember, whyslow_events::EVENT_GROUP_MEMBER),
        own(EventKind::Group, whyslow_events::EVENT_GROUP),
        own(EventKind::Code, whyslow_events::EVENT_CODE),
        own(EventKind::Goroutine, whyslow_events::EVENT_GOROUTINE),
        own(
            EventKind::ProcessMemory,
            whyslow_events::EVENT_PROCESS_MEMORY,
        ),
    ]
}

/// The event of a tracepoint, with the kernel's call chain if `has_stack`.
pub(crate) fn tracepoint(
    kind: EventKind,
    name: &str,
    id: u64,
    has_stack: bool,
    scope: Scope,
) -> EventSpec {
    let mut attr = base(event_type::TRACEPOINT, id, scope).with(AttrFlag::ExcludeCallchainUser);
    attr.sample_period = 1;
    attr.sample_type |= sample::RAW;
    let is_bare = matches!(kind, EventKind::SwitchBare | EventKind::WakingBare);
    if has_stack && !is_bare {
        attr.sample_type |= sample::CALLCHAIN;
    }
    let chain = if has_stack || is_bare {
        sample::CALLCHAIN
    } else {
        0
    };
    spec(kind, name, attr, chain | sample::RAW)
}

/// The tracepoints of every recording: kind, group, name, with stack.
pub(crate) const TRACEPOINTS: [(EventKind, &str, &str, bool); 20] = [
    (EventKind::Switch, "sched", "sched_switch", true),
    (EventKind::SwitchBare, "sched", "sched_switch", false),
    (EventKind::Waking, "sched", "sched_waking", true),
    (EventKind::WakingBare, "sched", "sched_waking", false),
    (EventKind::WakeupNew, "sched", "sched_wakeup_new", true),
    (EventKind::ProcessExec, "sched", "sched_process_exec", false),
    (EventKind::GroupMove, "cgroup", "cgroup_attach_task", false),
    (EventKind::Operation, "block", "block_rq_insert", false),
    (EventKind::Operation, "block", "block_rq_requeue", false),
    (EventKind::Operation, "block", "block_rq_issue", false),
    (EventKind::Operation, "block", "block_rq_complete", false),
    (
        EventKind::Stall,
        "vmscan",
        "mm_vmscan_direct_reclaim_begin",
        false,
    ),
    (
        EventKind::Stall,
        "vmscan",
        "mm_vmscan_direct_reclaim_end",
        false,
    ),
    (
        EventKind::Stall,
        "vmscan",
        "mm_vmscan_memcg_reclaim_begin",
        false,
    ),
    (
        EventKind::Stall,
        "vmscan",
        "mm_vmscan_memcg_reclaim_end",
        false,
    ),
    (EventKind::Stall, "vmscan", "mm_vmscan_throttled", false),
    (EventKind::Stall, "compaction", "mm_compaction_begin", false),
    (EventKind::Stall, "compaction", "mm_compaction_end", false),
    (EventKind::Stall, "writeback", "balance_dirty_pages", false),
    (EventKind::Stall, "oom", "mark_victim", false),
];

fn software(config: u64, scope: Scope) -> EventAttr {
    base(event_type::SOFTWARE, config, scope)
}

fn base(event_type: u32, config: u64, scope: Scope) -> EventAttr {
    let lost = if scope.has_lost_count {
        read_format::LOST
    } else {
        0
    };
    let mut attr = EventAttr {
        event_type,
        config,
        sample_type: BASE,
        read_format: read_format::ID | lost,
        clock_id: RECORDING_CLOCK,
        ..EventAttr::default()
    }
    .with(AttrFlag::Disabled)
    .with(AttrFlag::SampleIdAll)
    .with(AttrFlag::UseClockId)
    .with(AttrFlag::Watermark);
    attr.set(AttrFlag::Inherit, scope.is_own_only);
    attr.set(AttrFlag::ExcludeKernel, !scope.has_kernel);
    attr.set(AttrFlag::ExcludeHypervisor, !scope.has_kernel);
    attr
}

fn add_dump(attr: &mut EventAttr, settings: &Settings, scope: Scope) {
    if settings.stack_dump_bytes > 0 && scope.user_registers != 0 {
        attr.sample_type |= sample::REGS_USER | sample::STACK_USER;
        attr.sample_regs_user = scope.user_registers;
        // The kernel wants a multiple of 8 that leaves room for the rest of a 64 KB record.
        attr.sample_stack_user = settings.stack_dump_bytes.min(60 << 10).next_multiple_of(8);
    }
}

fn spec(kind: EventKind, name: &str, attr: EventAttr, fields: u64) -> EventSpec {
    EventSpec {
        kind,
        name: name.to_owned(),
        attr,
        file_sample_type: BASE | fields,
    }
}
