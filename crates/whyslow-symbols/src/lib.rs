//! Names for addresses: which function an address belongs to, or the reason why that is not known.
//!
//! [`Symbolizer::symbolize_module`] takes the sorted addresses of one module at a time and reads
//! the symbols of that module once, wherever they are: in the file, in its debug file, in the
//! kernel's symbol list, in a perf map, in the vdso. Nothing is kept between modules except
//! [`Names`], and nothing is read that no address needs.

mod build_id;
mod busy_wait;
mod cabinet;
mod checksum;
mod debug_file;
mod debuginfod;
mod elf;
mod elf_module;
mod exported;
mod file_bytes;
mod fragments;
pub mod go;
pub mod go_table;
mod jit_dump;
mod job;
pub mod jvm;
mod kallsyms;
mod kept_file;
mod kernel;
mod lines;
mod mini_debug;
mod module;
mod names;
mod nearest;
mod pdb;
mod pdb_id;
mod pdb_inlined;
mod pdb_source;
mod pe;
mod perf_map;
mod plt;
mod process_memory;
pub mod python;
mod reason;
mod resolution;
pub mod script;
mod store;
mod symbol_path;
mod symbol_table;
mod symbolizer;
pub mod v8;
mod vdso;
mod windows_module;

pub use debuginfod::Debuginfod;
pub use kallsyms::KernelSymbols;
pub use kept_file::{FilePart, KeptFile, parts_for_names};
pub use kernel::KernelIdentity;
pub use module::{ModuleKind, ModuleRef, PdbRef};
pub use names::{NameId, Names};
pub use pdb_id::{ImageId, PdbId};
pub use reason::Reason;
pub use resolution::{ModuleReport, Resolution, SymbolFrame, SymbolSource};
pub use store::{Fetch, FetchFailure};
pub use symbol_path::{PUBLIC_SERVER, SymbolPath, SymbolServer};
pub use symbolizer::{Inlined, Options, Origin, Symbolizer};

/// The examples of the README are compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
