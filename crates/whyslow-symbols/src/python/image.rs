//! The interpreter in an ELF file: its version, and where its state and its evaluation function are.

use std::ops::Range;
use std::path::Path;

use object::elf;

use super::awaits::Awaits;
use super::layouts::Layout;
use super::told::Told;
use crate::elf::ElfImage;
use crate::exported::{self, Loaded, Symbol, bytes_at, is_x86_64};
use crate::file_bytes::FileBytes;
use crate::fragments;

/// Parts of the evaluation function that are kept.
const MOST_PARTS: usize = 16;

const EVALUATION: &[u8] = b"_PyEval_EvalFrameDefault";
const CONTAINERS: [&[u8]; 3] = [b"PyDict_Type", b"PyList_Type", b"PySet_Type"];
const TAKES_GIL: &[u8] = b"take_gil";

/// A Python interpreter, as its file describes it. Addresses are those of the file.
#[derive(Debug, Clone)]
pub struct Interpreter {
    /// Where things are in its structures.
    pub layout: Layout,
    /// Its state that all interpreters of a process share (`_PyRuntime`).
    pub runtime: u64,
    /// Whether the file does not name functions that it does not export.
    pub is_stripped: bool,
    /// The type of code objects.
    pub code_type: u64,
    /// The type of coroutines, and where they say what they await.
    pub coroutines: Option<(u64, Awaits)>,
    /// The types of dictionaries, lists and sets.
    pub containers: [Option<u64>; 3],
    /// The code of the evaluation function.
    pub evaluation: Vec<Range<u64>>,
    loaded: Loaded,
}

/// Why there is no [`Interpreter`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoInterpreter {
    /// The file holds none.
    Absent,
    /// The file cannot be read, or is damaged.
    Unreadable,
    /// It is of a version whose layout is not known; the language and the version.
    OtherVersion(String),
}

impl Interpreter {
    /// Reads the file at `path`. `name` is the file's name, which contains the version of old ones.
    ///
    /// # Errors
    /// See [`NoInterpreter`].
    pub fn read(path: &Path, name: &str) -> Result<Self, NoInterpreter> {
        let bytes = FileBytes::open(path).map_err(|_| NoInterpreter::Unreadable)?;
        let image = ElfImage::new(bytes).map_err(|_| NoInterpreter::Unreadable)?;
        if !is_x86_64(&image) {
            return Err(NoInterpreter::Absent);
        }
        let symbols = Symbols::read(&image);
        let (Some(runtime), Some(code_type)) = (symbols.runtime, symbols.code_type) else {
            return Err(NoInterpreter::Absent);
        };
        let told = Told::read(&image, runtime);
        let parts = |hex: u64| (hex >> 24 & 0xff, hex >> 16 & 0xff);
        let version = match (symbols.version, &told) {
            (Some(at), _) => word(&image, at).map(parts),
            (None, Some(told)) => Some(parts(told.version)),
            (None, None) => version_in(name),
        };
        let (major, minor) = version.ok_or(NoInterpreter::Absent)?;
        let known = u32::try_from(minor).ok().filter(|_| major == 3);
        let layout = match &told {
            Some(told) => told.layout,
            None => known.and_then(Layout::of),
        };
        let is_free_threaded = told.is_some_and(|told| told.is_free_threaded);
        let layout = layout.ok_or_else(|| match is_free_threaded {
            true => NoInterpreter::OtherVersion(format!("Python {major}.{minor} (free-threaded)")),
            false => NoInterpreter::OtherVersion(format!("Python {major}.{minor}")),
        })?;
        Ok(Self {
            runtime,
            is_stripped: !symbols.names_own,
            layout,
            code_type,
            coroutines: symbols.coroutine_type.zip(known.and_then(Awaits::of)),
            containers: symbols.containers,
            evaluation: match symbols.names_own {
                true => symbols.evaluation,
                false => with_fragments(&image, symbols.evaluation),
            },
            loaded: Loaded::of(&image),
        })
    }

    /// Returns the bias to add to the file's addresses in a process that maps the file from
    /// `file_offset` on at `start`.
    pub fn bias(&self, start: u64, file_offset: u64) -> Option<u64> {
        self.loaded.bias(start, file_offset)
    }
}

/// The symbols that matter.
#[derive(Default)]
struct Symbols {
    runtime: Option<u64>,
    code_type: Option<u64>,
    coroutine_type: Option<u64>,
    version: Option<u64>,
    containers: [Option<u64>; 3],
    /// Functions that are not exported have names.
    names_own: bool,
    evaluation: Vec<Range<u64>>,
}

impl Symbols {
    fn read(image: &ElfImage) -> Self {
        let mut found = Self::default();
        for kind in [elf::SHT_DYNSYM, elf::SHT_SYMTAB] {
            exported::symbols(image, kind, |symbol| found.take(symbol));
            // What holds an interpreter exports it.
            if found.runtime.is_none() {
                break;
            }
        }
        found
    }

    fn take(&mut self, symbol: &Symbol<'_>) {
        if symbol.begins_with(EVALUATION) {
            self.part(symbol.address, symbol.size);
        } else if symbol.is(b"_PyRuntime") {
            self.runtime = Some(symbol.address);
        } else if symbol.is(b"PyCode_Type") {
            self.code_type = Some(symbol.address);
        } else if symbol.is(b"PyCoro_Type") {
            self.coroutine_type = Some(symbol.address);
        } else if let Some(at) = CONTAINERS.iter().position(|name| symbol.is(name)) {
            if let Some(container) = self.containers.get_mut(at) {
                *container = Some(symbol.address);
            }
        } else if symbol.is(b"Py_Version") {
            self.version = Some(symbol.address);
        } else if symbol.begins_with(TAKES_GIL) {
            self.names_own = true;
        }
    }

    fn part(&mut self, start: u64, size: u64) {
        let part = start..start.saturating_add(size);
        if self.evaluation.len() < MOST_PARTS && size > 0 && !self.evaluation.contains(&part) {
            self.evaluation.push(part);
        }
    }
}

/// Adds the parts of a function that the compiler put elsewhere, and that a stripped file does not
/// mention.
fn with_fragments(image: &ElfImage, mut parts: Vec<Range<u64>>) -> Vec<Range<u64>> {
    let more: Vec<_> = parts
        .iter()
        .flat_map(|part| fragments::of(image, part))
        .collect();
    parts.extend(more);
    parts
}

fn word(image: &ElfImage, address: u64) -> Option<u64> {
    let bytes = bytes_at(image, address, 8)?;
    Some(u64::from_le_bytes(*bytes.first_chunk()?))
}

/// Returns the numbers in `libpython3.9.so.1.0` or `python3.9`.
fn version_in(name: &str) -> Option<(u64, u64)> {
    let (_, rest) = name.split_once("python")?;
    let (major, rest) = rest.split_once('.')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    Some((major.parse().ok()?, rest.get(..digits)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_files_tell_the_version_by_their_name() {
        assert_eq!(version_in("libpython3.9.so.1.0"), Some((3, 9)));
        assert_eq!(version_in("python3.10"), Some((3, 10)));
        assert_eq!(version_in("python3"), None);
        assert_eq!(version_in("ruby3.1"), None);
    }
}
