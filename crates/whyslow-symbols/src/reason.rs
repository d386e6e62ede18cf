//! Why an address has no name.
//!
//! An address without a symbol is a fact to report, not an error: each carries a [`Reason`], and
//! every reason has a sentence for the reader and advice on how to get the name.

/// Why an address could not be named.
///
/// [`Reason::code`] is stable and short, fit for a column of an extract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// The file of the module is not there, neither at its recorded path nor in the given folders.
    FileMissing,
    /// The file of the module is there but may not be read.
    FileDenied,
    /// The file at the recorded path has another build id than the one that was mapped.
    FileReplaced,
    /// The trace comes from another machine (or time) and has no build id to recognize the file by.
    FileUnverified,
    /// The file is no regular file, or reading it failed.
    FileUnreadable,
    /// The file is no ELF file this reader understands, or it is damaged.
    BadElf,
    /// Something in the file is larger than what the reader accepts.
    TooLarge,
    /// The file is stripped (except for exported symbols, which do not cover the address) and no
    /// debug file for it was found.
    NoSymbols,
    /// The file has symbols, but none covers the address.
    OutsideSymbols,
    /// The address lies in no loadable segment of the file.
    OutsideSegments,
    /// Only the debug file was found, and it does not say where its code is in the original file.
    DebugFileOnly,
    /// The address is in memory that belongs to no file and is no known generated code.
    AnonymousMemory,
    /// The address is in generated code, and its process left no perf map.
    PerfMapMissing,
    /// The perf map found is older than the process: an earlier process with this pid wrote it.
    PerfMapStale,
    /// The perf map found belongs to a user who is neither root nor the one that its process ran as.
    PerfMapForeign,
    /// The kernel shows addresses as zero (`kernel.kptr_restrict`).
    KernelHidden,
    /// The running kernel is not the one that was recorded.
    KernelDiffers,
    /// The trace holds no kernel symbols, and the running kernel's could not be used.
    KernelMissing,
    /// The vdso of the recorded kernel is not available in this process.
    VdsoUnavailable,
    /// No PDB of the Windows module was found in the folders and symbol paths.
    PdbMissing,
    /// A PDB of this name was found, but it belongs to another build of the module.
    PdbDiffers,
    /// The trace does not say which PDB belongs to the module.
    PdbUnidentified,
    /// The PDB is one of .NET's portable ones, which know no machine code.
    PortablePdb,
    /// The PDB is damaged, or of a form this reader does not know.
    BadPdb,
    /// The image found is no well-formed PE file.
    BadImage,
    /// No symbol server that was asked has the PDB.
    PdbNotOnServer,
    /// A symbol server could not be asked, or its answer was not the PDB.
    DownloadFailed,
    /// The address is in no known mapping of its process.
    NoMapping,
}

impl Reason {
    /// Every reason, in declaration order.
    pub const ALL: [Self; 28] = [
        Self::FileMissing,
        Self::FileDenied,
        Self::FileReplaced,
        Self::FileUnverified,
        Self::FileUnreadable,
        Self::BadElf,
        Self::TooLarge,
        Self::NoSymbols,
        Self::OutsideSymbols,
        Self::OutsideSegments,
        Self::DebugFileOnly,
        Self::AnonymousMemory,
        Self::PerfMapMissing,
        Self::PerfMapStale,
        Self::PerfMapForeign,
        Self::KernelHidden,
        Self::KernelDiffers,
        Self::KernelMissing,
        Self::VdsoUnavailable,
        Self::PdbMissing,
        Self::PdbDiffers,
        Self::PdbUnidentified,
        Self::PortablePdb,
        Self::BadPdb,
        Self::BadImage,
        Self::PdbNotOnServer,
        Self::DownloadFailed,
        Self::NoMapping,
    ];

    /// Short stable name, such as `file-missing`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::FileMissing => "file-missing",
            Self::FileDenied => "file-denied",
            Self::FileReplaced => "file-replaced",
            Self::FileUnverified => "file-unverified",
            Self::FileUnreadable => "file-unreadable",
            Self::BadElf => "bad-elf",
            Self::TooLarge => "too-large",
            Self::NoSymbols => "no-symbols",
            Self::OutsideSymbols => "outside-symbols",
            Self::OutsideSegments => "outside-segments",
            Self::DebugFileOnly => "debug-file-only",
            Self::AnonymousMemory => "anonymous-memory",
            Self::PerfMapMissing => "perf-map-missing",
            Self::PerfMapStale => "perf-map-stale",
            Self::PerfMapForeign => "perf-map-foreign",
            Self::KernelHidden => "kernel-hidden",
            Self::KernelDiffers => "kernel-differs",
            Self::KernelMissing => "kernel-missing",
            Self::VdsoUnavailable => "vdso-unavailable",
            Self::PdbMissing => "pdb-missing",
            Self::PdbDiffers => "pdb-differs",
            Self::PdbUnidentified => "pdb-unidentified",
            Self::PortablePdb => "portable-pdb",
            Self::BadPdb => "bad-pdb",
            Self::BadImage => "bad-image",
            Self::PdbNotOnServer => "pdb-not-on-server",
            Self::DownloadFailed => "download-failed",
            Self::NoMapping => "no-mapping",
        }
    }

    /// One sentence fragment that says what is wrong.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::FileMissing => "the file is no longer there",
            Self::FileDenied => "there is no permission to read the file",
            Self::FileReplaced => "the file was replaced since: its build id differs",
            Self::FileUnverified => "no build id was recorded, so a file here may be another one",
            Self::FileUnreadable => "the file cannot be read",
            Self::BadElf => "the file is not a well-formed ELF file",
            Self::TooLarge => "the file holds more than this reader accepts",
            Self::NoSymbols => "the file is stripped and its debug file was not found",
            Self::OutsideSymbols => "no symbol covers the address",
            Self::OutsideSegments => "the address is outside the loaded parts of the file",
            Self::DebugFileOnly => "only the debug file was found, not the file itself",
            Self::AnonymousMemory => "the memory belongs to no file",
            Self::PerfMapMissing => {
                "it was generated at run time, and the process wrote no perf map"
            }
            Self::PerfMapStale => "the perf map found was written by an earlier process",
            Self::PerfMapForeign => {
                "the perf map or dump found belongs to another user: neither to root nor, as far as known, to the user of its process"
            }
            Self::KernelHidden => "the kernel hides its addresses (kptr_restrict)",
            Self::KernelDiffers => "the running kernel is not the recorded one",
            Self::KernelMissing => "the trace holds no kernel symbols",
            Self::VdsoUnavailable => "the vdso of the recorded kernel is not available",
            Self::PdbMissing => "no symbol file (PDB) was found",
            Self::PdbDiffers => "the symbol file (PDB) found belongs to another build",
            Self::PdbUnidentified => "the trace does not say which symbol file (PDB) belongs to it",
            Self::PortablePdb => {
                "its symbol file is a portable PDB of .NET, which does not describe machine code"
            }
            Self::BadPdb => "the symbol file (PDB) is damaged",
            Self::BadImage => "the image found is not a well-formed PE file",
            Self::PdbNotOnServer => "no symbol server has the symbol file (PDB)",
            Self::DownloadFailed => "the symbol server did not send the file",
            Self::NoMapping => "the address is in no known mapping",
        }
    }

    /// What to do about it, as an instruction.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::FileMissing | Self::FileReplaced | Self::FileUnverified => {
                "symbolize with --from DIR, where DIR holds the file (or its debug file) as it was"
            }
            Self::FileDenied => "symbolize as a user who may read the file",
            Self::FileUnreadable => {
                "check the file and its disk, or use `whyslow symbolize --from DIR` with a copy"
            }
            Self::BadElf => "check the file, or use another copy with --from DIR",
            Self::TooLarge => "report the file: the limit may be too low",
            Self::NoSymbols => {
                "use `whyslow symbolize` after installing the debug symbols package of the file, \
                 with --symbols, or with --from DIR, where DIR holds its debug file"
            }
            Self::OutsideSymbols => {
                "nothing to install: it is padding, code without a symbol, or a wrong address"
            }
            Self::OutsideSegments => "record again: the mapping and the file do not match",
            Self::DebugFileOnly => {
                "put the ELF file itself beside its debug file in DIR of --from DIR"
            }
            Self::AnonymousMemory => {
                "if it is generated code, let the runtime write a perf map and record again"
            }
            Self::PerfMapMissing => {
                "let the runtime write /tmp/perf-PID.map (node --perf-basic-prof, \
                 java -XX:+DumpPerfMapAtExit, python -X perf) and record again"
            }
            Self::PerfMapStale => {
                "remove old /tmp/perf-*.map files, let the runtime write one, and record again"
            }
            Self::PerfMapForeign => {
                "if you trust it, copy it into DIR under the same name and symbolize with --from DIR"
            }
            Self::KernelHidden => {
                "record as root, or set kernel.kptr_restrict to 0 while recording"
            }
            Self::KernelDiffers | Self::KernelMissing => {
                "record again as root: the trace then carries the kernel's symbols"
            }
            Self::VdsoUnavailable => "symbolize on the recorded machine before it reboots",
            Self::PdbMissing => {
                "download it with `whyslow symbolize --symbols`; `whyslow missing` lists what to fetch on \
                 another machine"
            }
            Self::PdbDiffers => "use the PDB of the recorded build; `whyslow missing` lists its id",
            Self::PdbUnidentified => {
                "merge the trace on the recorded machine (`wpr -stop`, `xperf -merge`), which adds the \
                 ids, or put the module itself into DIR of --from DIR"
            }
            Self::PortablePdb => {
                "record with the rundown of the .NET runtime: it names the methods"
            }
            Self::BadPdb => {
                "check the file, or remove it from the symbol cache so that it is fetched again"
            }
            Self::BadImage => "check the file, or use another copy with --from DIR",
            Self::PdbNotOnServer => {
                "get it from the vendor: use it with --from DIR, or add the vendor's server to the symbol path"
            }
            Self::DownloadFailed => "try again later; what was downloaded so far is kept",
            Self::NoMapping => "record again with mapping events, from before the process starts",
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.sentence())
    }
}

impl std::error::Error for Reason {}
