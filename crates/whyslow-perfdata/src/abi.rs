//! Numbers of the perf ABI, each in one place for reader and writer.
//!
//! Source of knowledge: `linux/perf_event.h` (records of the kernel, attributes, samples) and
//! `tools/perf/Documentation/perf.data-file-format.txt` (records of the perf tool, sections).

/// Types of records; up to 63 from the kernel, from 64 on from the perf tool.
pub mod record {
    #![allow(missing_docs, reason = "names of the kernel's and perf's headers")]
    pub const MMAP: u32 = 1;
    pub const LOST: u32 = 2;
    pub const COMM: u32 = 3;
    pub const EXIT: u32 = 4;
    pub const THROTTLE: u32 = 5;
    pub const UNTHROTTLE: u32 = 6;
    pub const FORK: u32 = 7;
    pub const READ: u32 = 8;
    pub const SAMPLE: u32 = 9;
    pub const MMAP2: u32 = 10;
    pub const AUX: u32 = 11;
    pub const ITRACE_START: u32 = 12;
    pub const LOST_SAMPLES: u32 = 13;
    pub const SWITCH: u32 = 14;
    pub const SWITCH_CPU_WIDE: u32 = 15;
    pub const NAMESPACES: u32 = 16;
    pub const KSYMBOL: u32 = 17;
    pub const BPF_EVENT: u32 = 18;
    pub const CGROUP: u32 = 19;
    pub const TEXT_POKE: u32 = 20;
    pub const AUX_OUTPUT_HW_ID: u32 = 21;
    pub const CALLCHAIN_DEFERRED: u32 = 22;
    /// The last of the kernel's types that this reader knows.
    pub const KERNEL_MAX: u32 = 22;

    pub const HEADER_ATTR: u32 = 64;
    pub const EVENT_TYPE: u32 = 65;
    pub const TRACING_DATA: u32 = 66;
    pub const BUILD_ID: u32 = 67;
    pub const FINISHED_ROUND: u32 = 68;
    pub const ID_INDEX: u32 = 69;
    pub const AUXTRACE_INFO: u32 = 70;
    pub const AUXTRACE: u32 = 71;
    pub const AUXTRACE_ERROR: u32 = 72;
    pub const THREAD_MAP: u32 = 73;
    pub const CPU_MAP: u32 = 74;
    pub const STAT_CONFIG: u32 = 75;
    pub const STAT: u32 = 76;
    pub const STAT_ROUND: u32 = 77;
    pub const EVENT_UPDATE: u32 = 78;
    pub const TIME_CONV: u32 = 79;
    pub const FEATURE: u32 = 80;
    pub const COMPRESSED: u32 = 81;
    pub const FINISHED_INIT: u32 = 82;
    pub const COMPRESSED2: u32 = 83;
    pub const BPF_METADATA: u32 = 84;
    /// The last of the perf tool's types that this reader knows.
    pub const TOOL_MAX: u32 = 84;
}

/// Types of events: what `config` of an attribute says.
pub mod event_type {
    #![allow(missing_docs, reason = "names of the kernel's header")]
    pub const SOFTWARE: u32 = 1;
    pub const TRACEPOINT: u32 = 2;
}

/// Events of the kernel itself, as `config`.
pub mod software {
    #![allow(missing_docs, reason = "names of the kernel's header")]
    pub const CPU_CLOCK: u64 = 0;
    pub const PAGE_FAULTS_MAJOR: u64 = 6;
    pub const DUMMY: u64 = 9;
    pub const BPF_OUTPUT: u64 = 10;
}

/// Bits of `sample_type`.
pub mod sample {
    #![allow(missing_docs, reason = "names of the kernel's header")]
    pub const IP: u64 = 1;
    pub const TID: u64 = 1 << 1;
    pub const TIME: u64 = 1 << 2;
    pub const ADDR: u64 = 1 << 3;
    pub const READ: u64 = 1 << 4;
    pub const CALLCHAIN: u64 = 1 << 5;
    pub const ID: u64 = 1 << 6;
    pub const CPU: u64 = 1 << 7;
    pub const PERIOD: u64 = 1 << 8;
    pub const STREAM_ID: u64 = 1 << 9;
    pub const RAW: u64 = 1 << 10;
    pub const BRANCH_STACK: u64 = 1 << 11;
    pub const REGS_USER: u64 = 1 << 12;
    pub const STACK_USER: u64 = 1 << 13;
    pub const WEIGHT: u64 = 1 << 14;
    pub const DATA_SRC: u64 = 1 << 15;
    pub const IDENTIFIER: u64 = 1 << 16;
    pub const TRANSACTION: u64 = 1 << 17;
    pub const REGS_INTR: u64 = 1 << 18;
    pub const PHYS_ADDR: u64 = 1 << 19;
    pub const AUX: u64 = 1 << 20;
    pub const CGROUP: u64 = 1 << 21;
    pub const DATA_PAGE_SIZE: u64 = 1 << 22;
    pub const CODE_PAGE_SIZE: u64 = 1 << 23;
    pub const WEIGHT_STRUCT: u64 = 1 << 24;
    /// Every bit whose field in a sample this reader can locate.
    pub const KNOWN: u64 = (1 << 25) - 1;
}

/// Bits of `read_format`.
pub mod read_format {
    #![allow(missing_docs, reason = "names of the kernel's header")]
    pub const TOTAL_TIME_ENABLED: u64 = 1;
    pub const TOTAL_TIME_RUNNING: u64 = 1 << 1;
    pub const ID: u64 = 1 << 2;
    pub const GROUP: u64 = 1 << 3;
    pub const LOST: u64 = 1 << 4;
}

/// Bits of `branch_sample_type` that change the layout of a sample.
pub mod branch {
    #![allow(missing_docs, reason = "names of the kernel's header")]
    pub const HW_INDEX: u64 = 1 << 17;
    pub const COUNTERS: u64 = 1 << 19;
}

/// Numbers of the bits in an attribute's bit field, counted from the first one declared.
pub mod flag {
    #![allow(missing_docs, reason = "names of the kernel's header")]
    pub const DISABLED: u32 = 0;
    pub const INHERIT: u32 = 1;
    pub const PINNED: u32 = 2;
    pub const EXCLUSIVE: u32 = 3;
    pub const EXCLUDE_USER: u32 = 4;
    pub const EXCLUDE_KERNEL: u32 = 5;
    pub const EXCLUDE_HV: u32 = 6;
    pub const EXCLUDE_IDLE: u32 = 7;
    pub const MMAP: u32 = 8;
    pub const COMM: u32 = 9;
    pub const FREQ: u32 = 10;
    pub const INHERIT_STAT: u32 = 11;
    pub const ENABLE_ON_EXEC: u32 = 12;
    pub const TASK: u32 = 13;
    pub const WATERMARK: u32 = 14;
    /// The first of the two bits of `precise_ip`.
    pub const PRECISE_IP: u32 = 15;
    pub const MMAP_DATA: u32 = 17;
    pub const SAMPLE_ID_ALL: u32 = 18;
    pub const EXCLUDE_HOST: u32 = 19;
    pub const EXCLUDE_GUEST: u32 = 20;
    pub const EXCLUDE_CALLCHAIN_KERNEL: u32 = 21;
    pub const EXCLUDE_CALLCHAIN_USER: u32 = 22;
    pub const MMAP2: u32 = 23;
    pub const COMM_EXEC: u32 = 24;
    pub const USE_CLOCKID: u32 = 25;
    pub const CONTEXT_SWITCH: u32 = 26;
    pub const WRITE_BACKWARD: u32 = 27;
    pub const NAMESPACES: u32 = 28;
    pub const KSYMBOL: u32 = 29;
    pub const BPF_EVENT: u32 = 30;
    pub const AUX_OUTPUT: u32 = 31;
    pub const CGROUP: u32 = 32;
    pub const TEXT_POKE: u32 = 33;
    pub const BUILD_ID: u32 = 34;
    pub const INHERIT_THREAD: u32 = 35;
    pub const REMOVE_ON_EXEC: u32 = 36;
    pub const SIGTRAP: u32 = 37;
}

/// Sizes of `struct perf_event_attr` by version, in bytes.
pub const ATTR_SIZES: [usize; 9] = [64, 72, 80, 96, 104, 112, 120, 128, 136];

/// Markers in call chains: the frames that follow ran in the kernel, in the process, …
pub mod context {
    #![allow(missing_docs, reason = "names of the kernel's header")]
    pub const HV: u64 = 32_u64.wrapping_neg();
    pub const KERNEL: u64 = 128_u64.wrapping_neg();
    pub const USER: u64 = 512_u64.wrapping_neg();
    pub const USER_DEFERRED: u64 = 640_u64.wrapping_neg();
    pub const GUEST: u64 = 2048_u64.wrapping_neg();
    pub const GUEST_KERNEL: u64 = 2176_u64.wrapping_neg();
    pub const GUEST_USER: u64 = 2560_u64.wrapping_neg();
    /// Values from here on are markers, not addresses.
    pub const MAX: u64 = 4095_u64.wrapping_neg();
}

/// Bits of a record's `misc`.
pub mod misc {
    #![allow(missing_docs, reason = "names of the kernel's header")]
    pub const CPUMODE_MASK: u16 = 7;
    pub const KERNEL: u16 = 1;
    pub const USER: u16 = 2;
    pub const HYPERVISOR: u16 = 3;
    pub const GUEST_KERNEL: u16 = 4;
    pub const GUEST_USER: u16 = 5;
    /// On COMM: the name changed by an exec.
    pub const COMM_EXEC: u16 = 1 << 13;
    /// On MMAP: not executable.
    pub const MMAP_DATA: u16 = 1 << 13;
    /// On SWITCH: the thread left the CPU.
    pub const SWITCH_OUT: u16 = 1 << 13;
    /// On SWITCH: it left although it could have continued.
    pub const SWITCH_OUT_PREEMPT: u16 = 1 << 14;
    /// On MMAP2: the record holds a build id instead of device and inode.
    pub const MMAP_BUILD_ID: u16 = 1 << 14;
    /// On an entry of the BUILD_ID section: it holds the id's size.
    pub const BUILD_ID_SIZE: u16 = 1 << 15;
}

/// Sections after the data, by their bit in the header.
pub mod feature {
    #![allow(missing_docs, reason = "names of perf's header")]
    pub const TRACING_DATA: u16 = 1;
    pub const BUILD_ID: u16 = 2;
    pub const HOSTNAME: u16 = 3;
    pub const OSRELEASE: u16 = 4;
    pub const VERSION: u16 = 5;
    pub const ARCH: u16 = 6;
    pub const NRCPUS: u16 = 7;
    pub const CPUDESC: u16 = 8;
    pub const CPUID: u16 = 9;
    pub const TOTAL_MEM: u16 = 10;
    pub const CMDLINE: u16 = 11;
    pub const EVENT_DESC: u16 = 12;
    pub const CPU_TOPOLOGY: u16 = 13;
    pub const NUMA_TOPOLOGY: u16 = 14;
    pub const BRANCH_STACK: u16 = 15;
    pub const PMU_MAPPINGS: u16 = 16;
    pub const GROUP_DESC: u16 = 17;
    pub const AUXTRACE: u16 = 18;
    pub const STAT: u16 = 19;
    pub const CACHE: u16 = 20;
    pub const SAMPLE_TIME: u16 = 21;
    pub const MEM_TOPOLOGY: u16 = 22;
    pub const CLOCKID: u16 = 23;
    pub const DIR_FORMAT: u16 = 24;
    pub const BPF_PROG_INFO: u16 = 25;
    pub const BPF_BTF: u16 = 26;
    pub const COMPRESSED: u16 = 27;
    pub const CPU_PMU_CAPS: u16 = 28;
    pub const CLOCK_DATA: u16 = 29;
    pub const HYBRID_TOPOLOGY: u16 = 30;
    pub const PMU_CAPS: u16 = 31;
    /// Number of bits in the header.
    pub const BITS: u16 = 256;
}
