//! The interpreter in an ELF file: its version, and where its state and its evaluation function are.
//!
//! Source of the layout that version 3.13 tells: `_Py_DebugOffsets` in its public header
//! `internal/pycore_runtime.h`; numbers of 8 bytes at the start of `_PyRuntime`, after a cookie.

use std::ops::Range;
use std::path::Path;

use object::elf;

use super::layouts::{Layout, Runs};
use crate::elf::ElfImage;
use crate::exported::{self, Loaded, Symbol, bytes_at, is_x86_64};
use crate::file_bytes::FileBytes;

/// Parts of the evaluation function that are kept.
const MOST_PARTS: usize = 16;
/// Largest offset that is believed of what an interpreter tells of itself.
const LARGEST_OFFSET: u64 = 1 << 20;

const EVALUATION: &[u8] = b"_PyEval_EvalFrameDefault";
const COOKIE: &[u8; 8] = b"xdebugpy";

/// An interpreter of Python, as the file that holds it tells. Addresses are those of the file.
#[derive(Debug, Clone)]
pub struct Interpreter {
    /// Where things are in its structures.
    pub layout: Layout,
    /// Where its first interpreter is told.
    pub interpreters: u64,
    /// The type of code objects.
    pub code_type: u64,
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
    /// It is of a version whose layout is not known; the version.
    OtherVersion(String),
}

impl Interpreter {
    /// Reads the file at `path`. `name` is the file's name, which tells the version of old ones.
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
        let own = own_layout(&image, runtime);
        let version = match (symbols.version, &own) {
            (Some(at), _) => word(&image, at).map(|hex| (hex >> 24 & 0xff, hex >> 16 & 0xff)),
            (None, Some((hex, _))) => Some((hex >> 24 & 0xff, hex >> 16 & 0xff)),
            (None, None) => version_in(name),
        };
        let (major, minor) = version.ok_or(NoInterpreter::Absent)?;
        let known = u32::try_from(minor).ok().filter(|_| major == 3);
        let layout = match known {
            Some(13) => own.map(|(_, layout)| layout),
            Some(minor) => Layout::of(minor),
            None => None,
        };
        let layout =
            layout.ok_or_else(|| NoInterpreter::OtherVersion(format!("{major}.{minor}")))?;
        Ok(Self {
            interpreters: runtime.wrapping_add(layout.interpreters.into()),
            layout,
            code_type,
            evaluation: symbols.evaluation,
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
    runtime: Option<u64>,
    code_type: Option<u64>,
    version: Option<u64>,
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
        } else if symbol.is(b"Py_Version") {
            self.version = Some(symbol.address);
        }
    }

    fn part(&mut self, start: u64, size: u64) {
        let part = start..start.saturating_add(size);
        if self.evaluation.len() < MOST_PARTS && size > 0 && !self.evaluation.contains(&part) {
            self.evaluation.push(part);
        }
    }
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

/// The layout that the interpreter tells itself, with its version's number.
fn own_layout(image: &ElfImage, runtime: u64) -> Option<(u64, Layout)> {
    /// Words that are read: up to the sizes of texts.
    const WORDS: u64 = 71;
    let bytes = bytes_at(image, runtime, WORDS * 8)?;
    let words: Vec<u64> = bytes
        .chunks_exact(8)
        .filter_map(|word| word.first_chunk().copied().map(u64::from_le_bytes))
        .collect();
    if !bytes.starts_with(COOKIE) {
        return None;
    }
    let [hex, free_threaded] = [1, 2].map(|at| words.get(at).copied());
    // Of objects that several threads use at once the fields are others.
    if free_threaded != Some(0) {
        return None;
    }
    let is_small = |value: &u64| *value < LARGEST_OFFSET;
    let at = |at: usize| {
        let value = words.get(at).copied().filter(is_small)?;
        u32::try_from(value).ok()
    };
    let minor = u32::try_from(hex? >> 16 & 0xff).ok()?;
    let layout = Layout {
        minor,
        interpreters: at(5)?,
        interpreter_next: at(8)?,
        interpreter_threads: at(9)?,
        thread_next: at(21)?,
        thread_frame: at(23)?,
        thread_id: at(24)?,
        c_frame: None,
        runs: Runs::AfterForeign,
        frame_previous: at(29)?,
        frame_code: at(30)?,
        frame_place: at(31)?,
        frame_kind: at(33)?,
        code_file: at(35)?,
        code_name: at(37)?,
        code_lines: at(38)?,
        code_first_line: at(39)?,
        code_instructions: at(43)?,
        object_type: at(45)?,
        bytes_size: at(65)?,
        bytes_data: at(66)?,
        text_state: at(68)?,
        text_length: at(69)?,
        text_ascii: at(70)?,
        // A text that is not ASCII has two more words.
        text_other: at(70)?.checked_add(16)?,
    };
    Some((hex?, layout))
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
