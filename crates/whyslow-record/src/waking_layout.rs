//! The payload of `sched:sched_waking`: where its fields are, and payloads that the recorder makes.

use whyslow_perfdata::whyslow_events::push_sites;

use crate::switch_layout::parse_field;
use whyslow_bpf::payload::Waking;

/// Where the fields of the payload of `sched:sched_waking` are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WakingLayout {
    id: u16,
    /// Offset and size, in the order of [`FIELDS`].
    fields: [(usize, usize); FIELDS.len()],
    bytes: usize,
}

const FIELDS: [&str; 6] = [
    "common_flags",
    "common_pid",
    "comm",
    "pid",
    "prio",
    "target_cpu",
];

impl WakingLayout {
    /// Reads the layout from the tracepoint's format; `None` if it is not as expected.
    pub(crate) fn parse(format: &str) -> Option<Self> {
        let id = format.lines().find_map(|line| line.strip_prefix("ID:"))?;
        let parsed: Vec<_> = format.lines().filter_map(parse_field).collect();
        let mut fields = [(0, 0); FIELDS.len()];
        for (place, wanted) in fields.iter_mut().zip(FIELDS) {
            let &(_, offset, size) = parsed.iter().find(|(name, ..)| *name == wanted)?;
            *place = (offset, size);
        }
        let ends = parsed.iter().map(|(_, offset, size)| offset + size);
        Some(Self {
            id: id.trim().parse().ok()?,
            fields,
            bytes: ends.max()?,
        })
    }

    /// Makes the payload of a wake-up by the thread `waker_tid`, followed by the site if it is known.
    pub(crate) fn payload(&self, waker_tid: u32, waking: &Waking) -> Vec<u8> {
        let values: [&[u8]; FIELDS.len()] = [
            &[waking.context],
            &waker_tid.to_ne_bytes(),
            &waking.target_comm,
            &waking.target_tid.to_ne_bytes(),
            &waking.target_prio.to_ne_bytes(),
            &waking.target_cpu.to_ne_bytes(),
        ];
        let mut payload = vec![0; self.bytes];
        let mut put = |offset: usize, value: &[u8]| {
            if let Some(place) = payload.get_mut(offset..offset + value.len()) {
                place.copy_from_slice(value);
            }
        };
        // `common_type` is always the first field.
        put(0, &self.id.to_ne_bytes());
        for ((offset, size), value) in self.fields.into_iter().zip(values) {
            put(offset, value.get(..size).unwrap_or(value));
        }
        if waking.site != 0 {
            push_sites(&mut payload, &[waking.site]);
        }
        payload
    }
}

#[cfg(test)]
mod tests {
    use super::{Waking, WakingLayout};

    const FORMAT: &str = "name: sched_waking\nID: 375\nformat:\n\
        \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
        \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\
        \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
        \tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\
        \tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n\
        \tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n\
        \tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n";

    #[test]
    fn every_field_is_where_the_format_says() {
        let waking = Waking {
            site: 0,
            target_tid: 0x0102,
            target_prio: 120,
            target_cpu: 3,
            context: 0x10,
            target_comm: *b"sleeper\0\0\0\0\0\0\0\0\0",
        };
        let mut expected = vec![0x77, 1, 0x10, 0, 9, 0, 0, 0];
        expected.extend(*b"sleeper\0\0\0\0\0\0\0\0\0");
        expected.extend([2, 1, 0, 0, 120, 0, 0, 0, 3, 0, 0, 0]);
        let layout = WakingLayout::parse(FORMAT).unwrap();
        assert_eq!(layout.payload(9, &waking), expected);
        let with_site = layout.payload(9, &Waking { site: 1, ..waking });
        assert!(with_site.starts_with(&expected) && with_site.len() > expected.len());
    }

    #[test]
    fn a_format_without_a_field_is_not_used() {
        for field in super::FIELDS {
            let other = FORMAT.replace(&format!(" {field}"), " other");
            assert_eq!(WakingLayout::parse(&other), None, "{field}");
        }
        assert_eq!(WakingLayout::parse(""), None);
    }
}
