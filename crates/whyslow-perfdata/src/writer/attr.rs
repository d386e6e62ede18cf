//! A `perf_event_attr`, as the kernel takes it and as the file repeats it.
//!
//! The recorder fills one [`EventAttr`] per event, passes [`EventAttr::to_bytes`] to
//! `perf_event_open`, and writes the same bytes (slightly changed if the recorder rewrites what the
//! kernel delivers) into the attribute section of `perf.data`. A single definition keeps the two in
//! step.
//!
//! The layout is `struct perf_event_attr` of `linux/perf_event.h`, version 7 (128 bytes). Later
//! versions only append fields; perf 6.1 refuses a file whose attributes are longer than it knows,
//! so we write 128 bytes.

use crate::abi::flag;

/// Bytes of the attribute layout written (`PERF_ATTR_SIZE_VER7`).
pub const ATTR_BYTES: usize = 128;

/// Bits of the flag word of `perf_event_attr`, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum AttrFlag {
    /// Starts disabled until `PERF_EVENT_IOC_ENABLE`.
    Disabled = flag::DISABLED,
    /// Children of the observed task are observed too.
    Inherit = flag::INHERIT,
    /// No events of user mode.
    ExcludeUser = flag::EXCLUDE_USER,
    /// No events of kernel mode.
    ExcludeKernel = flag::EXCLUDE_KERNEL,
    /// No events of a hypervisor.
    ExcludeHypervisor = flag::EXCLUDE_HV,
    /// No events of the idle task.
    ExcludeIdle = flag::EXCLUDE_IDLE,
    /// `MMAP` records for executable mappings.
    Mmap = flag::MMAP,
    /// `COMM` records when a thread is renamed.
    Comm = flag::COMM,
    /// The event is enabled by the next `exec` of the task.
    EnableOnExec = flag::ENABLE_ON_EXEC,
    /// `FORK` and `EXIT` records.
    Task = flag::TASK,
    /// The wake-up threshold is in bytes instead of samples.
    Watermark = flag::WATERMARK,
    /// Every record other than a sample ends with the sample's identity fields.
    SampleIdAll = flag::SAMPLE_ID_ALL,
    /// No kernel half in call chains.
    ExcludeCallchainKernel = flag::EXCLUDE_CALLCHAIN_KERNEL,
    /// No user half in call chains.
    ExcludeCallchainUser = flag::EXCLUDE_CALLCHAIN_USER,
    /// `MMAP2` records instead of `MMAP`.
    Mmap2 = flag::MMAP2,
    /// `COMM` records distinguish an `exec` from a renaming.
    CommExec = flag::COMM_EXEC,
    /// [`EventAttr::clock_id`] applies.
    UseClockId = flag::USE_CLOCKID,
    /// `SWITCH` records.
    ContextSwitch = flag::CONTEXT_SWITCH,
    /// `KSYMBOL` records.
    Ksymbol = flag::KSYMBOL,
    /// `BPF_EVENT` records.
    BpfEvent = flag::BPF_EVENT,
    /// `MMAP2` records carry build ids.
    BuildId = flag::BUILD_ID,
}

/// The parts of `perf_event_attr` that Whyslow uses; the others are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventAttr {
    /// `PERF_TYPE_*`.
    pub event_type: u32,
    /// The event within that type: a `PERF_COUNT_*`, or a tracepoint's id.
    pub config: u64,
    /// Events between two samples; nanoseconds for the clocks.
    pub sample_period: u64,
    /// `PERF_SAMPLE_*` bits: the fields of a sample.
    pub sample_type: u64,
    /// `PERF_FORMAT_*` bits: what reading the event's file descriptor returns.
    pub read_format: u64,
    /// The flag word; see [`AttrFlag`].
    pub flags: u64,
    /// Wake-up threshold in bytes (with [`AttrFlag::Watermark`]) or samples.
    pub wakeup: u32,
    /// User registers in a sample, as a mask of `PERF_REG_*` bits.
    pub sample_regs_user: u64,
    /// Bytes of the user stack in a sample.
    pub sample_stack_user: u32,
    /// `CLOCK_*` of all times, with [`AttrFlag::UseClockId`].
    pub clock_id: i32,
    /// Maximum number of frames in a call chain; 0: the system's limit.
    pub sample_max_stack: u16,
}

impl EventAttr {
    /// Returns the attribute with `flag` set.
    #[must_use]
    pub fn with(mut self, flag: AttrFlag) -> Self {
        self.set(flag, true);
        self
    }

    /// Sets or clears `flag`.
    pub fn set(&mut self, flag: AttrFlag, on: bool) {
        let bit = 1_u64 << (flag as u32);
        if on {
            self.flags |= bit;
        } else {
            self.flags &= !bit;
        }
    }

    /// Whether `flag` is set.
    pub fn has(&self, flag: AttrFlag) -> bool {
        self.flags & (1_u64 << (flag as u32)) != 0
    }

    /// Returns the kernel's layout of the attribute, in this machine's byte order.
    pub fn to_bytes(&self) -> [u8; ATTR_BYTES] {
        let mut bytes = [0; ATTR_BYTES];
        let mut put = |offset: usize, value: &[u8]| {
            if let Some(place) = bytes
                .get_mut(offset..)
                .and_then(|rest| rest.get_mut(..value.len()))
            {
                place.copy_from_slice(value);
            }
        };
        put(0, &self.event_type.to_ne_bytes());
        put(4, &128_u32.to_ne_bytes());
        put(8, &self.config.to_ne_bytes());
        put(16, &self.sample_period.to_ne_bytes());
        put(24, &self.sample_type.to_ne_bytes());
        put(32, &self.read_format.to_ne_bytes());
        put(40, &self.flags.to_ne_bytes());
        put(48, &self.wakeup.to_ne_bytes());
        put(80, &self.sample_regs_user.to_ne_bytes());
        put(88, &self.sample_stack_user.to_ne_bytes());
        put(92, &self.clock_id.to_ne_bytes());
        put(108, &self.sample_max_stack.to_ne_bytes());
        bytes
    }
}
