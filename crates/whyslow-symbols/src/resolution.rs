//! What came out: the functions an address belongs to, or the reason why not.

use std::path::PathBuf;

use crate::{NameId, Reason};

/// One function at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymbolFrame {
    /// Display name of the function.
    pub function: NameId,
    /// Bytes from the start of the function that is physically there (the one the symbol table
    /// knows), the same for all frames of an address.
    pub offset_bytes: u64,
    /// Whether the compiler inlined this function into the next frame's.
    pub inlined: bool,
    /// Source file, as the compiler was told; `None` without line information.
    pub file: Option<NameId>,
    /// Line in `file`, from 1; `None` without line information.
    pub line: Option<u32>,
}

/// What an address means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution<'a> {
    /// The functions at the address, innermost inlined one first; never empty.
    Frames(&'a [SymbolFrame]),
    /// No name, and why.
    Unresolved(Reason),
}

/// Where the names of a module came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymbolSource {
    /// `.symtab` of the file itself.
    Symtab,
    /// `.symtab` of a separate debug file.
    DebugFile,
    /// Compressed `.gnu_debugdata` of the file, with its exported symbols.
    MiniDebugInfo,
    /// Exported symbols only (`.dynsym`): internal functions have no names.
    Dynsym,
    /// Go's own table of functions, of a file that was stripped.
    GoTable,
    /// Kernel symbols.
    Kallsyms,
    /// Perf map of a process.
    PerfMap,
    /// Dump of the code that a process generated.
    JitDump,
    /// PDB of a Windows image.
    Pdb,
    /// Export table of a Windows image: internal functions have no names.
    Exports,
}

/// How symbolizing a module went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModuleReport {
    /// Addresses that got a name.
    pub n_named: usize,
    /// Addresses that got none.
    pub n_unresolved: usize,
    /// Where names were looked for; `None` when nothing was found to look in.
    pub source: Option<SymbolSource>,
    /// File whose symbols were used.
    pub file: Option<PathBuf>,
    /// Whether a build id proves that the file is the recorded one.
    pub verified: bool,
    /// Linked address minus file offset of the module's code, worth keeping for
    /// [`ModuleRef::bias`](crate::ModuleRef::bias); `None` when unknown or not one number.
    pub bias: Option<u64>,
    /// Debug file that was looked for in vain and would give more names.
    pub missing_debug_file: Option<PathBuf>,
    /// Whether line information was found (looked for only if asked).
    pub has_lines: bool,
    /// Why line information that is there could not be used; names are not affected.
    pub lines_failure: Option<Reason>,
}
