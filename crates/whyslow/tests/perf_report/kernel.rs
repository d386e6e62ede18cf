//! Functions of the kernel have names in every kind of perf's files, if it is this kernel.

use std::fs;
use std::path::Path;

use whyslow_testenv::{Feature, has, need};

use crate::{Place, ours, perf};

/// Samples of the kernel at the leaf, with and without a name.
#[derive(Debug, Default, PartialEq, Eq)]
struct Kernel {
    named: u64,
    differs: u64,
    other: u64,
}

fn kernel(file: &Path) -> Kernel {
    let mut kernel = Kernel::default();
    for ((module, method), counts) in ours::ask(&ours::extract(file)).counts {
        let count = match method.as_str() {
            _ if module != "[kernel]" => continue,
            "[unresolved] [kernel] (kernel-differs)" => &mut kernel.differs,
            method if method.starts_with("[unresolved]") => &mut kernel.other,
            _ => &mut kernel.named,
        };
        *count += counts.exclusive;
    }
    kernel
}

fn check(name: &str, options: &[&str]) -> Option<Place> {
    if !has(Feature::Kallsyms) {
        return None;
    }
    let place = Place::new(name)?;
    let options = [&["-g", "-e", "cpu-clock", "-F", "399"], options].concat();
    let recorded = perf::record(&place.file(), &options, &place.program());
    need(Feature::Perf, recorded)?;
    let found = kernel(&place.file());
    let unnamed = (found.differs, found.other);
    assert!(
        found.named > 0 && unnamed == (0, 0),
        "{options:?}: {found:?}"
    );
    Some(place)
}

#[test]
fn kernel_functions_have_names_in_files_of_every_kind() {
    check("kernel-no-id", &["--no-buildid"]);
    check("kernel-compressed", &["-z"]);
    check("kernel-ids-in-records", &["--buildid-mmap"]);
    check("kernel-pipe", &["-o", "-"]);
}

#[test]
fn another_kernel_or_another_place_of_it_gives_no_names() {
    let Some(place) = check("kernel-other", &[]) else {
        return;
    };
    let file = place.file();
    let bytes = fs::read(&file).expect("the recording");
    let changed = |at: usize, bits: u8| {
        let mut changed = bytes.clone();
        changed[at] ^= bits;
        fs::write(&file, changed).expect("a recording");
        kernel(&file)
    };
    let mapping = find(&bytes, b"[kernel.kallsyms]_text\0").expect("the kernel's mapping");
    // Before the name stands the address of _text; its third byte is where it lies in memory.
    let moved = changed(mapping - 8 + 2, 0x40);
    let name = find(&bytes, b"[kernel.kallsyms]\0").expect("the kernel's build id");
    // Before the name stands the build id, 20 bytes padded to 24.
    let other = changed(name - 24, 0xff);
    for found in [moved, other] {
        assert!(found.named == 0 && found.differs > 0, "{found:?}");
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}
