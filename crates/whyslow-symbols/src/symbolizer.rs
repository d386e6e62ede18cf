//! The entry point: addresses of one module in, names or reasons out.

use std::path::PathBuf;
use std::sync::Arc;

use crate::debug_file::{FileFinder, FoundFile};
use crate::debuginfod::{Debuginfod, Downloads};
use crate::elf::ElfImage;
use crate::elf_module::{self, ModuleFiles};
use crate::jit_dump::JitDump;
use crate::job::Job;
use crate::lines::{DebugSections, LineReader};
use crate::perf_map::{PerfMap, Writer, map_paths, user_here};
use crate::store::Store;
use crate::{
    Fetch, KeptFile, KernelSymbols, ModuleKind, ModuleRef, ModuleReport, NameId, Names, Reason,
    Resolution, SymbolPath, SymbolSource, vdso, windows_module,
};

/// How this machine relates to the one that was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Origin {
    /// Another machine: files here count only if their build id is the recorded one.
    #[default]
    Elsewhere,
    /// This machine: a file at the recorded path counts also when no build id was recorded.
    ThisMachine,
    /// This machine, not rebooted since: also the vdso and living processes are the recorded ones.
    ThisBoot,
}

/// Where to look for symbols.
#[derive(Debug, Clone)]
pub struct Options {
    /// Folders with a tree of debug files, `/usr/lib/debug` by default.
    pub debug_dirs: Vec<PathBuf>,
    /// Folders with the recorded machine's files: a copy of its root folder, a build-id tree, or
    /// ELF files anywhere below. They come before the recorded paths.
    pub from: Vec<PathBuf>,
    /// Files that the recording has parts of, because they were gone or replaced at its end.
    pub kept: Arc<[KeptFile]>,
    /// Dumps of generated code (`jit-PID.dump`) that processes mapped.
    pub jit_dumps: Vec<PathBuf>,
    /// How this machine relates to the recorded one.
    pub origin: Origin,
    /// The running kernel is the recorded one, and so is its vdso.
    pub same_kernel: bool,
    /// Where to look for inlined functions, files and lines.
    pub inlined: Inlined,
    /// Where symbols of Windows modules may be, in addition to the folders above.
    pub symbol_path: SymbolPath,
    /// What downloads files from symbol servers; `None`: no server is asked.
    pub fetch: Option<Arc<dyn Fetch>>,
    /// Where files of Linux modules are asked for, if [`fetch`](Self::fetch) may ask, and kept.
    pub debuginfod: Debuginfod,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            debug_dirs: vec![PathBuf::from("/usr/lib/debug")],
            from: Vec::new(),
            kept: Arc::default(),
            jit_dumps: Vec::new(),
            origin: Origin::default(),
            same_kernel: false,
            inlined: Inlined::Never,
            symbol_path: SymbolPath::default(),
            fetch: None,
            debuginfod: Debuginfod::default(),
        }
    }
}

/// Where to look for inlined functions, source files and lines. Reading debug information costs a hundred
/// times more than reading symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inlined {
    /// Nowhere.
    #[default]
    Never,
    /// In files that have debug information of their own, if it is at most 24 MiB unpacked:
    /// programs that people build and try out have it, those that a system installs do not.
    WhereSmall,
    /// Wherever there is debug information, also in separate files.
    Always,
}

/// Most debug information that is read for [`Inlined::WhereSmall`], unpacked. That of Docker's client, a
/// large program of Go, is 9 MiB in the file and 23 MiB unpacked.
const SMALL_DEBUG_BYTES: u64 = 24 << 20;

/// Gives names to the addresses of modules, one module at a time.
///
/// It holds no names itself and is not changed by use, so that several threads can share one,
/// each with its own [`Names`].
#[derive(Debug)]
pub struct Symbolizer {
    finder: FileFinder,
    kept: Arc<[KeptFile]>,
    jit_dumps: Vec<PathBuf>,
    store: Store,
    origin: Origin,
    same_kernel: bool,
    inlined: Inlined,
    kernel: Result<KernelSymbols, Reason>,
}

impl Symbolizer {
    /// Creates a symbolizer without kernel symbols.
    pub fn new(options: Options) -> Self {
        let from = options.from.clone();
        let downloads = Downloads {
            debuginfod: options.debuginfod,
            fetch: options.fetch.clone(),
        };
        Self {
            finder: FileFinder::new(options.debug_dirs, options.from, downloads),
            kept: options.kept,
            jit_dumps: options.jit_dumps,
            store: Store::new(from, options.symbol_path, options.fetch),
            origin: options.origin,
            same_kernel: options.same_kernel,
            inlined: options.inlined,
            kernel: Err(Reason::KernelMissing),
        }
    }

    /// Sets the kernel's symbols, or the reason why there are none.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Result<KernelSymbols, Reason>) -> Self {
        self.kernel = kernel;
        self
    }

    /// Resolves addresses of one module; see [`ModuleRef`] for what an address is.
    ///
    /// `addresses` are best sorted and without repetitions (others cost more). `out` gets every
    /// index of `addresses` exactly once, in no particular order, and what is there. Names are
    /// numbered in the order of addresses within their module, so the same input gives the same
    /// numbers.
    pub fn symbolize_module(
        &self,
        module: &ModuleRef<'_>,
        addresses: &[u64],
        names: &mut Names,
        out: &mut dyn FnMut(usize, Resolution<'_>),
    ) -> ModuleReport {
        let mut job = Job {
            places: addresses.iter().copied().zip(0..).collect(),
            names,
            out,
            report: ModuleReport::default(),
            waits: Vec::new(),
        };
        let outcome = match module.kind {
            ModuleKind::Elf => {
                let places = (&self.finder, &*self.kept);
                elf_module::find_files(places, self.origin, module, self.always())
                    .and_then(|files| self.name_elf(&mut job, &files, module.bias))
            }
            ModuleKind::Pe => windows_module::name(&self.store, &mut job, module, self.always()),
            ModuleKind::Vdso => self
                .find_vdso(module)
                .and_then(|files| self.name_elf(&mut job, &files, None)),
            ModuleKind::Kernel { text_address } => self
                .name_kernel(&mut job)
                .or_else(|reason| self.name_vmlinux(&mut job, module, text_address, reason)),
            ModuleKind::KernelModule => self.name_kernel(&mut job),
            ModuleKind::Jit {
                os_pid,
                started,
                user,
            } => self.name_jit(&mut job, os_pid, Writer { started, user }),
            ModuleKind::Anonymous => Err(Reason::AnonymousMemory),
            ModuleKind::Unknown => Err(Reason::NoMapping),
        };
        if let Err(reason) = outcome {
            job.fail_all(reason);
        }
        job.report
    }

    fn name_elf(
        &self,
        job: &mut Job<'_>,
        files: &ModuleFiles,
        bias: Option<u64>,
    ) -> Result<(), Reason> {
        job.report.verified = files.verified;
        job.report
            .missing_debug_file
            .clone_from(&files.missing_debug_file);
        match (&files.main, bias) {
            (Some(main), _) => {
                job.report.bias = main.image.bias();
                job.move_places(Reason::OutsideSegments, |at| main.image.address_of(at));
            }
            (None, Some(bias)) => {
                job.report.bias = Some(bias);
                job.move_places(Reason::OutsideSegments, |at| Some(at.wrapping_add(bias)));
            }
            (None, None) => return Err(Reason::DebugFileOnly),
        }
        self.name_linked(job, files)
    }

    /// Names places that are linked addresses already.
    fn name_linked(&self, job: &mut Job<'_>, files: &ModuleFiles) -> Result<(), Reason> {
        let wanted = job.sorted_addresses();
        if let Some(main) = &files.main {
            job.waits = elf_module::busy_waits(&main.image, &wanted);
        }
        let (named, source) = elf_module::symbols_of(files, &wanted, job.names)?;
        job.report.source = source;
        let file = match source {
            Some(SymbolSource::DebugFile) => files.debug.as_ref(),
            _ => files.main.as_ref().or(files.debug.as_ref()),
        };
        job.report.file = file.map(|file| file.path.clone());
        let reason = match source {
            // Exported symbols alone leave out most functions: what is missing is the table.
            Some(SymbolSource::Dynsym) | None => Reason::NoSymbols,
            Some(_) => Reason::OutsideSymbols,
        };
        let sections = match self.inlined {
            Inlined::Never => None,
            Inlined::WhereSmall => Some(small_sections(files)),
            Inlined::Always => Some(self.debug_sections(files)),
        };
        let lines = match &sections {
            Some(Ok(Some(sections))) => Some(LineReader::new(sections)),
            Some(Err(reason)) => Some(Err(*reason)),
            Some(Ok(None)) | None => None,
        };
        match lines {
            Some(Ok(lines)) => {
                job.report.has_lines = true;
                job.finish_with_lines(&named, &lines, reason);
                return Ok(());
            }
            Some(Err(reason)) => job.report.lines_failure = Some(reason),
            None => {}
        }
        job.finish(&named, reason);
        Ok(())
    }

    fn always(&self) -> bool {
        self.inlined == Inlined::Always
    }

    fn debug_sections(&self, files: &ModuleFiles) -> Result<Option<DebugSections>, Reason> {
        for file in [&files.main, &files.debug].into_iter().flatten() {
            if let Some(sections) = DebugSections::read(file, &self.finder)? {
                return Ok(Some(sections));
            }
        }
        Ok(None)
    }

    fn find_vdso(&self, module: &ModuleRef<'_>) -> Result<ModuleFiles, Reason> {
        let given = module.build_id.and_then(|id| self.finder.file_with_id(id));
        if let Some(main) = given {
            return Ok(ModuleFiles {
                main: Some(main),
                verified: true,
                ..ModuleFiles::default()
            });
        }
        let image = ElfImage::new(vdso::own_vdso()?).map_err(|_| Reason::VdsoUnavailable)?;
        let same = match (module.build_id, &image.build_id) {
            (Some(wanted), Some(own)) => wanted.starts_with(own),
            (Some(_), None) => false,
            (None, _) => self.same_kernel || self.origin == Origin::ThisBoot,
        };
        if !same {
            return Err(Reason::VdsoUnavailable);
        }
        Ok(ModuleFiles {
            main: Some(FoundFile {
                image,
                path: PathBuf::from("[vdso]"),
            }),
            verified: module.build_id.is_some(),
            ..ModuleFiles::default()
        })
    }

    fn name_kernel(&self, job: &mut Job<'_>) -> Result<(), Reason> {
        let kernel = self.kernel.as_ref().map_err(|reason| *reason)?;
        let wanted = job.sorted_addresses();
        let named = kernel.symbols_of(&wanted, job.names);
        job.report.source = Some(SymbolSource::Kallsyms);
        job.report.verified = true;
        job.finish(&named, Reason::OutsideSymbols);
        Ok(())
    }

    /// Names kernel addresses by a `vmlinux` file of the same build id.
    fn name_vmlinux(
        &self,
        job: &mut Job<'_>,
        module: &ModuleRef<'_>,
        text_address: Option<u64>,
        reason: Reason,
    ) -> Result<(), Reason> {
        let build_id = module.build_id.ok_or(reason)?;
        let text_address = text_address.ok_or(reason)?;
        let file = self.finder.debug_file_with_id(build_id).ok_or(reason)?;
        let linked = file.image.first_code_address().ok_or(Reason::NoSymbols)?;
        job.move_places(Reason::OutsideSymbols, |at| {
            at.checked_sub(text_address)
                .map(|offset| linked.wrapping_add(offset))
        });
        job.report.verified = true;
        let files = ModuleFiles {
            debug: Some(file),
            verified: true,
            ..ModuleFiles::default()
        };
        self.name_linked(job, &files)
    }

    fn name_jit(&self, job: &mut Job<'_>, os_pid: u32, recorded: Writer) -> Result<(), Reason> {
        if self.origin == Origin::Elsewhere && self.finder.from().is_empty() {
            return Err(Reason::PerfMapMissing);
        }
        // Who names a folder believes what is in it.
        let given = Writer {
            user: None,
            ..recorded
        };
        let is_this_boot = self.origin == Origin::ThisBoot;
        let own = Writer {
            user: recorded.user.or_else(|| user_here(os_pid, is_this_boot)),
            ..recorded
        };
        let name = format!("perf-{os_pid}.map");
        let from = self.finder.from().iter();
        let mut paths: Vec<_> = from.map(|dir| (dir.join(&name), given)).collect();
        if self.origin != Origin::Elsewhere {
            let here = map_paths(os_pid, is_this_boot).into_iter();
            paths.extend(here.map(|path| (path, own)));
        }
        let mut failure = Reason::PerfMapMissing;
        let mut keep = |reason: Reason| failure = failure.max(reason);
        let wanted = job.sorted_addresses();
        let maps = paths.into_iter().map(|(path, writer)| {
            let map = PerfMap::open(&path, writer)?;
            let named = map.symbols_of(&wanted, job.names)?;
            Ok((path, named, SymbolSource::PerfMap))
        });
        let mut found = first_good(maps, &mut keep);
        if found
            .as_ref()
            .is_none_or(|(_, named, _)| named.iter().all(Option::is_none))
        {
            let dumps = self.jit_dumps(os_pid, (given, own));
            let dumps = dumps.into_iter().map(|(path, writer)| {
                let dump = JitDump::open(&path, writer)?;
                let named = dump.symbols_of(&wanted, job.names)?;
                Ok((path, named, SymbolSource::JitDump))
            });
            found = first_good(dumps, &mut keep).or(found);
        }
        let (path, named, source) = found.ok_or(failure)?;
        job.report.source = Some(source);
        job.report.file = Some(path);
        job.finish(&named, Reason::OutsideSymbols);
        Ok(())
    }

    /// Returns where the dump of a process may be, and whose it must be: in the given folders, and where the process
    /// mapped it.
    fn jit_dumps(&self, os_pid: u32, (given, own): (Writer, Writer)) -> Vec<(PathBuf, Writer)> {
        let name = format!("jit-{os_pid}.dump");
        let in_given = self
            .finder
            .from()
            .iter()
            .map(|dir| (dir.join(&name), given));
        let mapped = self.jit_dumps.iter().filter(|path| path.ends_with(&name));
        let mapped = mapped.filter(|_| self.origin != Origin::Elsewhere);
        in_given
            .chain(mapped.map(|path| (path.clone(), own)))
            .collect()
    }
}

/// Names of addresses in generated code, and where they come from.
type NamedBy = (PathBuf, Vec<Option<(NameId, u64)>>, SymbolSource);

/// Returns the first one that has names; `keep` gets the reasons why those before it have none.
fn first_good(
    mut all: impl Iterator<Item = Result<NamedBy, Reason>>,
    keep: &mut dyn FnMut(Reason),
) -> Option<NamedBy> {
    let mut empty = None;
    let named = all.find_map(|one| {
        let one = one.map_err(&mut *keep).ok()?;
        if one.1.iter().any(Option::is_some) {
            return Some(one);
        }
        empty.get_or_insert(one);
        None
    });
    named.or(empty)
}

/// The debug information that the file itself has, unless it is large.
fn small_sections(files: &ModuleFiles) -> Result<Option<DebugSections>, Reason> {
    files.main.as_ref().map_or(Ok(None), |file| {
        DebugSections::read_small(&file.image, SMALL_DEBUG_BYTES)
    })
}
