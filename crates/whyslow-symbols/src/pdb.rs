//! Names out of a PDB: the functions at addresses relative to the image's base.
//!
//! ```text
//! wanted address ─ section contributions ─► the object file it came from ─► its private symbols: exact ranges
//!                └──────────────────────── if those say nothing ─► public symbols: nearest before, same contribution
//! ```
//!
//! Only the object files that hold a wanted address are read, so a browser's PDB of a gigabyte
//! costs what the recorded functions cost. A public symbol has no size: it reaches to the next one,
//! but never beyond the contribution it is in, because other code follows.
//!
//! The layouts are left to `pdb2`. In places it checks bounds by panicking; panics caused by a damaged file end at
//! [`guarded`].

use std::collections::{BTreeMap, BTreeSet};

use pdb2::{
    AddressMap, DebugInformation, FallibleIterator as _, IdIndex, MachineType, ModuleInfo, PDB,
    PdbInternalRva, PdbInternalSectionOffset, SymbolData, SymbolIndex, SymbolTable,
};

use crate::elf_module::is_better_name;
use crate::file_bytes::FileBytes;
use crate::nearest::{Candidate, Nearest, rank};
use crate::pdb_inlined::{Inlined, InlinedReader, Procedure, names_of_ids};
use crate::pdb_source::PdbSource;
use crate::{PdbId, Reason};
use whyslow_demangle::{demangle, plain_c_name};

/// Larger PDBs are refused; the format itself ends at 4 GiB with pages of 4 KiB.
const MAX_FILE_BYTES: u64 = 8 << 30;

/// Sections that Windows accepts in an image.
const MAX_SECTIONS: usize = 96;

/// An opened PDB that belongs to the image.
#[derive(Debug)]
pub(crate) struct Pdb {
    pdb: PDB<'static, PdbSource>,
}

/// A function and where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Function {
    /// Number of its name in [`PdbNames::names`].
    pub(crate) name: usize,
    /// Address relative to the image's base.
    pub(crate) start: u64,
}

/// What a PDB knows about the wanted addresses.
#[derive(Debug, Default)]
pub(crate) struct PdbNames {
    /// Linker names.
    pub(crate) names: Vec<Box<[u8]>>,
    /// The function of each address.
    pub(crate) functions: Vec<Option<Function>>,
    /// What was inlined at each address, and lines; empty unless asked for.
    pub(crate) inlined: Vec<Option<Inlined>>,
    /// Names of the inlined functions.
    pub(crate) inlinees: BTreeMap<IdIndex, Box<[u8]>>,
    /// Source files of the lines.
    pub(crate) files: Vec<Box<str>>,
}

impl Pdb {
    /// Reads the headers of a PDB, which has to be the wanted one.
    ///
    /// # Errors
    /// [`Reason::PdbDiffers`] if it belongs to another build, [`Reason::PortablePdb`] if it holds
    /// no machine code, [`Reason::BadPdb`] if it is damaged.
    pub(crate) fn read(bytes: FileBytes, wanted: PdbId) -> Result<Self, Reason> {
        if bytes.len_bytes() > MAX_FILE_BYTES {
            return Err(Reason::TooLarge);
        }
        let mut head = [0; 4];
        if bytes.len_bytes() >= 4 {
            bytes.read_exact_at(0, &mut head)?;
        }
        if &head == b"BSJB" {
            return Err(Reason::PortablePdb);
        }
        guarded(|| {
            let mut pdb = PDB::open(PdbSource { bytes })?;
            let information = pdb.pdb_information()?;
            let (guid, rewritten) = (information.guid.as_u128(), information.age);
            // Tools that rewrite a PDB raise its own age; the linker's stays in the DBI header.
            let age = pdb.debug_information()?.age().unwrap_or(rewritten);
            Ok((pdb, PdbId { guid, age }))
        })
        .and_then(|(pdb, found)| match found == wanted {
            true => Ok(Self { pdb }),
            false => Err(Reason::PdbDiffers),
        })
    }

    /// The functions at `addresses`, sorted ascending; with `inlined`, also what was inlined there.
    pub(crate) fn names_of(mut self, addresses: &[u64], inlined: bool) -> Result<PdbNames, Reason> {
        guarded(move || {
            let mut search = Search::new(addresses);
            let map = self.pdb.address_map()?;
            let information = self.pdb.debug_information()?;
            search.find_contributions(&information, &map)?;
            search.find_private(&mut self.pdb, &information, &map, inlined)?;
            let symbols = self.pdb.global_symbols()?;
            let sections = self.pdb.sections()?.unwrap_or_default();
            let sections = sections.iter().take(MAX_SECTIONS).map(|section| {
                let start = u64::from(section.virtual_address);
                let is_code = section.characteristics.execute();
                (start..start + u64::from(section.virtual_size), is_code)
            });
            let sections: Vec<_> = sections.collect();
            let is_x86 = information.machine_type().ok() == Some(MachineType::X86);
            search.find_public(&symbols, &map, &sections, is_x86);
            Ok(search.found)
        })
    }
}

/// Runs `read`; a panic of the PDB reader becomes [`Reason::BadPdb`].
fn guarded<T>(read: impl FnOnce() -> pdb2::Result<T>) -> Result<T, Reason> {
    match whyslow_caught::caught(read) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(_)) | Err(_) => Err(Reason::BadPdb),
    }
}

/// A part of an object file in the image.
#[derive(Debug, Clone, Copy)]
struct Contribution {
    object: usize,
    start: u64,
}

/// The addresses of one look-up, and what is known of them so far.
struct Search<'a> {
    addresses: &'a [u64],
    contributions: Vec<Option<Contribution>>,
    found: PdbNames,
}

impl<'a> Search<'a> {
    fn new(addresses: &'a [u64]) -> Self {
        Self {
            addresses,
            contributions: vec![None; addresses.len()],
            found: PdbNames {
                functions: vec![None; addresses.len()],
                ..PdbNames::default()
            },
        }
    }

    /// Numbers of the wanted addresses in `length` bytes from `at`, each with the start of the
    /// piece it lies in: code that was moved after linking comes in several.
    fn wanted_in(
        &self,
        map: &AddressMap<'_>,
        at: PdbInternalSectionOffset,
        length: u32,
    ) -> Vec<(usize, u64)> {
        let mut wanted = Vec::new();
        let Some(PdbInternalRva(start)) = at.to_internal_rva(map) else {
            return wanted;
        };
        let end = start.saturating_add(length);
        for piece in map.rva_ranges(PdbInternalRva(start)..PdbInternalRva(end)) {
            let (start, end) = (u64::from(piece.start.0), u64::from(piece.end.0));
            let first = self.addresses.partition_point(|&a| a < start);
            let behind = self.addresses.partition_point(|&a| a < end);
            wanted.extend((first..behind).map(|index| (index, start)));
        }
        wanted
    }

    fn find_contributions(
        &mut self,
        information: &DebugInformation<'_>,
        map: &AddressMap<'_>,
    ) -> pdb2::Result<()> {
        let mut all = information.section_contributions()?;
        while let Some(part) = all.next()? {
            for (index, start) in self.wanted_in(map, part.offset, part.size) {
                if let Some(entry) = self.contributions.get_mut(index) {
                    let object = part.module;
                    *entry = Some(Contribution { object, start });
                }
            }
        }
        Ok(())
    }

    /// Looks among the symbols of the object files that hold a wanted address.
    fn find_private(
        &mut self,
        pdb: &mut PDB<'static, PdbSource>,
        information: &DebugInformation<'_>,
        map: &AddressMap<'_>,
        inlined: bool,
    ) -> pdb2::Result<()> {
        let parts = self.contributions.iter().flatten();
        let objects: BTreeSet<usize> = parts.map(|part| part.object).collect();
        let mut reader = inlined.then(|| InlinedReader::new(pdb));
        if inlined {
            self.found.inlined.resize(self.addresses.len(), None);
        }
        let mut modules = information.modules()?;
        let mut number = 0;
        while let Some(module) = modules.next()? {
            let is_wanted = objects.contains(&number);
            number += 1;
            // An object file without debug information, or a damaged one, costs only its own names.
            let Some(Ok(Some(object))) = is_wanted.then(|| pdb.module_info(&module)) else {
                continue;
            };
            self.read_object(&object, map, reader.as_mut());
        }
        if let Some(reader) = reader {
            let sites = self.found.inlined.iter().flatten();
            let wanted: BTreeSet<IdIndex> = sites.flat_map(Inlined::ids).collect();
            let wanted: Vec<IdIndex> = wanted.into_iter().collect();
            self.found.inlinees = names_of_ids(pdb, &wanted).unwrap_or_default();
            self.found.files = reader.files;
        }
        Ok(())
    }

    /// Takes the functions of one object file that hold a wanted address.
    fn read_object(
        &mut self,
        object: &ModuleInfo<'_>,
        map: &AddressMap<'_>,
        mut reader: Option<&mut InlinedReader>,
    ) {
        let Ok(mut symbols) = object.symbols() else {
            return;
        };
        while let Ok(Some(symbol)) = symbols.next() {
            let (at, length, name) = match symbol.parse() {
                Ok(SymbolData::Procedure(p)) => (p.offset, p.len, p.name),
                Ok(SymbolData::Thunk(thunk)) => (thunk.offset, thunk.len.into(), thunk.name),
                _ => continue,
            };
            let wanted = self.wanted_in(map, at, length);
            if wanted.is_empty() || name.as_bytes().is_empty() {
                continue;
            }
            let name = self.add_name(name.as_bytes());
            for &(index, start) in &wanted {
                if let Some(entry) = self.found.functions.get_mut(index) {
                    *entry = Some(Function { name, start });
                }
            }
            if let Some(reader) = &mut reader {
                let places: Vec<_> = self.places_of(map, &wanted).collect();
                let procedure = Procedure {
                    object,
                    symbol: &symbol,
                    start: at,
                    places: &places,
                };
                reader.read(&procedure, &mut self.found.inlined);
            }
        }
    }

    /// Number of each wanted address, and where it is in the terms of the symbols.
    fn places_of<'m>(
        &'m self,
        map: &'m AddressMap<'_>,
        wanted: &'m [(usize, u64)],
    ) -> impl Iterator<Item = (usize, PdbInternalSectionOffset)> + 'm {
        wanted.iter().filter_map(|&(index, _)| {
            let address = u32::try_from(*self.addresses.get(index)?).ok()?;
            Some((index, pdb2::Rva(address).to_internal_offset(map)?))
        })
    }

    /// Names by public symbols what has no name yet.
    fn find_public(
        &mut self,
        symbols: &SymbolTable<'_>,
        map: &AddressMap<'_>,
        sections: &[(std::ops::Range<u64>, bool)],
        is_x86: bool,
    ) {
        let open: Vec<usize> = (0..self.addresses.len())
            .filter(|&i| self.found.functions.get(i).is_some_and(Option::is_none))
            .collect();
        let wanted = open.iter().filter_map(|&i| self.addresses.get(i).copied());
        let wanted: Vec<u64> = wanted.collect();
        if wanted.is_empty() {
            return;
        }
        let mut nearest = Nearest::new(&wanted);
        let mut all = symbols.iter();
        while let Ok(Some(symbol)) = all.next() {
            if !matches!(symbol.raw_kind(), S_PUB32 | S_PUB32_ST) {
                continue;
            }
            let Ok(SymbolData::Public(public)) = symbol.parse() else {
                continue;
            };
            let Some(start) = public.offset.to_rva(map).map(|rva| u64::from(rva.0)) else {
                continue;
            };
            let section = sections.iter().find(|(range, _)| range.contains(&start));
            if section.is_some_and(|&(_, is_code)| is_code || public.function) {
                nearest.offer(Candidate {
                    start,
                    end: start,
                    bound: section.map_or(start, |(range, _)| range.end),
                    rank: rank(false, !public.function, true),
                    name: symbol.index().0.into(),
                    table: 0,
                });
            }
        }
        let shown = |at: u64| demangle(&public_name(symbols, at, is_x86)).into_owned();
        let found = nearest.finish(|a, b| is_better_name(&shown(b.name), &shown(a.name)));
        for (index, symbol) in open.into_iter().zip(found) {
            let Some(symbol) = symbol else { continue };
            let contribution = self.contributions.get(index).copied().flatten();
            if contribution.is_some_and(|part| symbol.start < part.start) {
                continue;
            }
            let name = self.add_name(&public_name(symbols, symbol.name, is_x86));
            if let Some(entry) = self.found.functions.get_mut(index) {
                let start = symbol.start;
                *entry = Some(Function { name, start });
            }
        }
    }

    /// Adds a name unless it is the last one added, as it is for the addresses of one function.
    fn add_name(&mut self, name: &[u8]) -> usize {
        let names = &mut self.found.names;
        if names.last().is_none_or(|last| **last != *name) {
            names.push(name.into());
        }
        names.len() - 1
    }
}

/// Kinds of public symbols: with a zero-terminated name, and the older one with a counted name.
const S_PUB32: u16 = 0x110e;
const S_PUB32_ST: u16 = 0x1009;

/// Linker name of the public symbol at this place.
fn public_name(symbols: &SymbolTable<'_>, at: u64, is_x86: bool) -> Vec<u8> {
    let index = SymbolIndex(u32::try_from(at).unwrap_or(u32::MAX));
    let symbol = symbols.iter_at(index).next().ok().flatten();
    let name = match symbol.and_then(|symbol| symbol.parse().ok()) {
        Some(SymbolData::Public(public)) => public.name.as_bytes().to_vec(),
        _ => Vec::new(),
    };
    if is_x86 {
        plain_c_name(&name).to_vec()
    } else {
        name
    }
}
