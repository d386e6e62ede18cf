//! Functions of programs that an interpreter runs, and the addresses that represent them in stacks.
//!
//! In call chains, the frames of such a program are between the native ones; each comes before
//! (further in than) the frame of the interpreter's function that runs it. Their addresses are in
//! [`CODE_ADDRESSES`], which no process can have mapped. A [`CodeObject`] says what a range of them
//! means, in every process and at any time:
//!
//! ```text
//! address                       no line known
//! address + 2                   first_line
//! address + 4                   first_line + 1
//! …
//! address + 2 n_lines           the last line
//! ```
//!
//! In a chain each address is larger by one. Readers subtract one from the addresses of callers,
//! because native ones are return addresses; here both neighboring addresses mean the same.

use std::ops::Range;

use crate::endian::Endian;

/// Addresses that represent functions of interpreted programs.
pub const CODE_ADDRESSES: Range<u64> = 0x6000_0000_0000_0000..0x7000_0000_0000_0000;

/// The language a function is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CodeLanguage {
    /// Python.
    Python = 1,
    /// Java and other languages of its virtual machine.
    Java = 2,
    /// JavaScript.
    JavaScript = 3,
    /// Ruby.
    Ruby = 4,
    /// PHP.
    Php = 5,
    /// Perl.
    Perl = 6,
}

/// Payload of [`EVENT_CODE`](super::EVENT_CODE): a function, with the addresses that represent it.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 1 | [`CodeLanguage`] |
/// | 1 | 3 | 0 |
/// | 4 | 4 | `first_line` |
/// | 8 | 8 | `address` |
/// | 16 | 4 | `n_lines` |
/// | 20 | 4 | bytes of the name |
/// | 24 | 4 | bytes of the file |
/// | 28 | … | the name, then the file |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeObject {
    /// The language.
    pub language: CodeLanguage,
    /// The first line with code of it.
    pub first_line: u32,
    /// The first of its addresses.
    pub address: u64,
    /// Number of lines up to the last one with code of it, at least 1.
    pub n_lines: u32,
    /// Its name, with the names of the enclosing classes and functions if the language provides
    /// them.
    pub name: String,
    /// Its file, as the program names it.
    pub file: String,
}

impl CodeObject {
    /// Returns how many addresses it has.
    pub fn size(&self) -> u64 {
        2 * (u64::from(self.n_lines) + 1)
    }

    /// Returns the address that represents one of its lines in a call chain.
    pub fn address_of_line(&self, line: Option<u32>) -> u64 {
        let number = line.and_then(|line| line.checked_sub(self.first_line));
        let number = number.filter(|&number| number < self.n_lines);
        let place = number.map_or(0, |number| u64::from(number) + 1);
        self.address.saturating_add(2 * place + 1)
    }

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let length = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
        out.extend_from_slice(&[self.language as u8, 0, 0, 0]);
        out.extend_from_slice(&self.first_line.to_ne_bytes());
        out.extend_from_slice(&self.address.to_ne_bytes());
        for word in [self.n_lines, length(&self.name), length(&self.file)] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        out.extend_from_slice(self.name.as_bytes());
        out.extend_from_slice(self.file.as_bytes());
    }

    /// Reads a payload; `None` if it is too short, of an unknown language, or outside of the
    /// address range.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let language = match *bytes.first()? {
            1 => CodeLanguage::Python,
            2 => CodeLanguage::Java,
            3 => CodeLanguage::JavaScript,
            4 => CodeLanguage::Ruby,
            5 => CodeLanguage::Php,
            6 => CodeLanguage::Perl,
            _ => return None,
        };
        let length = |at| usize::try_from(endian.u32(bytes, at)?).ok();
        let (name, rest) = bytes.get(28..)?.split_at_checked(length(20)?)?;
        let file = rest.get(..length(24)?)?;
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let object = Self {
            language,
            first_line: endian.u32(bytes, 4)?,
            address: endian.u64(bytes, 8)?,
            n_lines: endian.u32(bytes, 16)?,
            name: text(name),
            file: text(file),
        };
        let end = object.address.checked_add(object.size())?;
        let fits = object.address >= CODE_ADDRESSES.start && end <= CODE_ADDRESSES.end;
        fits.then_some(object)
    }
}
