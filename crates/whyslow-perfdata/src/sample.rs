//! A sample: fixed fields read from their places, variable ones borrowed from the record.
//!
//! Fixed fields have a place per event ([`Layout`]). Of the others, call chain and raw payload,
//! which every importer needs, are found at once; the rest is walked on demand. The order of the
//! fields is that of `perf_output_sample` in the kernel.

use crate::abi::sample as bit;
use crate::counters::Counters;
use crate::endian::{Cursor, Endian};
use crate::layout::{Layout, Place};
use crate::registers::{Registers, UserStack};
use crate::words::{Callchain, Words};

/// One sample, or one occurrence of a tracepoint.
///
/// A field is read from its place on access; it is `None` (or empty) if the event does not record
/// it. Fields that few events record are in [`Sample::extras`].
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// The call chain, leaf first, with context markers; empty if not recorded.
    pub callchain: Callchain<'a>,
    /// Payload of a tracepoint or a BPF program. The kernel pads it to 4 bytes past a multiple of
    /// 8.
    pub raw: &'a [u8],
    /// Byte order of the payload.
    pub endian: Endian,
    /// The record, header included.
    bytes: &'a [u8],
    layout: &'a Layout,
    /// Where the fields after the payload begin.
    rest: usize,
}

/// Fields that follow the raw payload.
const REST: u64 = bit::BRANCH_STACK
    | bit::REGS_USER
    | bit::STACK_USER
    | bit::WEIGHT
    | bit::WEIGHT_STRUCT
    | bit::DATA_SRC
    | bit::TRANSACTION
    | bit::REGS_INTR
    | bit::PHYS_ADDR
    | bit::CGROUP
    | bit::DATA_PAGE_SIZE
    | bit::CODE_PAGE_SIZE
    | bit::AUX;

/// Fields without a place of their own.
const VARIABLE: u64 = REST | bit::READ | bit::CALLCHAIN | bit::RAW;

impl<'a> Sample<'a> {
    /// Splits a record into its fields; `None` if it is too short for them.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], layout: &'a Layout, endian: Endian) -> Option<Self> {
        let fixed = bytes.get(..usize::from(layout.variable))?;
        let mut sample = Self {
            callchain: Words::new(&[], endian),
            raw: &[],
            endian,
            bytes,
            layout,
            rest: fixed.len(),
        };
        if layout.has(VARIABLE) {
            sample.locate()?;
        }
        Some(sample)
    }

    /// Finds the fields of variable length.
    #[inline]
    fn locate(&mut self) -> Option<()> {
        let Self {
            bytes,
            layout,
            endian,
            ..
        } = *self;
        let mut cursor = Cursor::new(bytes.get(self.rest..)?, endian);
        if layout.has(bit::READ) {
            let read = Counters::take(cursor.rest(), layout.read, endian)?;
            cursor.take(read.as_bytes().len())?;
        }
        if layout.has(bit::CALLCHAIN) {
            let length = cursor.u64()?.checked_mul(8)?;
            self.callchain = Words::new(cursor.take_count(length)?, endian);
        }
        if layout.has(bit::RAW) {
            let length = u64::from(cursor.u32()?);
            self.raw = cursor.take_count(length)?;
        }
        self.rest = bytes.len() - cursor.rest().len();
        if layout.has(REST) {
            self.rest()?;
        }
        Some(())
    }

    /// Returns the instruction pointer.
    pub fn ip(&self) -> Option<u64> {
        self.word(self.layout.ip)
    }

    /// Returns the process; -1 for a thread that has ended, 0 for the idle threads.
    pub fn pid(&self) -> Option<i32> {
        self.half(self.layout.tid, 0).map(u32::cast_signed)
    }

    /// Returns the thread; -1 for a thread that has ended, 0 for the idle threads.
    pub fn tid(&self) -> Option<i32> {
        self.half(self.layout.tid, 4).map(u32::cast_signed)
    }

    /// Returns the time, in nanoseconds of the file's clock.
    pub fn time_ns(&self) -> Option<u64> {
        self.word(self.layout.time)
    }

    /// Returns the data address, or what the event uses the field for.
    pub fn address(&self) -> Option<u64> {
        self.word(self.layout.address)
    }

    /// Returns the id of the event's instance.
    pub fn id(&self) -> Option<u64> {
        self.word(self.layout.id)
    }

    /// Returns the CPU.
    pub fn cpu(&self) -> Option<u32> {
        self.half(self.layout.cpu, 0)
    }

    /// Returns the sample's weight, in units of the event.
    pub fn period(&self) -> Option<u64> {
        self.word(self.layout.period)
    }

    /// Returns whether the event records call chains.
    pub fn has_callchain(&self) -> bool {
        self.layout.has(bit::CALLCHAIN)
    }

    /// Returns the id of the stream: like the id, but that of the inherited child event if there is
    /// one.
    pub fn stream_id(&self) -> Option<u64> {
        self.word(self.layout.stream)
    }

    /// Returns the 64-bit field at a place, `None` if the event has none there.
    #[inline]
    fn word(&self, place: Place) -> Option<u64> {
        let at = usize::from(place);
        (at != 0).then(|| self.endian.u64(self.bytes, at))?
    }

    /// Returns the 32-bit field this many bytes after a place.
    #[inline]
    fn half(&self, place: Place, further: usize) -> Option<u32> {
        let at = usize::from(place);
        (at != 0).then(|| self.endian.u32(self.bytes, at + further))?
    }

    /// Returns the counters read with the sample.
    pub fn counters(&self) -> Option<Counters<'a>> {
        if !self.layout.has(bit::READ) {
            return None;
        }
        let bytes = self.bytes.get(usize::from(self.layout.variable)..)?;
        Counters::take(bytes, self.layout.read, self.endian)
    }

    /// Returns every other field, decoded; `None` if there is none.
    pub fn extras(&self) -> Option<Extras<'a>> {
        self.layout.has(REST).then(|| self.rest())?
    }

    fn rest(&self) -> Option<Extras<'a>> {
        let layout = self.layout;
        let bytes = self.bytes.get(self.rest..)?;
        let mut cursor = Cursor::new(bytes, self.endian);
        let mut rest = Extras::default();
        if layout.has(bit::BRANCH_STACK) {
            let branches = cursor.u64()?;
            if layout.branch_has_index {
                cursor.u64()?;
            }
            let words = branches.checked_mul(layout.branch_words)?;
            cursor.take_count(words.checked_mul(8)?)?;
            rest.branches = Some(branches);
        }
        if layout.has(bit::REGS_USER) {
            rest.user_registers = Registers::take(&mut cursor, layout.regs_user)?;
        }
        if layout.has(bit::STACK_USER) {
            rest.user_stack = UserStack::take(&mut cursor)?;
        }
        if layout.has(bit::WEIGHT | bit::WEIGHT_STRUCT) {
            rest.weight = Some(cursor.u64()?);
        }
        if layout.has(bit::DATA_SRC) {
            rest.data_source = Some(cursor.u64()?);
        }
        if layout.has(bit::TRANSACTION) {
            rest.transaction = Some(cursor.u64()?);
        }
        if layout.has(bit::REGS_INTR) {
            rest.interrupt_registers = Registers::take(&mut cursor, layout.regs_intr)?;
        }
        if layout.has(bit::PHYS_ADDR) {
            rest.physical_address = Some(cursor.u64()?);
        }
        if layout.has(bit::CGROUP) {
            rest.cgroup = Some(cursor.u64()?);
        }
        if layout.has(bit::DATA_PAGE_SIZE) {
            rest.data_page_bytes = Some(cursor.u64()?);
        }
        if layout.has(bit::CODE_PAGE_SIZE) {
            rest.code_page_bytes = Some(cursor.u64()?);
        }
        if layout.has(bit::AUX) {
            let size = cursor.u64()?;
            rest.aux = cursor.take_count(size)?;
        }
        Some(rest)
    }
}

/// The fields of a sample that few events record.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extras<'a> {
    /// Number of branches in the branch stack, which is skipped.
    pub branches: Option<u64>,
    /// Registers of user mode.
    pub user_registers: Option<Registers<'a>>,
    /// Copied part of the user stack.
    pub user_stack: Option<UserStack<'a>>,
    /// Weight, such as a latency in cycles; three numbers (32, 16 and 16 bits, lowest first) if the
    /// event has `WEIGHT_STRUCT`.
    pub weight: Option<u64>,
    /// Where the data came from: bits of `union perf_mem_data_src`.
    pub data_source: Option<u64>,
    /// Flags of a hardware transaction.
    pub transaction: Option<u64>,
    /// Registers at the interrupt.
    pub interrupt_registers: Option<Registers<'a>>,
    /// Physical address of the data.
    pub physical_address: Option<u64>,
    /// Id of the cgroup.
    pub cgroup: Option<u64>,
    /// Page size of the data, in bytes.
    pub data_page_bytes: Option<u64>,
    /// Page size of the code, in bytes.
    pub code_page_bytes: Option<u64>,
    /// Auxiliary trace data; empty if there is none.
    pub aux: &'a [u8],
}
