//! Where things are in the kernel's text, from `/proc/kallsyms`. This does not change while the kernel runs.
//!
//! The kernel takes longer to write that table than we take to read it, so it is read once, and only as
//! far as the end of the text.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::sync::OnceLock;

/// What calls the programs of a switch or a wake-up: the tracepoints, and what they call.
const CALLERS: [&str; 4] = [
    "__traceiter_sched_switch",
    "__traceiter_sched_waking",
    "bpf_trace_run4",
    "bpf_trace_run1",
];

/// Places in the kernel's text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct KernelText {
    /// All of it.
    pub text: Range<u64>,
    /// The entries of hardware interrupts; empty: not known.
    pub interrupt_entries: Range<u64>,
    /// What calls the programs of a switch or a wake-up.
    pub callers: Vec<Range<u64>>,
}

impl KernelText {
    /// Returns the places; `None` where the kernel hides its addresses.
    pub fn of_machine() -> Option<&'static Self> {
        static OF_MACHINE: OnceLock<Option<KernelText>> = OnceLock::new();
        let read = || {
            Self::read(BufReader::with_capacity(
                1 << 16,
                File::open("/proc/kallsyms").ok()?,
            ))
        };
        OF_MACHINE.get_or_init(read).as_ref()
    }

    /// Reads a table that is sorted by address.
    fn read(mut table: impl BufRead) -> Option<Self> {
        let mut places = Self::default();
        let mut open: Option<u64> = None;
        let mut line = Vec::new();
        while table.read_until(b'\n', &mut line).ok()? > 0 {
            let (address, name) = parse(&line)?;
            if let Some(start) = open.filter(|&start| start < address) {
                places.callers.push(start..address);
                open = None;
            }
            match name {
                "_text" => places.text.start = address,
                "__irqentry_text_start" => places.interrupt_entries.start = address,
                "__irqentry_text_end" => places.interrupt_entries.end = address,
                "_etext" => {
                    places.text.end = address;
                    break;
                }
                _ if CALLERS.contains(&name) => open = Some(address),
                _ => {}
            }
            line.clear();
        }
        (!places.text.is_empty() && places.text.start != 0).then_some(places)
    }
}

/// Address and name of a line such as `ffffffff81000000 T _text`.
fn parse(line: &[u8]) -> Option<(u64, &str)> {
    let line = str::from_utf8(line).ok()?;
    let (address, rest) = line.split_once(' ')?;
    let name = rest.get(2..)?.split_ascii_whitespace().next()?;
    Some((u64::from_str_radix(address, 16).ok()?, name))
}

#[cfg(test)]
mod tests {
    use super::KernelText;

    #[test]
    fn places_are_read_up_to_the_end_of_the_text() {
        let table = b"0000000000000000 A fixed_percpu_data\n\
            ffffffff81000000 T _text\n\
            ffffffff81000000 T _stext\n\
            ffffffff81000100 T bpf_trace_run1\n\
            ffffffff81000100 T bpf_trace_run1_alias\n\
            ffffffff81000180 t next\n\
            ffffffff81000200 T __irqentry_text_start\n\
            ffffffff81000300 T __irqentry_text_end\n\
            ffffffff81001000 T _etext\n\
            no line";
        let places = KernelText::read(table.as_slice()).unwrap();
        let base = 0xffff_ffff_8100_0000;
        assert_eq!(places.text, base..base + 0x1000);
        assert_eq!(places.interrupt_entries, base + 0x200..base + 0x300);
        assert_eq!(places.callers.len(), 1);
        assert_eq!(places.callers[0], base + 0x100..base + 0x180);
    }

    #[test]
    fn hidden_addresses_are_no_places() {
        let table = b"0000000000000000 T _text\n0000000000000000 T _etext\n";
        assert_eq!(KernelText::read(table.as_slice()), None);
    }
}
