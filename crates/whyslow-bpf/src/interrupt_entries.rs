//! Where the kernel's entries of hardware interrupts are: whoever is woken below one of them was woken by an
//! interrupt, not by the thread that it interrupted.
//!
//! `/proc/kallsyms` says it, unless the machine hides the kernel's addresses (`kernel.kptr_restrict`). An iterator
//! (`bpf/symbols.bpf.c`) is told them all the same. They never leave the recorder.

use std::error::Error;
use std::io::Read;
use std::ops::Range;

use aya::EbpfLoader;
use aya::programs::Iter;
use whyslow_proc::kernel_text::KernelText;

use crate::error::{BpfError, MISSING};
use crate::loading;
use crate::words::word;

/// The iterator, compiled; see `bpf/build`.
static OBJECT: &[u8] = aya::include_bytes_aligned!("../bpf/symbols.bpf.o");

const LIST_ENTRIES: &str = "list_entries";

/// Bytes of `struct symbol` in the source.
const SYMBOL_BYTES: usize = 40;
/// More than a few symbols are none of ours.
const MOST_BYTES: u64 = 1 << 16;

/// Returns where the entries are; nothing if that is not known.
pub(crate) fn of_machine() -> Range<u64> {
    let shown = KernelText::of_machine().map(|text| text.interrupt_entries.clone());
    let shown = shown.filter(|entries| !entries.is_empty());
    shown.unwrap_or_else(|| interrupt_entries().unwrap_or_default())
}

/// Returns where an iterator says that the entries are, also where the kernel hides its addresses. Linux 6.0.
///
/// # Errors
/// See [`BpfError`].
pub fn interrupt_entries() -> Result<Range<u64>, BpfError> {
    let refused = |error: &(dyn Error + 'static)| BpfError::refused(LIST_ENTRIES, error);
    let btf = loading::kernel_types()?;
    let mut loader = EbpfLoader::new();
    let mut ebpf = loader.btf(Some(&btf)).load(OBJECT)?;
    let iterator = ebpf.program_mut(LIST_ENTRIES).ok_or(MISSING)?;
    let iterator: &mut Iter = iterator.try_into().map_err(|error| refused(&error))?;
    loading::again(|| iterator.load("ksym", &btf)).map_err(|error| refused(&error))?;
    let mut symbols = Vec::new();
    let list = loading::iterate(&mut ebpf, LIST_ENTRIES)?;
    let read = list.take(MOST_BYTES).read_to_end(&mut symbols);
    read.map_err(|source| BpfError::System {
        what: "list the kernel's symbols",
        source,
    })?;
    let address = |name: &str| address_of(&symbols, name).unwrap_or(0);
    Ok(address("__irqentry_text_start")..address("__irqentry_text_end"))
}

fn address_of(symbols: &[u8], name: &str) -> Option<u64> {
    let mut symbols = symbols.chunks_exact(SYMBOL_BYTES);
    let is_it = |symbol: &&[u8]| {
        let text = symbol.get(8..).unwrap_or_default();
        text.split(|&byte| byte == 0).next() == Some(name.as_bytes())
    };
    word(symbols.find(is_it)?, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_found_by_their_whole_names() {
        let symbol = |address: u64, name: &str| {
            let mut bytes = address.to_ne_bytes().to_vec();
            bytes.extend_from_slice(name.as_bytes());
            bytes.resize(SYMBOL_BYTES, 0);
            bytes
        };
        let all = [
            symbol(1, "__irqentry_text_start_x"),
            symbol(2, "__irqentry_text_start"),
        ];
        let all = all.concat();
        assert_eq!(address_of(&all, "__irqentry_text_start"), Some(2));
        assert_eq!(address_of(&all, "__irqentry_text_end"), None);
        assert_eq!(
            address_of(&all[..SYMBOL_BYTES + 9], "__irqentry_text_start"),
            None
        );
    }
}
