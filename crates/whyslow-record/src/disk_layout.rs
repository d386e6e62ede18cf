//! What eBPF programs report of requests to disks, and how events of the tracepoints look.

use whyslow_bpf::disks::{DiskReporter, HEADER_BYTES};

use crate::switch_layout::parse_field;
use crate::sys::perf::PerfEvent;

/// The programs, and what they are attached to.
#[derive(Debug)]
pub(crate) struct DiskPrograms {
    pub(crate) reporter: DiskReporter,
    /// Tracepoints, and an event of each that stays off: it only holds the program.
    pub(crate) attached: Vec<(&'static str, PerfEvent)>,
}

impl DiskPrograms {
    /// Whether a program reports this tracepoint.
    pub(crate) fn report(&self, tracepoint: &str) -> bool {
        let mut attached = self.attached.iter();
        attached.any(|(known, _)| *known == tracepoint)
    }
}

/// What a tracepoint writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PayloadLayout {
    /// Number of the tracepoint.
    pub(crate) id: u16,
    pub(crate) bytes: usize,
    /// Where it says where a text of variable length is.
    texts: Vec<usize>,
}

impl PayloadLayout {
    /// Reads the layout from the tracepoint's format; `None` if it is not as expected.
    pub(crate) fn parse(format: &str) -> Option<Self> {
        let id = format.lines().find_map(|line| line.strip_prefix("ID:"))?;
        let fields = || {
            let lines = format.lines();
            lines.filter_map(|line| Some((line, parse_field(line)?)))
        };
        let texts = fields().filter(|(line, _)| line.contains("__data_loc"));
        let bytes = fields().map(|(_, (_, offset, size))| offset + size).max()?;
        Some(Self {
            id: id.trim().parse().ok()?,
            bytes: Some(bytes).filter(|&bytes| bytes > HEADER_BYTES)?,
            texts: texts.map(|(_, (_, offset, _))| offset).collect(),
        })
    }

    /// Makes a payload from what follows its header. Texts of variable length are empty.
    pub(crate) fn payload(&self, thread: u32, rest: &[u8]) -> Vec<u8> {
        let mut payload = vec![0; HEADER_BYTES];
        payload.extend(rest.iter().take(self.bytes - HEADER_BYTES));
        payload.resize(self.bytes, 0);
        // A text: where it begins, and its length with the NUL at its end.
        let place = u32::try_from(self.bytes).unwrap_or(0) | 1 << 16;
        payload.push(0);
        let mut put = |offset: usize, value: &[u8]| {
            if let Some(room) = payload.get_mut(offset..offset + value.len()) {
                room.copy_from_slice(value);
            }
        };
        // `common_type` is always the first field, `common_pid` the last of the header.
        put(0, &self.id.to_ne_bytes());
        put(4, &thread.to_ne_bytes());
        for &text in &self.texts {
            put(text, &place.to_ne_bytes());
        }
        payload
    }
}

/// How to write what the programs report: tracepoint, event and one of its ids, layout.
#[derive(Debug, Default)]
pub(crate) struct DiskLayouts(pub(crate) Vec<(&'static str, usize, u64, PayloadLayout)>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_is_made_as_the_format_says() {
        let format = "name: block_rq_complete\nID: 2107\nformat:\n\
            \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
            \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\
            \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
            \tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\
            \tfield:char rwbs[10];\toffset:12;\tsize:10;\tsigned:0;\n\
            \tfield:__data_loc char[] cmd;\toffset:24;\tsize:4;\tsigned:0;\n";
        let layout = PayloadLayout::parse(format).unwrap();
        assert_eq!(layout.bytes, 28);
        let rest: Vec<u8> = (100..150).collect();
        let payload = layout.payload(7, &rest);
        assert_eq!(payload[..8], [0x3b, 8, 0, 0, 7, 0, 0, 0]);
        assert_eq!(payload[8..24], rest[..16]);
        // An empty text where the payload ends.
        assert_eq!(payload[24..], [28, 0, 1, 0, 0]);
        // What was not reported is 0.
        assert_eq!(
            layout.payload(7, &rest[..4])[8..14],
            [100, 101, 102, 103, 0, 0]
        );
        assert_eq!(PayloadLayout::parse("ID: 5\n"), None);
    }
}
