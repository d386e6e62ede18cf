//! A program or library of any bytes: its symbols, stubs, packed symbols and lines. The first byte says
//! whether inlined calls are asked for.
#![no_main]

use std::fs::File;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use whyslow_symbols::{
    Inlined, KeptFile, ModuleRef, Names, Options, Origin, Symbolizer, parts_for_names,
};

/// A file of this process, and symbolizers without and with lines.
static PLACE: LazyLock<(PathBuf, [Symbolizer; 2])> = LazyLock::new(|| {
    let symbolizer = |inlined: Inlined| {
        Symbolizer::new(Options {
            debug_dirs: Vec::new(),
            origin: Origin::ThisMachine,
            inlined,
            ..Options::default()
        })
    };
    let file = std::env::temp_dir().join(format!("whyslow-fuzz-elf-{}", std::process::id()));
    (
        file,
        [symbolizer(Inlined::Never), symbolizer(Inlined::Always)],
    )
});

/// The same by what a recording keeps of the file.
fn by_what_is_kept(path: &Path, inlined: u8, addresses: &[u64]) {
    let opened = File::open(path).expect("the file");
    let Some((length, parts)) = parts_for_names(opened, 1 << 20) else {
        return;
    };
    let kept = KeptFile {
        path: path.to_owned(),
        build_id: None,
        length,
        parts: parts.into(),
    };
    let symbolizer = Symbolizer::new(Options {
        debug_dirs: Vec::new(),
        kept: [kept].into(),
        inlined: if inlined % 2 == 0 { Inlined::Never } else { Inlined::Always },
        ..Options::default()
    });
    let module = ModuleRef::elf(path, None);
    let mut names = Names::new();
    symbolizer.symbolize_module(&module, addresses, &mut names, &mut |_, found| {
        black_box(found);
    });
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((inlined, file)) = data.split_first() else {
        return;
    };
    let (path, symbolizers) = &*PLACE;
    std::fs::write(path, file).expect("a file");
    let end = u64::try_from(file.len()).unwrap_or(u64::MAX);
    let mut addresses: Vec<u64> = (0..end).step_by(61.max(file.len() / 300)).collect();
    addresses.extend([u64::MAX - 1, u64::MAX]);
    let mut names = Names::new();
    let module = ModuleRef::elf(path, None);
    let symbolizer = &symbolizers[usize::from(inlined % 2)];
    let mut answers = 0;
    symbolizer.symbolize_module(&module, &addresses, &mut names, &mut |_, found| {
        black_box(found);
        answers += 1;
    });
    assert_eq!(answers, addresses.len(), "an answer or a reason for each");
    by_what_is_kept(path, *inlined, &addresses);
    std::fs::remove_file(path).expect("the file");
});
