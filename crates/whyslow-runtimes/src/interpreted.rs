//! Functions of programs that an interpreter runs (Python, Ruby, PHP, Perl), between the native frames.
//!
//! The recorder's eBPF programs read the frames of a thread at the moment of its stack, and each code object once.
//! Here is what they are told ([`words`]) and what they write ([`payload`]), the functions ([`Functions`]) whose
//! addresses represent the frames, and how these get between the native ones ([`splice`]).

mod functions;
pub mod payload;
mod splice;
mod told;

pub use functions::Functions;
pub use splice::{Run, name_innermost, splice};
pub use told::{Words, words};

/// What an interpreter runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// Python 3.`minor`.
    Python {
        /// That version.
        minor: u32,
    },
    /// Ruby.
    Ruby {
        /// Bytes of an entry of a table of lines.
        entry_bytes: u32,
    },
    /// PHP.
    Php,
    /// Perl.
    Perl,
}
