//! Modules, and where and when they were mapped: they are only collected here.
//!
//! Mappings may come at the very end of a trace, so nothing is looked up before rows are settled.

use whyslow_model::{FastMap, NULL_I64, StackKind};

use crate::text::TextId;

/// A module of the trace, numbered in the order they are first seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(pub u32);

/// The kind of image that a module is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModuleKind {
    /// An ELF file.
    Elf,
    /// The kernel itself.
    Kernel,
    /// A part of the kernel loaded later, or a BPF program.
    KernelModule,
    /// The code page the kernel maps into every process.
    Vdso,
    /// Code generated at run time, of one process.
    Jit,
    /// Memory without a file.
    Anonymous,
    /// A Windows image.
    Pe,
    /// A file of Python source.
    Python,
    /// A file of Java source, or of another language of its virtual machine.
    Java,
    /// A file of JavaScript source.
    JavaScript,
    /// A file of Ruby source.
    Ruby,
    /// A file of PHP source.
    Php,
    /// A file of Perl source.
    Perl,
}

impl ModuleKind {
    /// Returns the `module` table's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Elf => "elf",
            Self::Kernel => "kernel",
            Self::KernelModule => "kernel-module",
            Self::Vdso => "vdso",
            Self::Jit => "jit",
            Self::Anonymous => "anonymous",
            Self::Pe => "pe",
            Self::Python => "python",
            Self::Java => "java",
            Self::JavaScript => "javascript",
            Self::Ruby => "ruby",
            Self::Php => "php",
            Self::Perl => "perl",
        }
    }

    /// Returns the kind of its frames, unless they are the kernel's.
    pub fn frames(self) -> StackKind {
        match self {
            Self::Python => StackKind::Python,
            Self::Java => StackKind::Java,
            Self::JavaScript => StackKind::JavaScript,
            Self::Ruby => StackKind::Ruby,
            Self::Php => StackKind::Php,
            Self::Perl => StackKind::Perl,
            _ => StackKind::User,
        }
    }

    /// Returns whether it is source that an interpreter runs. Places in such a module are lines. A
    /// mapping of it is a function, and its offset in the file is the function's first line; see
    /// [`Mapped::line`].
    pub fn is_source(self) -> bool {
        matches!(
            self,
            Self::Python | Self::Java | Self::JavaScript | Self::Ruby | Self::Php | Self::Perl
        )
    }

    /// Returns whether addresses in it are kept unchanged, not as offsets in a file.
    pub fn is_absolute(self) -> bool {
        matches!(
            self,
            Self::Kernel | Self::KernelModule | Self::Jit | Self::Anonymous
        )
    }
}

/// What identifies a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Module {
    /// Full path as recorded.
    pub path: TextId,
    /// The kind of image.
    pub kind: ModuleKind,
    /// Build id, or PDB id with age, as in the `module` table.
    pub build_id: Option<TextId>,
    /// Size of the image.
    pub size_bytes: Option<u64>,
    /// Version of the file.
    pub version: Option<TextId>,
    /// The vendor.
    pub vendor: Option<TextId>,
    /// Time stamp of the image's header.
    pub time_stamp: Option<i64>,
    /// Name of its symbol file, without its folder.
    pub pdb_name: Option<TextId>,
    /// Product it belongs to.
    pub product: Option<TextId>,
}

impl Module {
    /// Returns a module with only path and kind known.
    pub fn new(path: TextId, kind: ModuleKind) -> Self {
        Self {
            path,
            kind,
            build_id: None,
            size_bytes: None,
            version: None,
            vendor: None,
            time_stamp: None,
            pdb_name: None,
            product: None,
        }
    }
}

/// A module at an address range of a process entry for a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mapped {
    /// The process's entry, or [`NONE`](crate::NONE) for the kernel.
    pub process: u32,
    /// The module.
    pub module: ModuleId,
    /// First address.
    pub base: u64,
    /// Length of the range.
    pub size_bytes: u64,
    /// Offset of the first address in the file.
    pub file_offset: u64,
    /// Since when; [`NULL_I64`] is since before the trace.
    pub from_ns: i64,
    /// Until when; [`NULL_I64`] is never in the trace.
    pub to_ns: i64,
    /// The function whose code this is, if that was recorded.
    pub function: Option<TextId>,
}

impl Mapped {
    /// Returns the line of source that one of its addresses represents; 0: not known. The first two
    /// addresses represent no particular line; after that there are two for each line.
    pub fn line(&self, address: u64) -> u64 {
        match address.wrapping_sub(self.base) / 2 {
            0 => 0,
            number => self.file_offset.saturating_add(number - 1),
        }
    }
}

/// The modules and mappings of a trace.
#[derive(Debug)]
pub struct Mappings {
    /// The modules, by their ids.
    pub modules: Vec<Module>,
    index: FastMap<Module, ModuleId>,
    /// The mappings, in the order in which they were recorded.
    pub all: Vec<Mapped>,
    max_modules: u32,
    max_mappings: u32,
    /// Modules and mappings left out because of the limits.
    pub refused: u64,
}

impl Mappings {
    /// Returns an empty set within these limits.
    pub fn new(max_modules: u32, max_mappings: u32) -> Self {
        Self {
            modules: Vec::new(),
            index: FastMap::default(),
            all: Vec::new(),
            max_modules,
            max_mappings,
            refused: 0,
        }
    }

    /// Returns the id of a module, or `None` at the limit.
    pub fn module(&mut self, module: Module) -> Option<ModuleId> {
        if let Some(&id) = self.index.get(&module) {
            return Some(id);
        }
        let number = u32::try_from(self.modules.len()).ok();
        let Some(number) = number.filter(|&number| number < self.max_modules) else {
            self.refused += 1;
            return None;
        };
        self.modules.push(module);
        self.index.insert(module, ModuleId(number));
        Some(ModuleId(number))
    }

    /// Adds a mapping.
    pub fn add(&mut self, mapped: Mapped) {
        if mapped.size_bytes == 0 {
            return;
        }
        if self.all.len() >= usize::try_from(self.max_mappings).unwrap_or(usize::MAX) {
            self.refused += 1;
            return;
        }
        self.all.push(mapped);
    }

    /// Ends the newest mapping of a process that begins at `base`.
    pub fn unmap(&mut self, process: u32, base: u64, at_ns: i64) {
        // Unmapping follows mapping soon or not at all; a bounded look back is enough.
        let recent = self.all.iter_mut().rev().take(1 << 12);
        let mut mine = recent.filter(|mapped| mapped.process == process && mapped.base == base);
        if let Some(mapped) = mine.find(|mapped| mapped.to_ns == NULL_I64) {
            mapped.to_ns = at_ns;
        }
    }
}
