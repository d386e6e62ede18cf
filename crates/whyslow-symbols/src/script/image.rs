//! The interpreter in an ELF file: its language and version, and where it keeps what it runs.

use std::ops::Range;
use std::path::Path;

use object::elf;

use super::{perl, php, ruby};
use crate::elf::ElfImage;
use crate::exported::{self, Loaded, Symbol, bytes_at, is_x86_64};
use crate::file_bytes::FileBytes;
use crate::fragments;
use crate::python::NoInterpreter;

/// Bytes of a relocation of 64-bit files.
const RELOCATION_BYTES: usize = 24;
/// Largest table of relocations that is read.
const MOST_TABLE_BYTES: u64 = 16 << 20;
/// Longest version.
const VERSION_BYTES: u64 = 6;
/// Constants that are searched for PHP's version.
const MOST_CONSTANT_BYTES: u64 = 32 << 20;
/// What PHP says about itself to a client, before its version.
const PHP_SAYS: &[u8] = b"X-Powered-By: PHP/";
/// The functions that run programs.
const EVALUATION: [&[u8]; 4] = [
    b"rb_vm_exec",
    b"execute_ex",
    b"Perl_runops_standard",
    b"Perl_runops_debug",
];
/// The functions of [`State::Perl`].
const PERL_FUNCTIONS: [&[u8]; 3] = [
    b"Perl_pp_nextstate",
    b"Perl_pp_entersub",
    b"Perl_pp_leavesub",
];

/// An interpreter of Ruby, PHP or Perl, as the file that holds it tells. Addresses are those of the file.
#[derive(Debug, Clone)]
pub struct Interpreter {
    /// Where it keeps what it runs.
    pub state: State,
    /// Whether the file does not name functions that it does not export.
    pub is_stripped: bool,
    /// The code of the function that runs programs.
    pub evaluation: Vec<Range<u64>>,
    /// The code of a function that calls it once more, for the frames that run already: Perl's, where an `eval` begins in
    /// what C code called.
    pub again: Vec<Range<u64>>,
    loaded: Loaded,
}

/// Where an interpreter keeps what it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Ruby, in the thread's own memory.
    Ruby {
        /// What the loader fills in: the number of the module, or how far the state is from the thread's
        /// pointer.
        at: u64,
        /// Where in the module's block of memory the state is told; `None`: the distance is told.
        place: Option<u64>,
        /// Where things are in its structures.
        layout: ruby::Layout,
    },
    /// PHP, in a variable.
    Php {
        /// That variable, which leads to the innermost frame.
        at: u64,
        /// Where things are in its structures.
        layout: php::Layout,
    },
    /// Perl, in a variable.
    Perl {
        /// That variable, which leads to the first interpreter.
        at: u64,
        /// The variable with the number under which a thread keeps its interpreter.
        number: u64,
        /// The functions that begin a statement, that begin a subroutine, and that end one.
        functions: [u64; 3],
        /// Where things are in its structures.
        layout: perl::Layout,
    },
}

impl Interpreter {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// See [`NoInterpreter`]; versions have the name of the language before them.
    pub fn read(path: &Path) -> Result<Self, NoInterpreter> {
        let bytes = FileBytes::open(path).map_err(|_| NoInterpreter::Unreadable)?;
        let image = ElfImage::new(bytes).map_err(|_| NoInterpreter::Unreadable)?;
        if !is_x86_64(&image) {
            return Err(NoInterpreter::Absent);
        }
        let symbols = Symbols::read(&image);
        let state = match (&symbols.ruby_version, symbols.php_state, symbols.perl_state) {
            (Some(version), _, _) => ruby_state(&image, *version, &symbols)?,
            (None, Some(at), _) => php_state(&image, at)?,
            (None, None, Some(at)) => perl_state(&image, at, &symbols)?,
            (None, None, None) => return Err(NoInterpreter::Absent),
        };
        let again = symbols.perl_try.map(|of| fragments::ends_in(&image, &of));
        let mut evaluation = symbols.evaluation;
        let fragments: Vec<_> = evaluation
            .iter()
            .flat_map(|part| fragments::of(&image, part))
            .collect();
        evaluation.extend(fragments);
        Ok(Self {
            state,
            is_stripped: image.section_of_kind(elf::SHT_SYMTAB).is_none(),
            evaluation,
            again: again.unwrap_or_default(),
            loaded: Loaded::of(&image),
        })
    }

    /// Returns what is to be added to the file's addresses in a process that has the file mapped from
    /// `file_offset` on at `start`.
    pub fn bias(&self, start: u64, file_offset: u64) -> Option<u64> {
        self.loaded.bias(start, file_offset)
    }
}

/// The symbols that matter.
#[derive(Default)]
struct Symbols {
    ruby_version: Option<u64>,
    /// The number of the symbol, and its place in the module's block.
    ruby_state: Option<(u64, u64)>,
    /// The function that says whether garbage is collected.
    during_gc: Option<u64>,
    php_state: Option<u64>,
    perl_state: Option<u64>,
    perl_number: Option<u64>,
    /// Perl's version: the second number.
    perl_version: Option<u64>,
    /// The functions of [`State::Perl`].
    perl_functions: [Option<u64>; 3],
    /// The function that begins an `eval`.
    perl_try: Option<Range<u64>>,
    evaluation: Vec<Range<u64>>,
}

impl Symbols {
    fn read(image: &ElfImage) -> Self {
        let mut found = Self::default();
        exported::symbols(image, elf::SHT_DYNSYM, |symbol| found.take(symbol));
        found
    }

    fn take(&mut self, symbol: &Symbol<'_>) {
        if symbol.is(b"ruby_version") {
            self.ruby_version = Some(symbol.address);
        } else if symbol.is(b"ruby_current_ec") {
            self.ruby_state = Some((symbol.number, symbol.address));
        } else if symbol.is(b"rb_during_gc") {
            self.during_gc = Some(symbol.address);
        } else if symbol.is(b"executor_globals") {
            self.php_state = Some(symbol.address);
        } else if symbol.is(b"PL_curinterp") {
            self.perl_state = Some(symbol.address);
        } else if symbol.is(b"PL_thr_key") {
            self.perl_number = Some(symbol.address);
        } else if symbol.is(b"PL_version") {
            self.perl_version = Some(symbol.address);
        } else if symbol.is(b"Perl_pp_entertry") {
            self.perl_try = Some(symbol.address..symbol.address.saturating_add(symbol.size));
        } else if let Some(at) = PERL_FUNCTIONS.iter().position(|name| symbol.is(name)) {
            self.perl_functions[at] = Some(symbol.address);
        } else if EVALUATION.iter().any(|name| symbol.is(name)) {
            let end = symbol.address.saturating_add(symbol.size);
            self.evaluation.push(symbol.address..end);
        }
    }
}

fn ruby_state(image: &ElfImage, version: u64, symbols: &Symbols) -> Result<State, NoInterpreter> {
    let bytes = bytes_at(image, version, VERSION_BYTES).unwrap_or_default();
    let version = version_of(&bytes).ok_or(NoInterpreter::Absent)?;
    let other = || NoInterpreter::OtherVersion(format!("Ruby {}.{}", version.0, version.1));
    let during_gc = symbols.during_gc;
    let during_gc = during_gc.and_then(|at| bytes_at(image, at, ruby::DURING_GC_BYTES));
    let layout = ruby::Layout::of(version, &during_gc.unwrap_or_default()).ok_or_else(other)?;
    let (number, place) = symbols.ruby_state.ok_or_else(other)?;
    let told = relocations(image);
    let find = |kind: u32| {
        let mut of_kind = told.iter().filter(|told| told.kind == kind);
        of_kind.find(|told| told.symbol == number)
    };
    let module = find(elf::R_X86_64_DTPMOD64).map(|told| (told.at, Some(place)));
    let distance = || find(elf::R_X86_64_TPOFF64).map(|told| (told.at, None));
    let (at, place) = module.or_else(distance).ok_or_else(other)?;
    Ok(State::Ruby { at, place, layout })
}

fn php_state(image: &ElfImage, at: u64) -> Result<State, NoInterpreter> {
    let section = image.section(b".rodata").ok_or(NoInterpreter::Absent)?;
    let constants = image.section_bytes(section, MOST_CONSTANT_BYTES);
    let constants = constants.map_err(|_| NoInterpreter::Unreadable)?;
    let said = constants
        .windows(PHP_SAYS.len())
        .position(|part| part == PHP_SAYS)
        .and_then(|at| constants.get(at + PHP_SAYS.len()..));
    let version = said.and_then(version_of).ok_or(NoInterpreter::Absent)?;
    let layout = php::Layout::of(version)
        .ok_or_else(|| NoInterpreter::OtherVersion(format!("PHP {}.{}", version.0, version.1)))?;
    let at = at.wrapping_add(u64::from(layout.current));
    Ok(State::Php { at, layout })
}

fn perl_state(image: &ElfImage, at: u64, symbols: &Symbols) -> Result<State, NoInterpreter> {
    let version = symbols.perl_version.ok_or(NoInterpreter::Absent)?;
    let minor = bytes_at(image, version, 1).and_then(|bytes| bytes.first().copied());
    let minor = minor.ok_or(NoInterpreter::Absent)?;
    let other = |how| NoInterpreter::OtherVersion(format!("Perl 5.{minor}{how}"));
    // Without threads, there is one interpreter, whose parts are variables.
    let number = symbols
        .perl_number
        .ok_or_else(|| other(" without threads"))?;
    let layout = perl::Layout::of(minor).ok_or_else(|| other(""))?;
    let [Some(statement), Some(begins), Some(ends)] = symbols.perl_functions else {
        return Err(NoInterpreter::Absent);
    };
    Ok(State::Perl {
        at,
        number,
        functions: [statement, begins, ends],
        layout,
    })
}

/// A relocation.
struct Relocation {
    at: u64,
    kind: u32,
    symbol: u64,
}

fn relocations(image: &ElfImage) -> Vec<Relocation> {
    let section = image.section(b".rela.dyn");
    let table = section.and_then(|section| image.section_bytes(section, MOST_TABLE_BYTES).ok());
    let table = table.unwrap_or_default();
    let entries = table.chunks_exact(RELOCATION_BYTES).filter_map(|entry| {
        let (at, rest) = entry.split_first_chunk()?;
        let info = u64::from_le_bytes(*rest.first_chunk()?);
        Some(Relocation {
            at: u64::from_le_bytes(*at),
            kind: u32::try_from(info & 0xffff_ffff).ok()?,
            symbol: info >> 32,
        })
    });
    entries.collect()
}

/// Returns the first two numbers of a version.
fn version_of(text: &[u8]) -> Option<(u32, u32)> {
    let mut numbers = text.split(|byte| !byte.is_ascii_digit());
    let mut number = || std::str::from_utf8(numbers.next()?).ok()?.parse().ok();
    Some((number()?, number()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_two_numbers() {
        assert_eq!(version_of(b"3.1.7\0"), Some((3, 1)));
        assert_eq!(version_of(b"8.2.36-dev"), Some((8, 2)));
        assert_eq!(version_of(b"8"), None);
        assert_eq!(version_of(b""), None);
    }
}
