//! Where the fields of an event's records are, computed once per event.
//!
//! A sample begins with up to nine fixed fields (8 bytes each, in the order of `perf_output_sample`
//! in the kernel), followed by those of variable length. Every other record of the kernel ends with
//! the fields of `sample_id_all`, in an order of their own:
//!
//! ```text
//! sample:  header | identifier ip tid time addr id stream cpu period | read callchain raw …
//! other:   header | its own fields | tid time id stream cpu identifier
//! ```

use crate::abi::{branch, flag, read_format, sample as bit};
use crate::attr::Attr;

/// A place in a record; 0 (the header's own place) if the field is absent.
pub(crate) type Place = u16;

/// Size of a record's header.
pub(crate) const HEADER_BYTES: u16 = 8;

/// Places of the fixed fields of a sample, and the data needed to find the other fields.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Layout {
    /// Offsets from the start of a sample, header included.
    pub(crate) ip: Place,
    pub(crate) tid: Place,
    pub(crate) time: Place,
    pub(crate) address: Place,
    pub(crate) id: Place,
    pub(crate) stream: Place,
    pub(crate) cpu: Place,
    pub(crate) period: Place,
    /// Where the fields of variable length begin.
    pub(crate) variable: Place,
    pub(crate) sample_type: u64,
    pub(crate) read: ReadLayout,
    /// Words per branch, and words before all branches.
    pub(crate) branch_words: u64,
    pub(crate) branch_has_index: bool,
    pub(crate) regs_user: u64,
    pub(crate) regs_intr: u64,
    /// Whether MMAP2 records were requested with build ids.
    pub(crate) build_ids: bool,
    pub(crate) tail: Tail,
}

/// Places of the fields at the end of records other than samples, as bytes before the end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tail {
    pub(crate) bytes: Place,
    pub(crate) tid: Place,
    pub(crate) time: Place,
    pub(crate) id: Place,
    pub(crate) cpu: Place,
}

/// Form of a group of counter values.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ReadLayout {
    pub(crate) format: u64,
    /// Words before the values: times enabled and running.
    pub(crate) times: u64,
    /// Words per counter: value, id, lost.
    pub(crate) per_counter: u64,
}

impl Layout {
    pub(crate) fn new(attr: &Attr) -> Self {
        let ty = attr.sample_type;
        let mut at = HEADER_BYTES;
        let mut field = |mask: u64| {
            if ty & mask == 0 {
                return 0;
            }
            let here = at;
            at += 8;
            here
        };
        let identifier = field(bit::IDENTIFIER);
        let ip = field(bit::IP);
        let tid = field(bit::TID);
        let time = field(bit::TIME);
        let address = field(bit::ADDR);
        let id = field(bit::ID);
        let stream = field(bit::STREAM_ID);
        let cpu = field(bit::CPU);
        let period = field(bit::PERIOD);
        let counters = u64::from(attr.branch_sample_type & branch::COUNTERS != 0);
        Self {
            ip,
            tid,
            time,
            address,
            id: if identifier == 0 { id } else { identifier },
            stream,
            cpu,
            period,
            variable: at,
            sample_type: ty,
            read: ReadLayout::new(attr.read_format),
            branch_words: 3 + counters,
            branch_has_index: attr.branch_sample_type & branch::HW_INDEX != 0,
            regs_user: attr.regs_user,
            regs_intr: attr.regs_intr,
            build_ids: attr.has_flag(flag::BUILD_ID),
            tail: if attr.has_sample_id_all() {
                Tail::new(ty)
            } else {
                Tail::default()
            },
        }
    }

    /// Returns whether samples have this field.
    pub(crate) fn has(&self, mask: u64) -> bool {
        self.sample_type & mask != 0
    }
}

impl Tail {
    fn new(ty: u64) -> Self {
        let mut before_end = 0;
        let mut field = |mask: u64| {
            if ty & mask == 0 {
                return 0;
            }
            before_end += 8;
            before_end
        };
        let identifier = field(bit::IDENTIFIER);
        let cpu = field(bit::CPU);
        let _stream = field(bit::STREAM_ID);
        let id = field(bit::ID);
        let time = field(bit::TIME);
        let tid = field(bit::TID);
        Self {
            bytes: before_end,
            tid,
            time,
            id: if identifier == 0 { id } else { identifier },
            cpu,
        }
    }
}

impl ReadLayout {
    fn new(format: u64) -> Self {
        use read_format::{ID, LOST, TOTAL_TIME_ENABLED, TOTAL_TIME_RUNNING};
        Self {
            format,
            times: u64::from((format & (TOTAL_TIME_ENABLED | TOTAL_TIME_RUNNING)).count_ones()),
            per_counter: 1 + u64::from((format & (ID | LOST)).count_ones()),
        }
    }
}
