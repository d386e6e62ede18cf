//! Requests to disks: the tracepoints of the block layer.

use whyslow_model::{DiskFlags, DiskOperation};
use whyslow_perfdata::TraceFormat;

use super::{DiskEvent, DiskPhase, DiskRequest, RequestKey};
use crate::operations::{Operation, source};
use crate::payload::perf::{Place, TextPlace, Tracepoint, place, text};

/// The tracepoints that are read.
pub(super) const TRACEPOINTS: &[source::Tracepoint] = &[
    source::Tracepoint {
        name: "block:block_rq_insert",
        is_needed: false,
        decoder: |format| {
            let fields = DiskFields::of(format)?;
            Some(Box::new(move |of| fields.event(of, DiskPhase::Insertion)))
        },
    },
    source::Tracepoint {
        name: "block:block_rq_requeue",
        is_needed: false,
        decoder: |format| {
            let fields = DiskFields::of(format)?;
            Some(Box::new(move |of| fields.event(of, DiskPhase::Return)))
        },
    },
    source::Tracepoint {
        name: "block:block_rq_issue",
        is_needed: true,
        decoder: |format| {
            let fields = DiskFields::of(format)?;
            Some(Box::new(move |of| fields.issue(of)))
        },
    },
    source::Tracepoint {
        name: "block:block_rq_complete",
        is_needed: true,
        decoder: |format| {
            let fields = DiskFields::of(format)?;
            Some(Box::new(move |of| fields.completion(of)))
        },
    },
];

/// Bytes per sector, whatever the disk's own size is.
const SECTOR_BYTES: i64 = 512;

/// Fields of the tracepoints above.
#[derive(Debug, Clone, Copy)]
struct DiskFields {
    dev: Place,
    sector: Place,
    nr_sector: Place,
    rwbs: TextPlace,
    /// Only in issues; the only size given for pass-through commands.
    bytes: Option<Place>,
    /// Only in completions.
    error: Option<Place>,
    /// Since Linux 6.10.
    ioprio: Option<Place>,
}

impl DiskFields {
    /// Finds the fields; `None` where the format lacks one that every kernel has.
    fn of(format: &TraceFormat) -> Option<Self> {
        // It was called `errors` before it held an error number.
        let error = place(format, "error").or_else(|| place(format, "errors"));
        Some(Self {
            dev: place(format, "dev")?,
            sector: place(format, "sector")?,
            nr_sector: place(format, "nr_sector")?,
            rwbs: text(format, "rwbs")?,
            bytes: place(format, "bytes"),
            error,
            ioprio: place(format, "ioprio"),
        })
    }

    fn issue(&self, of: &Tracepoint<'_>) -> Option<Operation> {
        self.event(of, DiskPhase::Issue)
    }

    fn completion(&self, of: &Tracepoint<'_>) -> Option<Operation> {
        let error = self.error.and_then(|error| of.number(error));
        let phase = DiskPhase::Completion {
            is_told_whole: false,
            service_ns: None,
            result: error.and_then(|error| i32::try_from(error).ok()),
        };
        self.event(of, phase)
    }

    fn event(&self, of: &Tracepoint<'_>, phase: DiskPhase) -> Option<Operation> {
        let (dev, sector) = (of.number(self.dev)?, of.number(self.sector)?);
        let sectors = of.number(self.nr_sector)?;
        let (operation, flags) = meaning(&of.text(self.rwbs)?);
        let disk = (dev & i64::from(u32::MAX)).cast_unsigned() as u32;
        // A request without a place has sector 0 when issued and -1 when complete.
        let is_of_no_place = sectors == 0 && (operation == DiskOperation::Flush || sector < 0);
        let sector = if is_of_no_place { 0 } else { sector };
        let offset = sector.saturating_mul(SECTOR_BYTES);
        let size = sectors.saturating_mul(SECTOR_BYTES);
        let told = self.bytes.and_then(|bytes| of.number(bytes));
        let priority = self.ioprio.and_then(|priority| of.number(priority));
        let event = DiskEvent {
            key: RequestKey {
                space: (u64::from(disk) << 8) | u64::from(operation as u8),
                place: offset.cast_unsigned(),
            },
            tid: of.tid,
            request: DiskRequest {
                operation,
                disk: Some(disk),
                // A flush has no place.
                offset_bytes: (sectors > 0).then_some(offset),
                size_bytes: Some(told.filter(|&bytes| bytes > 0).unwrap_or(size)),
                flags,
                priority: priority.and_then(|priority| i32::try_from(priority).ok()),
                file: None,
            },
            phase,
            file_key: 0,
        };
        Some(event.into())
    }
}

/// Returns what the letters of `rwbs` mean: the operation, after an `F` for a flush before it, then
/// `F` for a write that must reach the medium, and how it is done.
fn meaning(rwbs: &str) -> (DiskOperation, DiskFlags) {
    let letters = rwbs.trim_end_matches('\0');
    let (has_flush, rest) = match letters.strip_prefix('F') {
        Some(rest) => (true, rest),
        None => (false, letters),
    };
    let mut rest = rest.chars();
    let operation = match rest.next() {
        Some('R') => DiskOperation::Read,
        Some('W') => DiskOperation::Write,
        Some('D') => DiskOperation::Discard,
        _ if has_flush => DiskOperation::Flush,
        None => DiskOperation::Unknown,
        Some('N') => DiskOperation::Other,
        Some(_) => DiskOperation::Other,
    };
    let flag = |letter: char| match letter {
        'S' => DiskFlags::SYNC,
        'M' => DiskFlags::META,
        'A' => DiskFlags::READ_AHEAD,
        'F' => DiskFlags::DURABLE,
        _ => DiskFlags::default(),
    };
    let after = match operation {
        // One `F` is the operation; another one before it means a flush before a write.
        DiskOperation::Flush => letters.trim_start_matches('F'),
        _ => rest.as_str(),
    };
    let flags = after.chars().map(flag);
    (operation, flags.fold(DiskFlags::default(), DiskFlags::with))
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyslow_perfdata::Endian;

    /// // From Linux 6.18, without the fields that are not read.
    const COMPLETION: &str = "name: block_rq_complete\nID: 1001\nformat:\n\
        \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
        \tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\
        \tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n\
        \tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n\
        \tfield:int error;\toffset:28;\tsize:4;\tsigned:1;\n\
        \tfield:unsigned short ioprio;\toffset:32;\tsize:2;\tsigned:0;\n\
        \tfield:char rwbs[10];\toffset:34;\tsize:10;\tsigned:0;\n";

    #[test]
    fn a_completion_is_read_as_the_format_says() {
        let format = TraceFormat::parse("block", COMPLETION).unwrap();
        let [.., completion] = TRACEPOINTS else {
            unreachable!()
        };
        let decoder = (completion.decoder)(&format).unwrap();
        let mut raw = vec![0; 44];
        raw[8..12].copy_from_slice(&0x80_0010_u32.to_le_bytes());
        raw[16..24].copy_from_slice(&2048_u64.to_le_bytes());
        raw[24..28].copy_from_slice(&8_u32.to_le_bytes());
        raw[28..32].copy_from_slice(&(-5_i32).to_le_bytes());
        raw[32..34].copy_from_slice(&4_u16.to_le_bytes());
        raw[34..36].copy_from_slice(b"WS");
        let of = |raw| Tracepoint {
            raw,
            endian: Endian::Little,
            tid: Some(7),
        };
        let expected = DiskEvent {
            key: RequestKey {
                space: (0x80_0010 << 8) | DiskOperation::Write as u64,
                place: 1 << 20,
            },
            tid: Some(7),
            request: DiskRequest {
                operation: DiskOperation::Write,
                disk: Some(0x80_0010),
                offset_bytes: Some(1 << 20),
                size_bytes: Some(4096),
                flags: DiskFlags::SYNC,
                priority: Some(4),
                file: None,
            },
            file_key: 0,
            phase: DiskPhase::Completion {
                is_told_whole: false,
                service_ns: None,
                result: Some(-5),
            },
        };
        assert_eq!(decoder(&of(&raw)), Some(expected.into()));
        assert_eq!(decoder(&of(&raw[..20])), None);
    }

    #[test]
    fn letters_say_operation_and_flags() {
        use DiskFlags as F;
        use DiskOperation::{Discard, Flush, Other, Read, Write};
        assert_eq!(meaning("R"), (Read, F::default()));
        assert_eq!(meaning("RA"), (Read, F::READ_AHEAD));
        assert_eq!(meaning("WSM"), (Write, F::SYNC.with(F::META)));
        assert_eq!(meaning("FF"), (Flush, F::default()));
        assert_eq!(meaning("FS"), (Flush, F::SYNC));
        assert_eq!(meaning("FWFS"), (Write, F::DURABLE.with(F::SYNC)));
        assert_eq!(meaning("DS"), (Discard, F::SYNC));
        assert_eq!(meaning("N"), (Other, F::default()));
    }
}
