//! What a caller says about a module, and what an address in it means.

use std::path::Path;
use std::time::SystemTime;

use crate::{ImageId, PdbId};

/// A module to symbolize addresses of, as the trace describes it.
///
/// | kind | addresses are |
/// |---|---|
/// | [`Elf`](ModuleKind::Elf) | offsets in the file: `ip - mapping start + mapping's file offset` |
/// | [`Vdso`](ModuleKind::Vdso) | offsets in the vdso image: `ip - mapping start` |
/// | [`Kernel`](ModuleKind::Kernel), [`KernelModule`](ModuleKind::KernelModule) | absolute, as the kernel saw them (also BPF programs) |
/// | [`Pe`](ModuleKind::Pe) | relative to the image's base |
/// | [`Jit`](ModuleKind::Jit) | absolute, as the process saw them |
/// | others | of no meaning; they stay unresolved |
///
/// A return address points after its call; to get the line, the inlined functions or the right function of a call that
/// never returns, pass the address minus one.
#[derive(Debug, Clone, Copy)]
pub struct ModuleRef<'a> {
    /// What kind of memory it is.
    pub kind: ModuleKind,
    /// Path as recorded; a trailing ` (deleted)` is understood.
    pub path: &'a Path,
    /// GNU build id as recorded; `None` when it was not.
    pub build_id: Option<&'a [u8]>,
    /// A process that had the module mapped: with [`Origin::ThisBoot`](crate::Origin::ThisBoot)
    /// its root folder is searched too while it lives (containers).
    pub os_pid: Option<u32>,
    /// Linked address minus file offset of the code, if an earlier
    /// [`ModuleReport::bias`](crate::ModuleReport::bias) reported it; needed only when just the
    /// debug file is left.
    pub bias: Option<u64>,
    /// PDB of a Windows image, as recorded.
    pub pdb: Option<PdbRef<'a>>,
    /// Which build of a Windows image it is.
    pub image: Option<ImageId>,
}

/// The PDB that belongs to an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PdbRef<'a> {
    /// Its name; of a path, only the last part matters.
    pub name: &'a str,
    /// Its id.
    pub id: PdbId,
}

impl<'a> ModuleRef<'a> {
    /// An ELF file mapped from `path`.
    pub fn elf(path: &'a Path, build_id: Option<&'a [u8]>) -> Self {
        Self {
            kind: ModuleKind::Elf,
            path,
            build_id,
            os_pid: None,
            bias: None,
            pdb: None,
            image: None,
        }
    }

    /// A module without a file.
    pub fn of_kind(kind: ModuleKind) -> Self {
        Self {
            kind,
            path: Path::new(""),
            build_id: None,
            os_pid: None,
            bias: None,
            pdb: None,
            image: None,
        }
    }
}

/// What kind of memory a module is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModuleKind {
    /// An executable or library mapped from a file.
    Elf,
    /// The kernel itself.
    Kernel {
        /// Recorded address of `_text`. With it and the build id, a `vmlinux` file can stand in
        /// where the trace has no kernel symbols.
        text_address: Option<u64>,
    },
    /// A loadable kernel module or a BPF program.
    KernelModule,
    /// A Windows image: program, library or driver.
    Pe,
    /// The code page that the kernel maps into every process.
    Vdso,
    /// Code generated at run time, named by the perf map of its process.
    Jit {
        /// Process that generated it, in the pid namespace of the recording.
        os_pid: u32,
        /// When the process began; a perf map written before is not its own. `None`: not known.
        started: Option<SystemTime>,
        /// Number of the user it ran as; a perf map of another one, but root, is not its own. `None`: not
        /// recorded, so that of the process if it is alive, else ours.
        user: Option<u32>,
    },
    /// Memory without a file that is not known to hold generated code.
    Anonymous,
    /// No mapping is known for the address.
    Unknown,
}

impl ModuleKind {
    /// Kind of a mapping by the name that `perf` and `/proc/PID/maps` give it.
    ///
    /// `os_pid` and `started` are of the process and end up in [`ModuleKind::Jit`].
    pub fn of_mapping(name: &str, os_pid: u32, started: Option<SystemTime>) -> Self {
        let jit = Self::Jit {
            os_pid,
            started,
            user: None,
        };
        match name {
            "" | "//anon" | "[heap]" | "/dev/zero" | "/dev/zero (deleted)" => jit,
            "[vdso]" => Self::Vdso,
            "[vsyscall]" | "[vvar]" | "[vvar_vclock]" | "[uprobes]" => Self::Anonymous,
            "[bpf]" => Self::KernelModule,
            _ if name.starts_with("[kernel.") || name.starts_with("[guest.kernel.") => {
                Self::Kernel { text_address: None }
            }
            _ if name.starts_with("[anon") || name.starts_with("[stack") => jit,
            _ if name.starts_with("/memfd:") || name.starts_with("/SYSV") => jit,
            _ if name.starts_with("anon_inode:") => Self::Anonymous,
            _ if name.starts_with('[') => Self::KernelModule,
            _ if name.ends_with(".ko") || name.contains(".ko.") => Self::KernelModule,
            _ => Self::Elf,
        }
    }
}
