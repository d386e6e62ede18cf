//! Thousands of damaged files through every path: answers or reasons, never a panic.

use crate::support::{Scratch, brief, symbolize, text, tool};
use crate::tiny_elf::{TinyElf, function};
use whyslow_symbols::{
    Inlined, KernelSymbols, ModuleRef, Names, Options, Origin, Reason, Resolution, Symbolizer,
    parts_for_names,
};
use whyslow_testenv::{Feature, has};

/// A small generator, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    /// Changes a few bytes, or cuts the end off. `hot` are places worth hitting.
    fn damage(&mut self, bytes: &[u8], hot: &[std::ops::Range<usize>]) -> Vec<u8> {
        const VALUES: [u8; 8] = [0, 1, 0x7f, 0x80, 0xff, 0xfe, 0x10, 0x40];
        let mut bytes = bytes.to_vec();
        if self.below(20) == 0 {
            bytes.truncate(self.below(bytes.len()));
            return bytes;
        }
        for _ in 0..1 + self.below(6) {
            let range = &hot[self.below(hot.len())];
            let at = range.start + self.below(range.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte = match self.below(3) {
                    0 => VALUES[self.below(VALUES.len())],
                    1 => *byte ^ (1 << self.below(8)),
                    _ => self.below(256) as u8,
                };
            }
        }
        bytes
    }
}

fn symbolizer(inlined: Inlined) -> Symbolizer {
    Symbolizer::new(Options {
        debug_dirs: Vec::new(),
        origin: Origin::ThisMachine,
        inlined,
        ..Options::default()
    })
}

fn offsets(len: usize) -> Vec<u64> {
    let mut offsets: Vec<u64> = (0..len as u64).step_by(64.max(len / 500)).collect();
    offsets.extend([u64::MAX - 1, u64::MAX]);
    offsets
}

fn torture(name: &str, original: &[u8], hot: &[std::ops::Range<usize>], n_rounds: usize) {
    let scratch = Scratch::new(name);
    let symbolizers = [symbolizer(Inlined::Never), symbolizer(Inlined::Always)];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let offsets = offsets(original.len());
    for round in 0..n_rounds {
        let path = scratch.write("file", random.damage(original, hot));
        symbolize(
            &symbolizers[round % 2],
            &ModuleRef::elf(&path, None),
            &offsets,
        );
    }
}

#[test]
fn damaged_hand_written_files() {
    let symbols = vec![
        function("one", 0x40_1000, 0x10),
        function("two", 0x40_1010, 0),
        function("_ZN5space3fooEibc", 0x40_1100, 0x40),
        function("_RNvCskwGfYPst2Cb_3foo16example_function", 0x40_1200, 0x40),
    ];
    for (is_64, is_little) in [(true, true), (false, false)] {
        let elf = TinyElf {
            is_64,
            is_little,
            ..TinyElf::new(symbols.clone())
        };
        let bytes = elf.bytes();
        let hot = [0..0x80, 0x1400..bytes.len()];
        torture(&format!("tiny-{is_64}"), &bytes, &hot, 3000);
    }
}

#[test]
fn damaged_compiled_files() {
    let scratch = Scratch::new("damaged-source");
    let source = scratch.write(
        "program.c",
        "#include <stdio.h>\nstatic inline int a(int x) { return getchar() + x; }\n\
         int b(int x) { return a(x) * a(x + 1); }\nint main(int c, char **v) { return b(c); }\n",
    );
    let out = scratch.path("program");
    for (number, debug) in ["-gdwarf-5", "-gdwarf-4", "-gz=zlib"].iter().enumerate() {
        let arguments = [text(&source), "-O2", debug, "-g", "-o", text(&out)];
        if tool("cc", &arguments).is_none() {
            return;
        }
        let bytes = std::fs::read(&out).unwrap();
        let end = bytes.len();
        // Headers, the tables behind the code, and everything.
        let hot = [
            0..0x400,
            end / 2..end,
            end.saturating_sub(0xa00)..end,
            0..end,
        ];
        torture(&format!("compiled-{number}"), &bytes, &hot, 1500);
    }
}

#[test]
fn damaged_kernel_symbols() {
    let original = "ffffffff81000000 T _text\nffffffff81000040 t startup\t[mod]\n".repeat(20);
    let mut random = Random(7);
    let everywhere = 0..original.len();
    for _ in 0..3000 {
        let text = random.damage(original.as_bytes(), std::slice::from_ref(&everywhere));
        let Ok(symbols) = KernelSymbols::from_kallsyms_text(text) else {
            continue;
        };
        let addresses = [0, 1, 0xffff_ffff_8100_0000, 0xffff_ffff_8100_0041, u64::MAX];
        let _lines = symbols.lines_for(&addresses);
        let symbolizer = symbolizer(Inlined::Never).with_kernel(Ok(symbols));
        let kind = whyslow_symbols::ModuleKind::KernelModule;
        symbolize(&symbolizer, &ModuleRef::of_kind(kind), &addresses);
    }
}

#[test]
fn huge_counts_are_refused_without_using_memory() {
    let scratch = Scratch::new("huge");
    let mut bytes = TinyElf::new(vec![function("f", 0x40_1000, 8)]).bytes();
    // e_shnum 0 means: see the size of section 0, here 2⁶⁰.
    bytes[0x3c..0x3e].fill(0);
    let sections = u64::from_le_bytes(bytes[0x28..0x30].try_into().unwrap()) as usize;
    bytes[sections + 0x20..sections + 0x28].copy_from_slice(&(1_u64 << 60).to_le_bytes());
    let path = scratch.write("file", bytes);
    let mut names = Names::new();
    let mut n_answers = 0;
    symbolizer(Inlined::Always).symbolize_module(
        &ModuleRef::elf(&path, None),
        &[0x1000],
        &mut names,
        &mut |_, found| {
            n_answers += 1;
            assert!(matches!(found, Resolution::Unresolved(_)));
        },
    );
    assert_eq!(n_answers, 1);
}

/// Debug information with a million functions inlined into each other: walking it recursively
/// would exhaust the stack. Names must come all the same.
#[test]
fn endless_nesting_is_refused() {
    const SOURCE: &str = r#"
        .text
        .globl _start
        .type _start, @function
        _start: nop
        .size _start, 1
        .section .debug_abbrev
        .byte 1, 0x11, 1, 0x11, 1, 0x12, 7, 0, 0
        .byte 2, 0x2e, 1, 0x11, 1, 0x12, 7, 0, 0
        .byte 3, 0x1d, 1, 0, 0
        .byte 0
        .section .debug_info
        .long end - begin
        begin: .short 4
        .long 0
        .byte 8
        .byte 1
        .quad _start, 1
        .byte 2
        .quad _start, 1
        .fill 1000000, 1, 3
        .fill 1000002, 1, 0
        end:
    "#;
    let scratch = Scratch::new("nesting");
    let (source, out) = (scratch.write("deep.s", SOURCE), scratch.path("deep"));
    let flags = ["-nostdlib", "-static", "-o", text(&out), text(&source)];
    if !has(Feature::X86) || tool("cc", &flags).is_none() {
        return;
    }
    let (answers, report) = symbolize(
        &symbolizer(Inlined::Always),
        &ModuleRef::elf(&out, None),
        &[0x1000],
    );
    assert_eq!(brief(&answers[0]), "_start+0x0");
    assert_eq!(report.lines_failure, Some(Reason::BadElf));
}

#[test]
fn sizes_of_debug_sections_beyond_all_bounds_are_not_kept() {
    let names = b"\0.debug_a\0";
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1];
    file.resize(64, 0);
    let mut put = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
    put(16, &[2, 0, 62, 0, 1]);
    put(40, &128_u64.to_le_bytes());
    // Size of the header, of a segment's and of a section's; sections; the one with the names.
    put(52, &[64, 0, 56, 0, 0, 0, 64, 0, 4, 0, 3, 0]);
    file.extend(names);
    file.resize(128 + 64, 0);
    let sections = [
        (1, 1, u64::MAX),
        (1, 1, u64::MAX),
        (0, 3, names.len() as u64),
    ];
    for (name, kind, size) in sections {
        let mut section = [0; 64];
        section[0] = name;
        section[4] = kind;
        section[24] = 64;
        section[32..40].copy_from_slice(&size.to_le_bytes());
        file.extend(section);
    }
    let scratch = Scratch::new("sizes");
    let path = scratch.write("file", file.clone());
    let (length, parts) = parts_for_names(std::fs::File::open(path).unwrap(), 1 << 20).unwrap();
    assert_eq!((length, parts), (file.len() as u64, vec![(0, file)]));
}
