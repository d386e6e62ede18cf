//! Names of procedure linkage table entries: `memcpy@plt`.
//!
//! The stubs through which a program calls into other libraries have no symbols. On x86-64 every
//! form of stub (`.plt`, `.plt.sec`, `.plt.got`; with or without `endbr64` and `bnd`) jumps
//! through a slot of the global offset table, and the relocation of that slot names the function.
//! So the stub at a wanted address is decoded instead of counting entries, which differ between
//! linkers. The lazy form pushes the number of its relocation instead. (Source: x86-64 psABI,
//! section "Procedure Linkage Table".) Other machines: no names for stubs.
//!
//! A relocation without symbol (`R_X86_64_IRELATIVE`) gives the address of a function of the same
//! file that chooses the target when the file is loaded, as for `memcpy` within the C library. That
//! function has the name of what it chooses.

use std::collections::BTreeMap;

use object::elf::{self, Rela64};
use object::{Endianness, pod};

use crate::elf::{ElfImage, Section};
use crate::symbol_table::SymbolTable;

const ENTRY_BYTES: u64 = 16;
const MAX_RELOCATIONS: u64 = 4 << 20;
const BLOCK_BYTES: u64 = 24 << 13;

type Relocation = Rela64<Endianness>;

/// A stub that a wanted address lies in.
struct Stub {
    start: u64,
    target: Target,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Address of the slot it jumps through.
    Slot(u64),
    /// Number of the relocation in `.rela.plt`.
    Number(u64),
    /// The common first entry that calls the dynamic linker.
    Resolver,
}

/// The function that a stub leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Callee {
    /// Its name.
    Name(Vec<u8>),
    /// The address of the function in the same file that chooses it.
    ChosenBy(u64),
}

/// Start and function of the stub at each address that is in one; `addresses` are sorted ascending.
pub(crate) fn stubs(image: &ElfImage, addresses: &[u64]) -> Vec<Option<(u64, Callee)>> {
    let mut names: Vec<Option<(u64, Callee)>> = vec![None; addresses.len()];
    if image.machine != elf::EM_X86_64 || !image.is_64 {
        return names;
    }
    let mut stubs: Vec<(usize, Stub)> = Vec::new();
    for section in image.sections.iter().filter(|s| is_stub_section(s)) {
        let first = addresses.partition_point(|&a| a < section.address);
        let behind = addresses.partition_point(|&a| a < section.end());
        for index in first..behind {
            let stub = addresses
                .get(index)
                .and_then(|&a| stub_at(image, section, a));
            stubs.extend(stub.map(|stub| (index, stub)));
        }
    }
    if stubs.is_empty() {
        return names;
    }
    let functions = Functions::find(image, &stubs);
    for (index, stub) in stubs {
        let name = match stub.target {
            Target::Resolver => Some(Callee::Name(b".plt".to_vec())),
            Target::Slot(slot) => functions.by_slot.get(&slot).cloned().flatten(),
            Target::Number(number) => functions.by_number.get(&number).cloned().flatten(),
        };
        if let (Some(name), Some(entry)) = (name, names.get_mut(index)) {
            *entry = Some((stub.start, name));
        }
    }
    names
}

fn is_stub_section(section: &Section) -> bool {
    section.is_code()
        && section.has_bytes()
        && matches!(
            &*section.name,
            b".plt" | b".plt.sec" | b".plt.got" | b".plt.bnd" | b".iplt"
        )
}

fn stub_at(image: &ElfImage, section: &Section, address: u64) -> Option<Stub> {
    let size = match section.entry_size {
        8 => 8,
        _ => ENTRY_BYTES,
    };
    let start = address - (address - section.address) % size;
    let offset = section.offset.checked_add(start - section.address)?;
    let code = image.bytes.read(offset, size, size).ok()?;
    Some(Stub {
        start,
        target: decode(&code, start)?,
    })
}

fn decode(code: &[u8], start: u64) -> Option<Target> {
    let word = |at: usize| {
        let bytes = code.get(at..)?.first_chunk::<4>()?;
        Some(i32::from_le_bytes(*bytes))
    };
    let mut at = if code.starts_with(&[0xf3, 0x0f, 0x1e, 0xfa]) {
        4
    } else {
        0
    };
    if code.get(at) == Some(&0xf2) {
        at += 1;
    }
    match code.get(at..)? {
        [0xff, 0x25, ..] => {
            let behind = start.wrapping_add(at as u64 + 6);
            let slot = behind.wrapping_add_signed(i64::from(word(at + 2)?));
            Some(Target::Slot(slot))
        }
        [0xff, 0x35, ..] => Some(Target::Resolver),
        [0x68, ..] => Some(Target::Number(u64::from(word(at + 1)?.cast_unsigned()))),
        _ => None,
    }
}

/// Names of the functions that the wanted stubs call.
#[derive(Default)]
struct Functions {
    by_slot: BTreeMap<u64, Option<Callee>>,
    by_number: BTreeMap<u64, Option<Callee>>,
}

impl Functions {
    fn find(image: &ElfImage, stubs: &[(usize, Stub)]) -> Self {
        let mut found = Self::default();
        let symbols = SymbolTable::new(image, elf::SHT_DYNSYM);
        for (_, stub) in stubs {
            match stub.target {
                Target::Slot(slot) => {
                    found.by_slot.insert(slot, None);
                }
                Target::Number(number) => {
                    found.by_number.insert(number, None);
                }
                Target::Resolver => {}
            }
        }
        for (name, is_plt) in [(&b".rela.plt"[..], true), (b".rela.dyn", false)] {
            let open = found.by_slot.values().any(Option::is_none);
            let Some(section) = image.section(name).filter(|_| is_plt || open) else {
                continue;
            };
            found.search(image, section, symbols.as_ref(), is_plt);
        }
        found
    }

    fn search(
        &mut self,
        image: &ElfImage,
        section: &Section,
        symbols: Option<&SymbolTable<'_>>,
        is_plt: bool,
    ) {
        let size = size_of::<Relocation>() as u64;
        let n_relocations = (section.size / size).min(MAX_RELOCATIONS);
        let mut first = 0;
        while first < n_relocations {
            let n = (BLOCK_BYTES / size).min(n_relocations - first);
            let offset = section.offset.saturating_add(first * size);
            let Ok(block) = image.bytes.read(offset, n * size, BLOCK_BYTES) else {
                return;
            };
            let relocations = pod::slice_from_all_bytes::<Relocation>(&block).unwrap_or(&[]);
            for (number, relocation) in (first..).zip(relocations) {
                let slot = relocation.r_offset.get(image.endian);
                let by_number = self.by_number.get_mut(&number).filter(|_| is_plt);
                for name in self.by_slot.get_mut(&slot).into_iter().chain(by_number) {
                    *name = Some(callee(image.endian, relocation, symbols));
                }
            }
            first += n;
        }
    }
}

fn callee(
    endian: Endianness,
    relocation: &Relocation,
    symbols: Option<&SymbolTable<'_>>,
) -> Callee {
    let index = Relocation::r_sym(relocation, endian, false);
    let name = symbols
        .and_then(|symbols| symbols.name_of_index(index.into()))
        .unwrap_or_default();
    if !name.is_empty() {
        return Callee::Name([&name, b"@plt".as_slice()].concat());
    }
    Callee::ChosenBy(relocation.r_addend.get(endian).cast_unsigned())
}
