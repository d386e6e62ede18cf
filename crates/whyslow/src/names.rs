//! Names for the addresses of an extract: which modules to ask, what of it to keep.
//!
//! ```text
//! address, module, symbol (old) ─► per module: sorted addresses ─ Symbolizer ─► symbol (new)
//! ```
//!
//! Where a new look-up finds nothing, the old names stay. Names are numbered, and rows are written,
//! in the order of addresses, so the same input gives the same bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use whyslow_model::tables::{
    ADDRESS, AddressRow, MAPPING, MODULE, MappingRow, ModuleRow, PROCESS, ProcessRow, SYMBOL,
    SymbolRow, TRACE, TraceRow,
};
use whyslow_model::{Table, TraceView, ViewError};
use whyslow_symbols::{
    KernelIdentity, KernelSymbols, ModuleKind, ModuleRef, Names, Options, Origin, Reason,
    Resolution, Symbolizer,
};

/// Where to look for names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lookup {
    /// Folders that come before the recorded paths.
    pub(crate) from: Vec<PathBuf>,
    /// Whether to look for inlined functions and lines.
    pub(crate) inlined: bool,
    /// The recorded kernel's symbols, where the recording has them.
    pub(crate) kallsyms: Option<Vec<u8>>,
}

/// What a look-up came to.
#[derive(Debug)]
pub(crate) struct Named {
    /// The new table `symbol`.
    pub(crate) symbols: Table,
    /// Addresses with a name.
    pub(crate) named: usize,
    /// Addresses without one, by reason, with an example of a module.
    pub(crate) unresolved: BTreeMap<Reason, (usize, String)>,
}

/// Looks up names for all addresses of `view`; `step` is told each module.
pub(crate) fn look_up(
    view: &dyn TraceView,
    lookup: &Lookup,
    step: &mut dyn FnMut(&str),
) -> Result<Named, ViewError> {
    let modules: Vec<ModuleRow> = view.read(&MODULE, &[])?.rows().collect();
    let addresses: Vec<AddressRow> = view.read(&ADDRESS, &[])?.rows().collect();
    let processes: Vec<ProcessRow> = view.read(&PROCESS, &[])?.rows().collect();
    let trace = view.read(&TRACE, &[])?.rows::<TraceRow>().next();
    let mut old: BTreeMap<i32, Vec<SymbolRow>> = BTreeMap::new();
    for row in view.read(&SYMBOL, &[])?.rows::<SymbolRow>() {
        old.entry(row.address).or_default().push(row);
    }
    let origin = trace.as_ref().map_or(Origin::Elsewhere, origin);
    let kernel = match &lookup.kallsyms {
        Some(text) => KernelSymbols::from_kallsyms_text(text.clone()),
        None if origin == Origin::Elsewhere => Err(Reason::KernelMissing),
        None => running_kernel(view, &modules, trace.as_ref())?,
    };
    let options = Options {
        from: lookup.from.clone(),
        origin,
        same_kernel: lookup.kallsyms.is_none() && kernel.is_ok(),
        inlined: lookup.inlined,
        ..Options::default()
    };
    let symbolizer = Symbolizer::new(options).with_kernel(kernel);

    let mut by_module: BTreeMap<Option<i32>, Vec<(u64, i32)>> = BTreeMap::new();
    for row in &addresses {
        let place = (row.rva.cast_unsigned(), row.id);
        by_module.entry(row.module).or_default().push(place);
    }
    let mut job = Job {
        names: Names::new(),
        found: BTreeMap::new(),
        old,
        result: Named {
            symbols: Table::new(&SYMBOL),
            named: 0,
            unresolved: BTreeMap::new(),
        },
    };
    let started = trace.and_then(|trace| trace.start_unix_ns);
    for (module, mut places) in by_module {
        places.sort_unstable();
        let at = module.and_then(|id| usize::try_from(id).ok());
        let module = at.and_then(|at| modules.get(at));
        step(module.map_or("addresses without a module", |module| &module.name));
        job.module(&symbolizer, module, &processes, started, &places);
    }
    let rows = std::mem::take(&mut job.found).into_values().flatten();
    job.result.symbols = Table::from_rows(rows);
    Ok(job.result)
}

/// Names of one module's addresses after the other.
struct Job {
    names: Names,
    found: BTreeMap<i32, Vec<SymbolRow>>,
    old: BTreeMap<i32, Vec<SymbolRow>>,
    result: Named,
}

impl Job {
    fn module(
        &mut self,
        symbolizer: &Symbolizer,
        module: Option<&ModuleRow>,
        processes: &[ProcessRow],
        started: Option<i64>,
        places: &[(u64, i32)],
    ) {
        let build_id = module.and_then(|module| module.build_id.as_deref());
        let build_id = build_id.and_then(bytes_of_hex);
        let kind = module.map_or(ModuleKind::Unknown, |module| {
            kind(module, processes, started)
        });
        let path = module.map_or("", |module| &module.path);
        let reference = ModuleRef {
            kind,
            path: Path::new(path),
            build_id: build_id.as_deref(),
            os_pid: None,
            bias: None,
        };
        let wanted: Vec<u64> = places.iter().map(|&(address, _)| address).collect();
        let mut resolved: Vec<(usize, Result<Vec<Frame>, Reason>)> = Vec::new();
        let mut keep = |index: usize, resolution: Resolution<'_>| {
            let frames = match resolution {
                Resolution::Frames(frames) => Ok(frames.iter().map(Frame::of).collect()),
                Resolution::Unresolved(reason) => Err(reason),
            };
            resolved.push((index, frames));
        };
        symbolizer.symbolize_module(&reference, &wanted, &mut self.names, &mut keep);
        for (index, frames) in resolved {
            if let Some(&(_, address)) = places.get(index) {
                let rows = self.rows(address, frames, module);
                self.found.insert(address, rows);
            }
        }
    }

    fn rows(
        &mut self,
        address: i32,
        frames: Result<Vec<Frame>, Reason>,
        module: Option<&ModuleRow>,
    ) -> Vec<SymbolRow> {
        let old = self.old.remove(&address);
        let old = old.filter(|rows| rows.iter().any(|row| row.function.is_some()));
        match (frames, old) {
            (Ok(frames), _) => {
                self.result.named += 1;
                let rows = (0..).zip(frames);
                rows.map(|(depth, frame)| frame.row(address, depth, &self.names))
                    .collect()
            }
            (Err(_), Some(old)) => {
                self.result.named += 1;
                old
            }
            (Err(reason), None) => {
                // A program of the kernel's is named where it was loaded, and may be gone by now.
                let program = module.and_then(|module| module.path.strip_prefix("[bpf]"));
                let mut row = SymbolRow {
                    address,
                    depth: 0,
                    function: program.map(str::to_owned),
                    offset: None,
                    file: None,
                    line: None,
                    reason: None,
                };
                if row.function.is_some() {
                    self.result.named += 1;
                } else {
                    let module = module.map_or("", |module| &module.name);
                    let entry = self.result.unresolved.entry(reason);
                    entry.or_insert_with(|| (0, module.to_owned())).0 += 1;
                    row.reason = Some(reason.code().to_owned());
                }
                vec![row]
            }
        }
    }
}

/// A function at an address, its names still numbers.
#[derive(Debug, Clone, Copy)]
struct Frame {
    frame: whyslow_symbols::SymbolFrame,
}

impl Frame {
    fn of(frame: &whyslow_symbols::SymbolFrame) -> Self {
        Self { frame: *frame }
    }

    fn row(self, address: i32, depth: i32, names: &Names) -> SymbolRow {
        let frame = self.frame;
        SymbolRow {
            address,
            depth,
            function: Some(names.text(frame.function).to_owned()),
            offset: (!frame.inlined)
                .then(|| i64::try_from(frame.offset_bytes).ok())
                .flatten(),
            file: frame.file.map(|file| names.text(file).to_owned()),
            line: frame.line.and_then(|line| i32::try_from(line).ok()),
            reason: None,
        }
    }
}

/// Returns the running kernel's symbols if it is the recorded one, at the same place in memory.
///
/// Where no build id was recorded (pipes, `--no-buildid`), the release must agree instead.
fn running_kernel(
    view: &dyn TraceView,
    modules: &[ModuleRow],
    trace: Option<&TraceRow>,
) -> Result<Result<KernelSymbols, Reason>, ViewError> {
    let kernel = modules.iter().find(|module| module.kind == "kernel");
    let build_id = kernel.and_then(|kernel| kernel.build_id.as_deref());
    if build_id.is_none() {
        let running = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let recorded = trace.and_then(|trace| trace.os.as_deref()).unwrap_or("");
        if running.is_empty() || recorded.rsplit(' ').next() != Some(running.trim()) {
            return Ok(Err(Reason::KernelDiffers));
        }
    }
    // The offset of the kernel's mapping is the address of `_text`.
    let mappings = view.read(&MAPPING, &[])?;
    let mut text = mappings.rows::<MappingRow>().filter(|mapping| {
        mapping.process.is_none() && kernel.is_some_and(|kernel| kernel.id == mapping.module)
    });
    let text = text.find(|mapping| mapping.file_offset != 0);
    Ok(KernelSymbols::from_running_kernel(&KernelIdentity {
        build_id: build_id.and_then(bytes_of_hex),
        text_address: text.map(|mapping| mapping.file_offset.cast_unsigned()),
    }))
}

/// Returns how this machine relates to the recorded one.
fn origin(trace: &TraceRow) -> Origin {
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
        "jit" => jit(module, processes, started),
        "anonymous" => ModuleKind::Anonymous,
        _ => ModuleKind::Unknown,
    }
}

/// A module of generated code is named after the perf map of its process.
fn jit(module: &ModuleRow, processes: &[ProcessRow], started: Option<i64>) -> ModuleKind {
    let pid = module
        .name
        .strip_prefix("perf-")
        .and_then(|name| name.strip_suffix(".map"));
    let Some(os_pid) = pid.and_then(|pid| pid.parse::<u32>().ok()) else {
        return ModuleKind::Anonymous;
    };
    let mut of_pid = processes
        .iter()
        .filter(|p| u32::try_from(p.os_pid) == Ok(os_pid));
    let start_ns = of_pid.find_map(|process| process.start_ns);
    let unix_ns = start_ns
        .zip(started)
        .and_then(|(start, trace)| trace.checked_add(start));
    let unix_ns = unix_ns.and_then(|ns| u64::try_from(ns).ok());
    let started = unix_ns.map(|ns| SystemTime::UNIX_EPOCH + Duration::from_nanos(ns));
    ModuleKind::Jit { os_pid, started }
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
    use super::*;

    #[test]
    fn build_ids_are_hexadecimal() {
        assert_eq!(bytes_of_hex("00ff1a"), Some(vec![0, 255, 26]));
        assert_eq!(bytes_of_hex("0"), None);
        assert_eq!(bytes_of_hex("zz"), None);
    }
}
