//! Names random or given addresses of a file, and says what that took.
//!
//! ```text
//! name_addresses FILE 10000                 10,000 random addresses in the code of an ELF file
//! name_addresses /proc/kallsyms 10000       the same for the running kernel
//! name_addresses FILE 10000 --inlined       with inlined functions and lines
//! name_addresses FILE - < ADDRESSES         file offsets (hexadecimal), one per line
//! name_addresses jit:PID - < ADDRESSES      generated code of a process
//! ```
//! `--print` prints every name; `--from DIR` adds a folder with files.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    reason = "an example talks to its user and may stop"
)]

use std::path::{Path, PathBuf};
use std::time::Instant;

use whyslow_symbols::{
    Inlined, KernelSymbols, ModuleKind, ModuleRef, Names, Options, Origin, Resolution, Symbolizer,
};

/// The module that an argument names: the kernel, the generated code of a process, or a file.
fn module_of(path: &str) -> ModuleRef<'_> {
    let jit = path.strip_prefix("jit:").and_then(|pid| pid.parse().ok());
    if path == "/proc/kallsyms" {
        ModuleRef::of_kind(ModuleKind::Kernel { text_address: None })
    } else if let Some(os_pid) = jit {
        ModuleRef::of_kind(ModuleKind::Jit {
            os_pid,
            started: None,
            user: None,
        })
    } else {
        ModuleRef::elf(Path::new(path), None)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|a| a == flag);
    let [path, count, ..] = arguments.as_slice() else {
        eprintln!("usage: name_addresses FILE COUNT|- [--inlined] [--print] [--from DIR]");
        return;
    };
    let from = arguments.iter().position(|a| a == "--from");
    let from = from.and_then(|at| arguments.get(at + 1)).map(PathBuf::from);
    let is_kernel = path == "/proc/kallsyms";
    let mut symbolizer = Symbolizer::new(Options {
        origin: Origin::ThisMachine,
        inlined: match has("--inlined") {
            true => Inlined::Always,
            false => Inlined::Never,
        },
        from: from.into_iter().collect(),
        ..Options::default()
    });
    let mut addresses: Vec<u64> = if count == "-" {
        std::io::stdin()
            .lines()
            .map_while(Result::ok)
            .filter_map(|line| u64::from_str_radix(line.trim(), 16).ok())
            .collect()
    } else {
        let n = count.parse().expect("COUNT is a number");
        random_addresses(&ranges_of(path), n)
    };
    addresses.sort_unstable();
    addresses.dedup();

    if is_kernel {
        let before = Instant::now();
        let text = std::fs::read(path).expect("readable");
        eprintln!("read {} bytes in {:?}", text.len(), before.elapsed());
        symbolizer = symbolizer.with_kernel(KernelSymbols::from_kallsyms_text(text));
    }
    let module = module_of(path);
    for _ in 0..if has("--print") { 1 } else { 5 } {
        let mut names = Names::new();
        let mut results = vec![None; addresses.len()];
        let before = Instant::now();
        let report = symbolizer.symbolize_module(&module, &addresses, &mut names, &mut |i, r| {
            results[i] = Some(match r {
                Resolution::Frames(frames) => Ok(frames.to_vec()),
                Resolution::Unresolved(reason) => Err(reason),
            });
        });
        eprintln!(
            "{:?} for {} addresses: {report:?}, {} names",
            before.elapsed(),
            addresses.len(),
            names.len()
        );
        if !has("--print") {
            continue;
        }
        for (address, result) in addresses.iter().zip(&results) {
            match result.as_ref().expect("every index is reported") {
                Ok(frames) => {
                    for frame in frames {
                        let name = names.text(frame.function);
                        let file = frame.file.map_or("", |file| names.text(file));
                        let line = frame.line.unwrap_or(0);
                        println!("{address:x} {name}+{:#x} {file}:{line}", frame.offset_bytes);
                    }
                }
                Err(reason) => println!("{address:x} ? {}", reason.code()),
            }
        }
    }
}

/// Start and length of the code: in the file, or in the kernel's memory.
fn ranges_of(path: &str) -> Vec<(u64, u64)> {
    if path == "/proc/kallsyms" {
        let text = std::fs::read(path).expect("readable");
        let symbols = KernelSymbols::from_kallsyms_text(text).expect("kernel symbols");
        let start = symbols.address_of("_stext").expect("_stext");
        let end = symbols.address_of("_etext").expect("_etext");
        return vec![(start, end - start)];
    }
    use object::read::elf::{FileHeader as _, SectionHeader as _};
    let bytes = std::fs::read(path).expect("readable");
    let header = object::elf::FileHeader64::<object::Endianness>::parse(&*bytes).expect("ELF");
    let endian = header.endian().expect("byte order");
    let sections = header.sections(endian, &*bytes).expect("sections");
    let code = u64::from(object::elf::SHF_EXECINSTR);
    sections
        .iter()
        .filter(|s| s.sh_flags(endian) & code != 0)
        .map(|s| (s.sh_offset(endian), s.sh_size(endian)))
        .collect()
}

fn random_addresses(ranges: &[(u64, u64)], n: usize) -> Vec<u64> {
    let total: u64 = ranges.iter().map(|&(_, size)| size).sum();
    let mut state = 1_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let mut at = state % total;
        for &(start, size) in ranges {
            if at < size {
                return start + at;
            }
            at -= size;
        }
        0
    };
    (0..n).map(|_| next()).collect()
}
