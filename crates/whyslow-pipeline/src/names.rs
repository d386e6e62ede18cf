//! Names for the addresses of an extract: which modules to ask, and which results to keep.
//!
//! ```text
//! address, module, symbol (old) ─► per module: sorted addresses ─ Symbolizer ─► symbol (new)
//! ```
//!
//! Where a new look-up finds nothing, the old names are kept. Names are numbered, and rows are
//! written, in the order of addresses, so the same input gives the same bytes.

mod rows;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use whyslow_model::tables::{
    ADDRESS, AddressRow, MAPPING, MODULE, MappingRow, ModuleRow, PROCESS, ProcessRow, SymbolRow,
    TRACE, TraceRow,
};
use whyslow_model::{AddressId, ModuleId, Table, TraceView, ViewError, Watch};
use whyslow_symbols::{
    Debuginfod, Fetch, ImageId, Inlined, KeptFile, KernelIdentity, KernelSymbols, ModuleKind,
    ModuleRef, NameId, Names, Options, Origin, PdbId, PdbRef, Reason, Resolution, SymbolFrame,
    SymbolPath, Symbolizer,
};

use rows::SymbolRows;

/// Where to look for names.
#[derive(Debug, Clone, Default)]
pub struct Lookup {
    /// Folders that are searched before the recorded paths.
    pub from: Vec<PathBuf>,
    /// Where to look for inlined functions and lines.
    pub inlined: Inlined,
    /// The recorded kernel's symbols, if the recording has them.
    pub kallsyms: Option<Vec<u8>>,
    /// Files that the recording has parts of, because they were gone at its end.
    pub kept: Arc<[KeptFile]>,
    /// Where symbols of Windows modules may be.
    pub symbol_path: SymbolPath,
    /// Downloads them from servers; `None`: no server is asked.
    pub fetch: Option<Arc<dyn Fetch>>,
    /// Where files of Linux modules are requested and kept.
    pub debuginfod: Debuginfod,
}

/// The result of a look-up.
#[derive(Debug)]
pub struct Named {
    /// The new table `symbol`.
    pub symbols: Table,
    /// Addresses with a name.
    pub named: usize,
    /// Number of addresses without one, by reason, with an example of a module.
    pub unresolved: BTreeMap<Reason, (usize, String)>,
}

impl Named {
    /// Returns how many addresses have no name.
    pub fn nameless(&self) -> usize {
        let rows = self.symbols.rows::<SymbolRow>();
        rows.filter(|row| row.function.is_none()).count()
    }
}

/// Looks up names for all addresses of `view`, which messages call `shown`; `known` are the
/// existing names. If `watch` asks to stop, the remaining addresses keep their existing names.
///
/// # Errors
/// When a table cannot be read.
pub fn look_up(
    view: &dyn TraceView,
    known: &Table,
    lookup: &Lookup,
    shown: &str,
    watch: &dyn Watch,
) -> Result<Named, ViewError> {
    let modules: Vec<ModuleRow> = view.read(&MODULE, &[])?.rows().collect();
    let processes: Vec<ProcessRow> = view.read(&PROCESS, &[])?.rows().collect();
    let trace = view.read(&TRACE, &[])?.rows::<TraceRow>().next();
    let origin = trace.as_ref().map_or(Origin::Elsewhere, origin);
    let running = match lookup.kallsyms {
        None if origin != Origin::Elsewhere => running_kernel(view, &modules, trace.as_ref())?,
        _ => Err(Reason::KernelMissing),
    };
    let options = Options {
        from: lookup.from.clone(),
        kept: Arc::clone(&lookup.kept),
        jit_dumps: jit_dumps(&modules),
        origin,
        inlined: lookup.inlined,
        symbol_path: lookup.symbol_path.clone(),
        fetch: lookup.fetch.clone(),
        debuginfod: lookup.debuginfod.clone(),
        ..Options::default()
    };
    let (of_kernel, others) = by_module(view, &modules)?;
    let search = Search {
        modules: &modules,
        processes: &processes,
        started: trace.and_then(|trace| trace.start_unix_ns),
        shown,
        watch,
    };
    // The kernel has as many names as all programs together, and generates its list only when it is
    // read.
    let job = std::thread::scope(|scope| {
        let of_kernel = scope.spawn(|| {
            let kernel = match &lookup.kallsyms {
                Some(text) => KernelSymbols::from_kallsyms_text(text.clone()),
                None => running.and_then(|identity| KernelSymbols::from_running_kernel(&identity)),
            };
            let options = Options {
                same_kernel: lookup.kallsyms.is_none() && kernel.is_ok(),
                ..options.clone()
            };
            search.run(&Symbolizer::new(options).with_kernel(kernel), of_kernel)
        });
        let mut job = search.run(&Symbolizer::new(options.clone()), others);
        let of_kernel = of_kernel.join();
        job.absorb(of_kernel.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        job
    });
    Ok(job.finish(known))
}

/// Addresses by their modules: each with its offset in the module.
type Places = BTreeMap<Option<ModuleId>, Vec<(u64, AddressId)>>;

/// Returns the addresses in the kernel and its own modules, and all others.
fn by_module(view: &dyn TraceView, modules: &[ModuleRow]) -> Result<(Places, Places), ViewError> {
    let addresses = view.read(&ADDRESS, &["id", "module", "rva"])?;
    let (mut of_kernel, mut others) = (Places::new(), Places::new());
    for row in addresses.rows::<AddressRow>() {
        let known = row.module.and_then(|module| modules.get(module.index()));
        let is_of_kernel = known.is_some_and(|module| {
            matches!(module.kind.as_str(), "kernel" | "kernel-module" | "vdso")
        });
        let side = if is_of_kernel {
            &mut of_kernel
        } else {
            &mut others
        };
        let places = side.entry(row.module).or_default();
        places.push((row.rva.cast_unsigned(), row.id));
    }
    Ok((of_kernel, others))
}

/// What a search for names knows about the trace.
struct Search<'a> {
    modules: &'a [ModuleRow],
    processes: &'a [ProcessRow],
    /// When the trace began, in nanoseconds of Unix time.
    started: Option<i64>,
    shown: &'a str,
    watch: &'a dyn Watch,
}

impl Search<'_> {
    /// Looks up the names of these addresses.
    fn run(&self, symbolizer: &Symbolizer, places: Places) -> Job {
        let mut job = Job::default();
        for (id, mut places) in places {
            let module = id.and_then(|id| self.modules.get(id.index()));
            let name = module.map_or("addresses without a module", |module| &module.name);
            let shown = self.shown;
            self.watch.step(&format_args!("{shown}: names of {name}"));
            if self.watch.is_interrupted() {
                break;
            }
            if module.is_some() {
                places.sort_unstable();
            }
            job.module(symbolizer, (id, module), self, &places);
        }
        job
    }
}

/// The results for the modules' addresses so far.
#[derive(Default)]
struct Job {
    names: Names,
    frames: Vec<SymbolFrame>,
    found: Vec<Found>,
    /// An example of a module for every reason: the one with the lowest id.
    examples: BTreeMap<Reason, (Option<ModuleId>, String)>,
}

/// The meaning of one address: some of the job's frames, or why there are none.
struct Found {
    address: AddressId,
    meaning: Result<Range<usize>, Reason>,
}

impl Job {
    fn module(
        &mut self,
        symbolizer: &Symbolizer,
        (id, module): (Option<ModuleId>, Option<&ModuleRow>),
        search: &Search<'_>,
        places: &[(u64, AddressId)],
    ) {
        let build_id = module.and_then(|module| module.build_id.as_deref());
        let build_id = build_id.and_then(bytes_of_hex);
        let kind = module.map_or(ModuleKind::Unknown, |module| {
            kind(module, search.processes, search.started)
        });
        let path = module.map_or("", |module| &module.path);
        let pdb = module.and_then(|module| {
            let (name, id) = (module.pdb_name.as_deref()?, module.build_id.as_deref()?);
            let id = PdbId::parse(id)?;
            Some(PdbRef { name, id })
        });
        let reference = ModuleRef {
            path: Path::new(path),
            build_id: build_id.as_deref(),
            pdb,
            image: module.and_then(image_id),
            ..ModuleRef::of_kind(kind)
        };
        let wanted: Vec<u64> = places.iter().map(|&(address, _)| address).collect();
        let Self { frames, found, .. } = self;
        let before = found.len();
        let mut keep = |index: usize, resolution: Resolution<'_>| {
            let Some(&(_, address)) = places.get(index) else {
                return;
            };
            let meaning = match resolution {
                Resolution::Frames(new) => {
                    let first = frames.len();
                    frames.extend_from_slice(new);
                    Ok(first..frames.len())
                }
                Resolution::Unresolved(reason) => {
                    let name = || module.map_or("", |module| &module.name).to_owned();
                    let example = self.examples.entry(reason);
                    example.or_insert_with(|| (id, name()));
                    Err(reason)
                }
            };
            found.push(Found { address, meaning });
        };
        symbolizer.symbolize_module(&reference, &wanted, &mut self.names, &mut keep);
        if let Some(program) = path.strip_prefix("[bpf]") {
            self.name_program(program, before, places);
        }
    }

    /// Names the results since `before` after a BPF program: its name was recorded when it was
    /// loaded, and it may be gone by now.
    fn name_program(&mut self, program: &str, before: usize, places: &[(u64, AddressId)]) {
        let function = self.names.intern(program);
        for found in self.found.iter_mut().skip(before) {
            let place = places.iter().find(|(_, id)| *id == found.address);
            if let (Err(_), Some(&(offset_bytes, _))) = (&found.meaning, place) {
                found.meaning = Ok(self.frames.len()..self.frames.len() + 1);
                self.frames.push(SymbolFrame {
                    function,
                    offset_bytes,
                    inlined: false,
                    file: None,
                    line: None,
                });
            }
        }
    }

    /// Takes over the results of another job, for other modules.
    fn absorb(&mut self, other: Self) {
        let ids: Vec<NameId> = other
            .names
            .iter()
            .map(|name| self.names.intern(name))
            .collect();
        let id = |id: NameId| ids.get(id.0 as usize).copied().unwrap_or(id);
        let first = self.frames.len();
        self.frames
            .extend(other.frames.iter().map(|frame| SymbolFrame {
                function: id(frame.function),
                file: frame.file.map(id),
                ..*frame
            }));
        self.found.extend(other.found.into_iter().map(|found| {
            Found {
                meaning: found
                    .meaning
                    .map(|range| first + range.start..first + range.end),
                ..found
            }
        }));
        for (reason, example) in other.examples {
            let known = self
                .examples
                .entry(reason)
                .or_insert_with(|| example.clone());
            if example.0 < known.0 {
                *known = example;
            }
        }
    }

    /// Makes the table `symbol`; `old` provides names for addresses that have none now.
    fn finish(mut self, old: &Table) -> Named {
        let mut known: BTreeMap<AddressId, Vec<SymbolRow>> = BTreeMap::new();
        for row in old.rows::<SymbolRow>().filter(|row| row.function.is_some()) {
            known.entry(row.address).or_default().push(row);
        }
        self.found.sort_unstable_by_key(|found| found.address);
        let mut rows = SymbolRows::new(&self.names);
        let mut named = 0;
        let mut unresolved: BTreeMap<Reason, (usize, String)> = BTreeMap::new();
        for Found { address, meaning } in self.found {
            match (meaning, known.remove(&address)) {
                (Ok(range), _) => {
                    let frames = self.frames.get(range).unwrap_or_default();
                    for (depth, frame) in (0..).zip(frames) {
                        rows.push(address, depth, frame);
                    }
                }
                (Err(_), Some(old)) => old.iter().for_each(|row| rows.keep(row)),
                (Err(reason), None) => {
                    rows.push_unresolved(address, reason);
                    let entry = unresolved.entry(reason);
                    entry.or_default().0 += 1;
                    continue;
                }
            }
            named += 1;
        }
        for (reason, (_, module)) in &mut unresolved {
            *module = self.examples.remove(reason).unwrap_or_default().1;
        }
        Named {
            symbols: rows.finish(),
            named,
            unresolved,
        }
    }
}

/// Returns the properties that the running kernel must have to be the recorded one, at the same
/// place in memory.
///
/// If no build id was recorded (pipes, `--no-buildid`), the release must match instead.
fn running_kernel(
    view: &dyn TraceView,
    modules: &[ModuleRow],
    trace: Option<&TraceRow>,
) -> Result<Result<KernelIdentity, Reason>, ViewError> {
    let kernel = modules.iter().find(|module| module.kind == "kernel");
    let build_id = kernel.and_then(|kernel| kernel.build_id.as_deref());
    if build_id.is_none() {
        let running = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let recorded = trace.and_then(|trace| trace.os.as_deref()).unwrap_or("");
        if running.is_empty() || recorded.rsplit(' ').next() != Some(running.trim()) {
            return Ok(Err(Reason::KernelDiffers));
        }
    }
    // The file offset of the kernel's mapping is the address of `_text`.
    let mappings = view.read(&MAPPING, &[])?;
    let mut text = mappings.rows::<MappingRow>().filter(|mapping| {
        mapping.process.is_none() && kernel.is_some_and(|kernel| kernel.id == mapping.module)
    });
    let text = text.find(|mapping| mapping.file_offset != 0);
    Ok(Ok(KernelIdentity {
        build_id: build_id.and_then(bytes_of_hex),
        text_address: text.map(|mapping| mapping.file_offset.cast_unsigned()),
    }))
}

/// Returns how this machine relates to the recorded one.
pub fn origin(trace: &TraceRow) -> Origin {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let same = |recorded: &Option<String>, here: &str| {
        recorded
            .as_deref()
            .is_some_and(|recorded| !recorded.is_empty() && recorded == here.trim())
    };
    if same(&trace.boot_id, &boot) {
        Origin::ThisBoot
    } else if same(&trace.host, &host) {
        Origin::ThisMachine
    } else {
        Origin::Elsewhere
    }
}

fn kind(module: &ModuleRow, processes: &[ProcessRow], started: Option<i64>) -> ModuleKind {
    match module.kind.as_str() {
        "elf" => ModuleKind::Elf,
        "kernel" => ModuleKind::Kernel { text_address: None },
        "kernel-module" => ModuleKind::KernelModule,
        "vdso" => ModuleKind::Vdso,
        "pe" => ModuleKind::Pe,
        "jit" => jit(module, processes, started),
        "anonymous" => ModuleKind::Anonymous,
        _ => ModuleKind::Unknown,
    }
}

/// Returns which build of a Windows image a module is.
fn image_id(module: &ModuleRow) -> Option<ImageId> {
    Some(ImageId {
        time_stamp: u32::try_from(module.time_stamp?).ok()?,
        size: u32::try_from(module.size_bytes?).ok()?,
    })
}

/// Returns the kind of a module that may be generated code, which has the name of its process's
/// perf map.
fn jit(module: &ModuleRow, processes: &[ProcessRow], started: Option<i64>) -> ModuleKind {
    let pid = module
        .name
        .strip_prefix("perf-")
        .and_then(|name| name.strip_suffix(".map"));
    let Some(os_pid) = pid.and_then(|pid| pid.parse::<u32>().ok()) else {
        return ModuleKind::Anonymous;
    };
    let of_pid = processes
        .iter()
        .filter(|p| u32::try_from(p.os_pid) == Ok(os_pid));
    let mut user = of_pid
        .clone()
        .filter_map(|p| p.user.as_deref()?.parse().ok());
    let start_ns = of_pid.clone().find_map(|process| process.start_ns);
    let unix_ns = start_ns
        .zip(started)
        .and_then(|(start, trace)| trace.checked_add(start));
    let unix_ns = unix_ns.and_then(|ns| u64::try_from(ns).ok());
    let started = unix_ns.map(|ns| SystemTime::UNIX_EPOCH + Duration::from_nanos(ns));
    ModuleKind::Jit {
        os_pid,
        started,
        user: user.next_back(),
    }
}

/// Returns the dumps of generated code that processes mapped.
fn jit_dumps(modules: &[ModuleRow]) -> Vec<PathBuf> {
    let is_dump = |row: &&ModuleRow| row.name.starts_with("jit-") && row.name.ends_with(".dump");
    let dumps = modules.iter().filter(is_dump);
    dumps.map(|row| PathBuf::from(&row.path)).collect()
}

fn bytes_of_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| {
        let text = std::str::from_utf8(pair)
            .ok()
            .filter(|text| text.len() == 2)?;
        u8::from_str_radix(text, 16).ok()
    };
    digits.map(byte).collect()
}

#[cfg(test)]
mod tests {
    use whyslow_model::TableRow as _;

    use super::*;

    #[test]
    fn what_two_searches_found_is_one_table() {
        let job = |function: &str, address, (module, name): (i32, &str)| {
            let mut job = Job::default();
            job.names.intern("first of its own");
            job.frames.push(SymbolFrame {
                function: job.names.intern(function),
                offset_bytes: 4,
                inlined: false,
                file: Some(job.names.intern("main.c")),
                line: Some(7),
            });
            let example = (Some(ModuleId(module)), name.to_owned());
            job.examples.insert(Reason::NoMapping, example);
            job.found = vec![
                Found {
                    address: AddressId(address),
                    meaning: Ok(0..1),
                },
                Found {
                    address: AddressId(address + 1),
                    meaning: Err(Reason::NoMapping),
                },
            ];
            job
        };
        let mut both = job("main", 3, (9, "b"));
        both.absorb(job("schedule", 1, (2, "a")));
        let named = both.finish(&Table::new(SymbolRow::SCHEMA));
        let rows: Vec<SymbolRow> = named.symbols.rows().collect();
        let cells: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    row.address.0,
                    row.function.as_deref(),
                    row.file.as_deref(),
                    row.line,
                )
            })
            .collect();
        let of = |address, function| (address, Some(function), Some("main.c"), Some(7));
        let none = |address| (address, None, None, None);
        assert_eq!(cells, [of(1, "schedule"), none(2), of(3, "main"), none(4)]);
        assert_eq!(named.named, 2);
        let expected = [(Reason::NoMapping, (2, "a".to_owned()))];
        assert_eq!(named.unresolved, BTreeMap::from(expected));
    }

    #[test]
    fn build_ids_are_hexadecimal() {
        assert_eq!(bytes_of_hex("00ff1a"), Some(vec![0, 255, 26]));
        assert_eq!(bytes_of_hex("0"), None);
        assert_eq!(bytes_of_hex("zz"), None);
    }
}
