//! Feature sections: facts about the machine, the session and the events.
//!
//! Their layouts are those of perf's `util/header.c`, described in the kernel's
//! `tools/perf/Documentation/perf.data-file-format.txt`. Strings are a length (padded to 64) and
//! the zero-padded text.

use std::collections::BTreeMap;

use super::attr::{ATTR_BYTES, EventAttr};
use crate::abi::{feature, misc, record};

const STRING_ALIGNMENT: usize = 64;

/// One event of the file: its attribute, its name, and its ids (one per CPU or task).
#[derive(Clone, Debug)]
pub struct EventDescription {
    /// The attribute as it describes the samples in the file.
    pub attr: EventAttr,
    /// Name, as `perf evlist` prints it.
    pub name: String,
    /// Values of the `IDENTIFIER` field of its samples.
    pub ids: Vec<u64>,
}

/// A module whose build id is known to the recorder.
#[derive(Clone, Debug)]
pub struct ModuleBuildId {
    /// Whether it belongs to the kernel, or to user programs.
    pub is_kernel: bool,
    /// The id, at most 20 bytes.
    pub id: Vec<u8>,
    /// `[kernel.kallsyms]`, `[vdso]` or a path.
    pub name: Vec<u8>,
}

/// The clock of all times in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// `CLOCK_*`.
    pub clock_id: u32,
    /// A reading of that clock in nanoseconds.
    pub clock_ns: u64,
    /// The time of day at that reading, in nanoseconds since 1970 (UTC).
    pub wall_ns: u64,
}

/// Feature sections by number.
#[derive(Clone, Debug, Default)]
pub struct Features {
    sections: BTreeMap<u16, Vec<u8>>,
}

impl Features {
    /// Returns no sections.
    pub fn new() -> Self {
        Self::default()
    }

    /// The sections in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &[u8])> {
        self.sections
            .iter()
            .map(|(&number, bytes)| (number, bytes.as_slice()))
    }

    /// Sets a section to `bytes`; numbers from 256 on are not part of the format and are ignored.
    pub fn bytes(&mut self, number: u16, bytes: Vec<u8>) {
        if number < 256 {
            self.sections.insert(number, bytes);
        }
    }

    /// Sets a section that is one string.
    pub fn string(&mut self, number: u16, text: &str) {
        let mut bytes = Vec::new();
        push_string(&mut bytes, text.as_bytes());
        self.bytes(number, bytes);
    }

    /// Sets a section that is a list of strings.
    pub fn strings<'a>(&mut self, number: u16, texts: impl ExactSizeIterator<Item = &'a [u8]>) {
        let mut bytes = count(texts.len()).to_vec();
        for text in texts {
            push_string(&mut bytes, text);
        }
        self.bytes(number, bytes);
    }

    /// Sets a section that is a sequence of 64-bit numbers.
    pub fn numbers(&mut self, number: u16, values: &[u64]) {
        self.bytes(
            number,
            values
                .iter()
                .flat_map(|value| value.to_ne_bytes())
                .collect(),
        );
    }

    /// Sets [`feature::NRCPUS`].
    pub fn cpu_counts(&mut self, possible: u32, online: u32) {
        let bytes = [possible, online]
            .iter()
            .flat_map(|value| value.to_ne_bytes())
            .collect();
        self.bytes(feature::NRCPUS, bytes);
    }

    /// Sets [`feature::CLOCK_DATA`].
    pub fn clock(&mut self, reading: ClockReading) {
        let mut bytes = 1_u32.to_ne_bytes().to_vec();
        bytes.extend_from_slice(&reading.clock_id.to_ne_bytes());
        bytes.extend_from_slice(&reading.wall_ns.to_ne_bytes());
        bytes.extend_from_slice(&reading.clock_ns.to_ne_bytes());
        self.bytes(feature::CLOCK_DATA, bytes);
    }

    /// Sets [`feature::EVENT_DESC`].
    pub fn events(&mut self, events: &[EventDescription]) {
        let mut bytes = count(events.len()).to_vec();
        bytes.extend_from_slice(&count(ATTR_BYTES));
        for event in events {
            bytes.extend_from_slice(&event.attr.to_bytes());
            bytes.extend_from_slice(&count(event.ids.len()));
            push_string(&mut bytes, event.name.as_bytes());
            bytes.extend(event.ids.iter().flat_map(|id| id.to_ne_bytes()));
        }
        self.bytes(feature::EVENT_DESC, bytes);
    }

    /// Sets [`feature::BUILD_ID`].
    pub fn build_ids(&mut self, modules: &[ModuleBuildId]) {
        let mut bytes = Vec::new();
        for module in modules {
            let id = module.id.get(..20).unwrap_or(&module.id);
            let name_bytes = (module.name.len() + 1).next_multiple_of(STRING_ALIGNMENT);
            let size = u16::try_from(8 + 4 + 24 + name_bytes).unwrap_or(0);
            let mode = if module.is_kernel { 1 } else { 2 };
            bytes.extend_from_slice(&record::BUILD_ID.to_ne_bytes());
            bytes.extend_from_slice(&(misc::BUILD_ID_SIZE | mode).to_ne_bytes());
            bytes.extend_from_slice(&size.to_ne_bytes());
            bytes.extend_from_slice(&(-1_i32).to_ne_bytes());
            push_padded(&mut bytes, id, 20);
            bytes.extend_from_slice(&[u8::try_from(id.len()).unwrap_or(0), 0, 0, 0]);
            push_padded(&mut bytes, &module.name, name_bytes);
        }
        self.bytes(feature::BUILD_ID, bytes);
    }
}

/// The formats of tracepoints, as `tracefs` describes them.
#[derive(Clone, Debug, Default)]
pub struct TracingData {
    /// Text of `events/header_page`.
    pub header_page: Vec<u8>,
    /// Text of `events/header_event`.
    pub header_event: Vec<u8>,
    /// Group (`sched`) and text of `events/GROUP/NAME/format`.
    pub formats: Vec<(String, Vec<u8>)>,
    /// Bytes of a page of memory.
    pub page_bytes: u32,
}

impl TracingData {
    /// Returns the section's bytes: version 0.6 of the format of `trace-cmd`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![23, 8, 68];
        bytes.extend_from_slice(b"tracing0.6\0");
        bytes.push(u8::from(cfg!(target_endian = "big")));
        bytes.push(u8::try_from(size_of::<usize>()).unwrap_or(8));
        bytes.extend_from_slice(&self.page_bytes.to_ne_bytes());
        for (title, text) in [
            ("header_page", &self.header_page),
            ("header_event", &self.header_event),
        ] {
            bytes.extend_from_slice(title.as_bytes());
            bytes.push(0);
            bytes.extend_from_slice(&(text.len() as u64).to_ne_bytes());
            bytes.extend_from_slice(text);
        }
        bytes.extend_from_slice(&count(0));
        let mut groups: BTreeMap<&str, Vec<&[u8]>> = BTreeMap::new();
        for (group, text) in &self.formats {
            groups.entry(group).or_default().push(text);
        }
        bytes.extend_from_slice(&count(groups.len()));
        for (group, texts) in groups {
            bytes.extend_from_slice(group.as_bytes());
            bytes.push(0);
            bytes.extend_from_slice(&count(texts.len()));
            for text in texts {
                bytes.extend_from_slice(&(text.len() as u64).to_ne_bytes());
                bytes.extend_from_slice(text);
            }
        }
        // No kernel symbols, no printk formats, no saved command lines.
        bytes.extend_from_slice(&count(0));
        bytes.extend_from_slice(&count(0));
        bytes.extend_from_slice(&0_u64.to_ne_bytes());
        bytes
    }
}

fn count(value: usize) -> [u8; 4] {
    u32::try_from(value).unwrap_or(u32::MAX).to_ne_bytes()
}

fn push_string(bytes: &mut Vec<u8>, text: &[u8]) {
    let padded = (text.len() + 1).next_multiple_of(STRING_ALIGNMENT);
    bytes.extend_from_slice(&count(padded));
    push_padded(bytes, text, padded);
}

fn push_padded(bytes: &mut Vec<u8>, text: &[u8], size: usize) {
    bytes.extend_from_slice(text);
    bytes.resize(bytes.len() + size.saturating_sub(text.len()), 0);
}
