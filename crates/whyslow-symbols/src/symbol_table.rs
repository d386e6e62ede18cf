//! `.symtab` and `.dynsym`: their function symbols, streamed in table order.
//!
//! The table is read in blocks and never held whole; names are read only for chosen symbols.
//! What counts as a function follows `perf` (`dso__load_sym_internal`): functions, indirect
//! functions and objects in code sections, and plain labels in sections called `…text…`.

use std::borrow::Cow;

use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, Sym as _};
use object::{Endianness, pod};

use crate::Reason;
use crate::elf::{ElfImage, Section};
use crate::nearest::{Candidate, Nearest, rank};

/// Symbols beyond this number per table are not looked at.
const MAX_SYMBOLS: u64 = 16 << 20;
/// Longest raw name taken; longer ones (generated C++) are cut.
const MAX_NAME_BYTES: usize = 64 << 10;
/// String tables up to this size may be read whole.
const MAX_STRINGS_BYTES: u64 = 64 << 20;
/// Reading one name costs about as much as copying this many bytes.
const NAME_COST_BYTES: u64 = 2048;
const BLOCK_BYTES: u64 = 1 << 20;

/// One symbol table of one file, with the strings it refers to.
#[derive(Debug)]
pub(crate) struct SymbolTable<'a> {
    image: &'a ElfImage,
    symbols: &'a Section,
    strings: &'a Section,
    text: Option<Vec<u8>>,
}

impl<'a> SymbolTable<'a> {
    /// The table of this kind (`SHT_SYMTAB` or `SHT_DYNSYM`); `None` when there is none.
    pub(crate) fn new(image: &'a ElfImage, kind: u32) -> Option<Self> {
        let symbols = image.section_of_kind(kind)?;
        let strings = image
            .sections
            .get(symbols.link as usize)
            .filter(|s| s.has_bytes())?;
        Some(Self {
            image,
            symbols,
            strings,
            text: None,
        })
    }

    /// Offers every function symbol to `nearest`, marked as of table number `table`.
    pub(crate) fn offer_to(&self, nearest: &mut Nearest<'_>, table: u8) -> Result<(), Reason> {
        if self.image.is_64 {
            self.stream::<FileHeader64<Endianness>>(nearest, table)
        } else {
            self.stream::<FileHeader32<Endianness>>(nearest, table)
        }
    }

    fn stream<E: FileHeader<Endian = Endianness>>(
        &self,
        nearest: &mut Nearest<'_>,
        table: u8,
    ) -> Result<(), Reason> {
        let size = size_of::<E::Sym>() as u64;
        let n_symbols = (self.symbols.size / size).min(MAX_SYMBOLS);
        let filter = Filter::new(self.image);
        let per_block = BLOCK_BYTES / size;
        let mut first = 0;
        while first < n_symbols {
            let n = per_block.min(n_symbols - first);
            let offset = self.symbols.offset.saturating_add(first * size);
            let block = self.image.bytes.read(offset, n * size, BLOCK_BYTES)?;
            let symbols =
                pod::slice_from_all_bytes::<E::Sym>(&block).map_err(|()| Reason::BadElf)?;
            for symbol in symbols {
                if let Some(candidate) = filter.candidate::<E>(symbol, table) {
                    nearest.offer(candidate);
                }
            }
            first += n;
        }
        Ok(())
    }

    /// Gets ready for about `n_names` calls of [`SymbolTable::name`].
    pub(crate) fn expect_names(&mut self, n_names: usize) {
        let size = self.strings.size;
        if self.text.is_none()
            && size <= MAX_STRINGS_BYTES
            && size / NAME_COST_BYTES < n_names as u64
        {
            self.text = self.image.section_bytes(self.strings, size).ok();
        }
    }

    /// The name at `offset` in the strings; empty when it is out of bounds.
    pub(crate) fn name(&self, offset: u64) -> Cow<'_, [u8]> {
        if let Some(text) = &self.text {
            let tail = usize::try_from(offset).ok().and_then(|at| text.get(at..));
            let tail = tail.unwrap_or(&[]);
            let tail = tail.get(..MAX_NAME_BYTES).unwrap_or(tail);
            return Cow::Borrowed(before_nul(tail));
        }
        let mut size = 256;
        loop {
            let rest = self.strings.size.saturating_sub(offset);
            let at = self.strings.offset.saturating_add(offset);
            let wanted = rest.min(size);
            let Ok(mut tail) = self.image.bytes.read(at, wanted, size) else {
                return Cow::Borrowed(&[]);
            };
            let length = before_nul(&tail).len();
            if length < tail.len() || wanted == rest || size >= MAX_NAME_BYTES as u64 {
                tail.truncate(length);
                return Cow::Owned(tail);
            }
            size *= 8;
        }
    }

    /// Raw name of symbol number `index`; `None` when there is no such symbol.
    pub(crate) fn name_of_index(&self, index: u64) -> Option<Cow<'_, [u8]>> {
        let size: u64 = if self.image.is_64 { 24 } else { 16 };
        let offset = index.checked_mul(size)?;
        if offset.checked_add(size)? > self.symbols.size {
            return None;
        }
        let at = self.symbols.offset.checked_add(offset)?;
        let bytes = self.image.bytes.read(at, size, size).ok()?;
        // The name is the first word of a symbol in both classes.
        let (name, _) = pod::from_bytes::<object::U32<Endianness>>(&bytes).ok()?;
        Some(self.name(name.get(self.image.endian).into()))
    }
}

fn before_nul(bytes: &[u8]) -> &[u8] {
    memchr::memchr(0, bytes).map_or(bytes, |end| bytes.split_at(end).0)
}

/// Decides which symbols may name code.
struct Filter {
    endian: Endianness,
    is_arm: bool,
    has_mapping_symbols: bool,
    /// Per section: its end, whether it is code, whether labels in it count.
    sections: Vec<(u64, bool, bool)>,
}

impl Filter {
    fn new(image: &ElfImage) -> Self {
        let machine = image.machine;
        Self {
            endian: image.endian,
            is_arm: machine == elf::EM_ARM,
            has_mapping_symbols: matches!(machine, elf::EM_ARM | elf::EM_AARCH64 | elf::EM_RISCV),
            sections: image
                .sections
                .iter()
                .map(|s| {
                    let is_text = memchr::memmem::find(&s.name, b"text").is_some();
                    (s.end(), s.is_code(), is_text)
                })
                .collect(),
        }
    }

    fn candidate<E: FileHeader<Endian = Endianness>>(
        &self,
        symbol: &E::Sym,
        table: u8,
    ) -> Option<Candidate> {
        let endian = self.endian;
        let kind = symbol.st_type();
        let is_label = kind == elf::STT_NOTYPE;
        let is_function = matches!(kind, elf::STT_FUNC | elf::STT_GNU_IFUNC);
        if !(is_function || is_label || kind == elf::STT_OBJECT) {
            return None;
        }
        let index = symbol.st_shndx(endian);
        let name = symbol.st_name(endian);
        if index == elf::SHN_UNDEF || name == 0 {
            return None;
        }
        let (bound, is_code, is_text) = match self.sections.get(usize::from(index)) {
            Some(&section) if index < elf::SHN_LORESERVE => section,
            // More than 65,279 sections: the index is elsewhere; trust the type.
            _ if index == elf::SHN_XINDEX => (u64::MAX, is_function, false),
            _ => return None,
        };
        let binding = symbol.st_bind();
        let visible = matches!(
            symbol.st_visibility(),
            elf::STV_DEFAULT | elf::STV_PROTECTED
        );
        if !is_code
            || is_label
                && (!is_text || !visible || self.has_mapping_symbols && binding == elf::STB_LOCAL)
        {
            return None;
        }
        let mut start: u64 = symbol.st_value(endian).into();
        if self.is_arm && is_function {
            start &= !1;
        }
        let size: u64 = symbol.st_size(endian).into();
        Some(Candidate {
            start,
            end: start.saturating_add(size),
            bound,
            rank: rank(
                size > 0,
                binding == elf::STB_WEAK,
                binding == elf::STB_GLOBAL,
            ),
            name: name.into(),
            table,
        })
    }
}
