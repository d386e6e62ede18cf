//! The kernel's list of symbols, of any bytes: a part that is kept for some addresses names them as the
//! whole does. Before it stand the number of addresses and the addresses.
#![no_main]

use whyslow_fuzz::cut;
use whyslow_symbols::{KernelSymbols, ModuleKind, ModuleRef, Names, Options, Symbolizer};

/// Returns what the list calls the addresses.
fn named(text: &[u8], addresses: &[u64]) -> Option<Vec<String>> {
    let symbols = KernelSymbols::from_kallsyms_text(text.to_vec());
    let is_list = symbols.is_ok();
    let symbolizer = Symbolizer::new(Options::default()).with_kernel(symbols);
    let module = ModuleRef::of_kind(ModuleKind::Kernel { text_address: None });
    let (mut names, mut said) = (Names::new(), Vec::new());
    symbolizer.symbolize_module(&module, addresses, &mut names, &mut |_, found| {
        said.push(format!("{found:?}"));
    });
    assert_eq!(
        said.len(),
        addresses.len(),
        "an answer or a reason for each"
    );
    is_list.then_some(said)
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (words, text) = cut(data);
    let words = words.chunks_exact(8).filter_map(|word| word.first_chunk());
    let mut addresses: Vec<u64> = words.map(|word| u64::from_le_bytes(*word)).collect();
    addresses.sort_unstable();
    addresses.dedup();
    let Some(all) = named(text, &addresses) else {
        return;
    };
    let symbols = KernelSymbols::from_kallsyms_text(text.to_vec()).expect("as before");
    let part = symbols.lines_for(&addresses);
    if let Some(again) = named(&part, &addresses) {
        assert_eq!(again, all);
    }
});
