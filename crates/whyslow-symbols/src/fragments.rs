//! Parts of a function that the compiler put elsewhere.
//!
//! Compilers move code that they consider cold out of its function (`name.cold`). A stripped file does not
//! say which function such a fragment belongs to. But the function jumps there, and the fragment's call
//! frame information begins with a frame that is already set up, which that of a function never does.

use std::ops::Range;

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EndianSlice, LittleEndian, UnwindContext, UnwindSection,
};

use crate::elf::ElfImage;
use crate::exported::bytes_at;

/// Bytes of a function that are searched for jumps.
const MOST_CODE_BYTES: u64 = 1 << 20;
/// Call frame information that is read.
const MOST_FRAME_BYTES: u64 = 64 << 20;
/// Fragments of one function.
const MOST_FRAGMENTS: usize = 8;

/// Returns the fragments that the function at `function` jumps to.
pub(crate) fn of(image: &ElfImage, function: &Range<u64>) -> Vec<Range<u64>> {
    let targets = jumps(image, function);
    if targets.is_empty() {
        return Vec::new();
    }
    begun(image, &targets, false).unwrap_or_default()
}

/// Returns the functions that the function at `function` ends with a jump to.
pub(crate) fn ends_in(image: &ElfImage, function: &Range<u64>) -> Vec<Range<u64>> {
    begun(image, &jumps(image, function), true).unwrap_or_default()
}

/// Returns where the function may jump to outside itself, sorted. Bytes that only look like a jump lead to
/// some function, which is not a fragment.
fn jumps(image: &ElfImage, function: &Range<u64>) -> Vec<u64> {
    let size = function.end.saturating_sub(function.start);
    let Some(code) = bytes_at(image, function.start, size.min(MOST_CODE_BYTES)) else {
        return Vec::new();
    };
    let mut targets = Vec::new();
    for (at, window) in code.windows(6).enumerate() {
        // jmp rel32; jcc rel32.
        let (distance, length) = match *window {
            [0xe9, a, b, c, d, _] => ([a, b, c, d], 5),
            [0x0f, 0x80..=0x8f, a, b, c, d] => ([a, b, c, d], 6),
            _ => continue,
        };
        let end = function.start.wrapping_add(at as u64).wrapping_add(length);
        let target = end.wrapping_add_signed(i32::from_le_bytes(distance).into());
        if !function.contains(&target) {
            targets.push(target);
        }
    }
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// Returns the ranges of code with one of the targets that are functions, or that begin with a frame.
fn begun(image: &ElfImage, targets: &[u64], functions: bool) -> Option<Vec<Range<u64>>> {
    let section = image.section(b".eh_frame")?;
    let bytes = image.section_bytes(section, MOST_FRAME_BYTES).ok()?;
    let frames = EhFrame::from(EndianSlice::new(&bytes, LittleEndian));
    let bases = BaseAddresses::default().set_eh_frame(section.address);
    let mut context = UnwindContext::new();
    let mut entries = frames.entries(&bases);
    let mut found = Vec::new();
    while let Ok(Some(entry)) = entries.next() {
        let gimli::CieOrFde::Fde(partial) = entry else {
            continue;
        };
        let Ok(entry) = partial.parse(EhFrame::cie_from_offset) else {
            continue;
        };
        let range = entry.initial_address()..entry.end_address();
        let next = targets.partition_point(|target| *target < range.start);
        if targets
            .get(next)
            .is_none_or(|target| !range.contains(target))
        {
            continue;
        }
        let Ok(mut rows) = entry.rows(&frames, &bases, &mut context) else {
            continue;
        };
        let Ok(Some(first)) = rows.next_row() else {
            continue;
        };
        // Where a function begins, the return address is all that is on the stack.
        let is_function = matches!(first.cfa(), CfaRule::RegisterAndOffset { register, offset: 8 }
            if *register == gimli::X86_64::RSP);
        if is_function == functions {
            found.push(range);
            if found.len() >= MOST_FRAGMENTS {
                break;
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use whyslow_testenv::{Feature, has};

    use super::*;
    use crate::file_bytes::FileBytes;

    const SOURCE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) int other(int n) { return n * 3 + 1; }
__attribute__((noinline)) int work(int n) {
    int *room = malloc(n);
    for (int i = 0; i < n; i++) room[i % 7] += other(i);
    if (__builtin_expect(n == 12345, 0)) {
        for (int i = 0; i < 9; i++) printf("rare %d %d\n", other(i), room[i]);
        abort();
    }
    int last = room[3];
    free(room);
    return last;
}
int main(int argc, char **argv) { return work(argc * 100); }
"#;

    #[test]
    fn cold_code_belongs_to_its_function() {
        if !has(Feature::Cc) || !has(Feature::Binutils) || !has(Feature::X86) {
            return;
        }
        let folder = std::env::temp_dir().join(format!("whyslow-cold-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (source, program) = (folder.join("cold.c"), folder.join("cold"));
        std::fs::write(&source, SOURCE).unwrap();
        let mut cc = Command::new("cc");
        cc.args(["-O2", "-freorder-blocks-and-partition", "-o"]);
        assert!(cc.arg(&program).arg(&source).status().unwrap().success());
        let names = Command::new("nm").arg("-S").arg(&program).output().unwrap();
        let names = String::from_utf8(names.stdout).unwrap();
        let range = |name: &str| {
            let line = names
                .lines()
                .find(|line| line.ends_with(&format!(" {name}")))?;
            let mut words = line.split(' ');
            let mut hex = || u64::from_str_radix(words.next()?, 16).ok();
            let start = hex()?;
            Some(start..start + hex()?)
        };
        let image = ElfImage::new(FileBytes::open(&program).unwrap()).unwrap();
        let cold = range("work.cold").expect("the compiler moves what is rare");
        assert_eq!(of(&image, &range("work").unwrap()), [cold]);
        assert_eq!(of(&image, &range("other").unwrap()), []);
        assert_eq!(of(&image, &(0..0)), []);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
