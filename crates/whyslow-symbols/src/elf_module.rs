//! One ELF module: find its file and debug file, then name addresses by their symbol tables.
//!
//! Order of sources: stubs by their relocations; `.symtab` of the file; else of its debug file
//! (by build id, then by debug link), else of the one packed into the file, else Go's own table;
//! `.dynsym` for what is left.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use object::elf::{self, SHT_DYNSYM, SHT_SYMTAB};

use crate::busy_wait;
use crate::debug_file::{FileFinder, FoundFile};
use crate::debuginfod::Artifact;
use crate::elf::ElfImage;
use crate::go_table::{GoSections, GoTable};
use crate::mini_debug::mini_debug_image;
use crate::names::Named;
use crate::nearest::Nearest;
use crate::plt::Callee;
use crate::symbol_table::SymbolTable;
use crate::{KeptFile, ModuleRef, NameId, Names, Origin, Reason, SymbolSource, kept_file, plt};
use whyslow_demangle::demangle;

/// Largest table of Go's functions that is read; kubectl's is 20 MB.
const MAX_GO_TABLE_BYTES: u64 = 256 << 20;

/// The files of a module.
#[derive(Debug, Default)]
pub(crate) struct ModuleFiles {
    /// The file itself, with its code.
    pub(crate) main: Option<FoundFile>,
    /// Its separate debug file.
    pub(crate) debug: Option<FoundFile>,
    /// Whether `debug` was packed into the file itself.
    pub(crate) is_mini: bool,
    /// Whether a build id proves that they are the recorded ones.
    pub(crate) verified: bool,
    /// Where a debug file would have been found.
    pub(crate) missing_debug_file: Option<PathBuf>,
}

/// Finds the files of a module; a debug file is looked for only if it is needed.
pub(crate) fn find_files(
    (finder, kept): (&FileFinder, &[KeptFile]),
    origin: Origin,
    module: &ModuleRef<'_>,
    want_lines: bool,
) -> Result<ModuleFiles, Reason> {
    let mut files = ModuleFiles {
        verified: true,
        ..ModuleFiles::default()
    };
    let main = match kept_file::find(kept, module) {
        // Without a build id, nothing proves that another file is the recorded one.
        Some(found) if module.build_id.is_none() => found.map(|file| (file, true)),
        Some(found) => match find_main(finder, origin, module) {
            // The whole file has more than the parts that were kept.
            Ok((whole, true)) => Ok((whole, true)),
            other => found.map(|file| (file, true)).or(other),
        },
        None => find_main(finder, origin, module),
    };
    match main {
        Ok((main, verified)) => {
            files.verified = verified;
            find_debug(finder, &main, want_lines, &mut files);
            files.main = Some(main);
        }
        Err(reason) => {
            let debug = module.build_id.and_then(|id| finder.debug_file_with_id(id));
            let download = |id| finder.downloaded(id, Artifact::Executable);
            match debug {
                Some(debug) => files.debug = Some(debug),
                None => {
                    let main = module.build_id.and_then(download).ok_or(reason)?;
                    find_debug(finder, &main, want_lines, &mut files);
                    files.main = Some(main);
                }
            }
        }
    }
    Ok(files)
}

fn find_debug(finder: &FileFinder, main: &FoundFile, want_lines: bool, files: &mut ModuleFiles) {
    let has_symbols = main.image.section_of_kind(SHT_SYMTAB).is_some();
    if has_symbols && (!want_lines || main.image.has_debug_info()) {
        return;
    }
    let build_id = main.image.build_id.as_deref();
    files.debug = build_id
        .and_then(|id| finder.debug_file_with_id(id))
        .filter(|found| found.path != main.path)
        .or_else(|| finder.debug_file_by_link(main))
        .or_else(|| finder.downloaded(build_id?, Artifact::DebugInfo));
    if files.debug.is_some() {
        return;
    }
    files.missing_debug_file = build_id.and_then(|id| finder.installed_debug_path(id));
    if !has_symbols && let Some(image) = mini_debug_image(&main.image) {
        files.is_mini = true;
        files.debug = Some(FoundFile {
            image,
            path: main.path.clone(),
        });
    }
}

/// The file itself, and whether its build id is the recorded one.
fn find_main(
    finder: &FileFinder,
    origin: Origin,
    module: &ModuleRef<'_>,
) -> Result<(FoundFile, bool), Reason> {
    let (path, deleted) = without_deleted(module.path);
    let mut failure = None;
    for candidate in places_of(finder, origin, module, path) {
        match FoundFile::open(&candidate) {
            Ok(file) => match (module.build_id, &file.image.build_id) {
                (Some(wanted), Some(found)) if is_same_id(wanted, found) => {
                    return Ok((file, true));
                }
                (Some(_), _) => failure = failure.max(Some(Reason::FileReplaced)),
                (None, _) if deleted => failure = failure.max(Some(Reason::FileReplaced)),
                (None, _) if origin == Origin::Elsewhere && !is_given(finder, &candidate) => {
                    failure = failure.max(Some(Reason::FileUnverified));
                }
                (None, _) => return Ok((file, false)),
            },
            Err(reason) => failure = failure.max(Some(reason)),
        }
    }
    if let Some(id) = module.build_id
        && let Some(file) = finder.file_with_id(id)
    {
        return Ok((file, true));
    }
    Err(failure.unwrap_or(Reason::FileMissing))
}

/// The kernel reports build ids of 20 bytes, padding shorter ones with zeros.
fn is_same_id(recorded: &[u8], found: &[u8]) -> bool {
    recorded
        .strip_prefix(found)
        .is_some_and(|padding| padding.iter().all(|&byte| byte == 0))
}

fn is_given(finder: &FileFinder, path: &Path) -> bool {
    finder.from().iter().any(|folder| path.starts_with(folder))
}

/// Where the file may be by its path: the user's folders (as a copy of the root folder, or flat),
/// the recorded path, the root folder of a living process.
fn places_of(
    finder: &FileFinder,
    origin: Origin,
    module: &ModuleRef<'_>,
    path: &Path,
) -> Vec<PathBuf> {
    let relative = path.strip_prefix("/").unwrap_or(path);
    let mut places = Vec::new();
    for folder in finder.from() {
        // A path with `..` would lead outside the folder.
        if relative
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)))
        {
            places.push(folder.join(relative));
        }
        places.extend(path.file_name().map(|name| folder.join(name)));
    }
    if path.is_absolute() {
        places.push(path.to_owned());
        if let Some(pid) = module.os_pid.filter(|_| origin == Origin::ThisBoot) {
            places.push(Path::new(&format!("/proc/{pid}/root")).join(relative));
        }
    }
    places
}

/// Path without the mark of a file that was unlinked while it was mapped.
fn without_deleted(path: &Path) -> (&Path, bool) {
    match path
        .to_str()
        .and_then(|text| text.strip_suffix(" (deleted)"))
    {
        Some(text) => (Path::new(text), true),
        None => (path, false),
    }
}

/// Names of linked addresses (sorted ascending), and which kind of table gave the most.
pub(crate) fn symbols_of(
    files: &ModuleFiles,
    addresses: &[u64],
    names: &mut Names,
) -> Result<(Vec<Option<Named>>, Option<SymbolSource>), Reason> {
    let mut named = vec![None; addresses.len()];
    let mut stubs = Vec::new();
    let main = files.main.as_ref().map(|file| &file.image);
    let debug = files.debug.as_ref().map(|file| &file.image);
    if let Some(image) = main {
        stubs = plt::stubs(image, addresses);
    }
    let of = |image: Option<&'_ ElfImage>, kind, source| {
        image
            .and_then(|image| image.section_of_kind(kind))
            .map(|_| source)
    };
    let debug_source = if files.is_mini {
        SymbolSource::MiniDebugInfo
    } else {
        SymbolSource::DebugFile
    };
    let source = of(main, SHT_SYMTAB, SymbolSource::Symtab).or(of(debug, SHT_SYMTAB, debug_source));
    let full = match source {
        Some(SymbolSource::Symtab) => main,
        _ => debug,
    };
    let go = main.filter(|_| source.is_none()).and_then(go_table);
    if let Some(table) = &go {
        fill_by_go(table, addresses, &mut named, names);
    }
    let tables = [(full, SHT_SYMTAB), (main, SHT_DYNSYM)];
    let mut failure = name_stubs(&stubs, tables, &mut named, names).err();
    if let Err(reason) = fill_from(tables, addresses, &mut named, names) {
        failure = Some(reason);
    }
    let source = source.or(go.map(|_| SymbolSource::GoTable));
    let source = source.or(of(main, SHT_DYNSYM, SymbolSource::Dynsym));
    match failure {
        Some(reason) if named.iter().all(Option::is_none) => Err(reason),
        _ => Ok((named, source)),
    }
}

/// Returns for each linked address whether it is in a loop that only waits for memory to change. The list is empty if
/// the file is not for x86-64.
pub(crate) fn busy_waits(image: &ElfImage, addresses: &[u64]) -> Vec<bool> {
    if image.machine != elf::EM_X86_64 {
        return Vec::new();
    }
    let is_busy_wait = |&address: &u64| {
        let around = |address: u64| {
            let offset = image.code_offset(address)?;
            let begin = offset.saturating_sub(busy_wait::AROUND as u64);
            let left = image.bytes.len_bytes().saturating_sub(begin);
            let count = left.min(2 * busy_wait::AROUND as u64);
            let code = image.bytes.read(begin, count, count).ok()?;
            Some(busy_wait::is_at(
                &code,
                usize::try_from(offset - begin).ok()?,
            ))
        };
        around(address).unwrap_or(false)
    };
    addresses.iter().map(is_busy_wait).collect()
}

/// Go's own table of functions, which stripped programs have, too.
pub(crate) fn go_table(image: &ElfImage) -> Option<GoTable> {
    let read = |name: &[u8], limit| {
        let section = image.section(name)?;
        image.section_bytes(section, limit).ok()
    };
    let text = image.section(b".text")?.address;
    let sections = GoSections::read((text, image.entry), MAX_GO_TABLE_BYTES, read)?;
    GoTable::new(sections)
}

/// Names those addresses by Go's table that have no name yet.
fn fill_by_go(table: &GoTable, addresses: &[u64], named: &mut [Option<Named>], names: &mut Names) {
    for (entry, &address) in named.iter_mut().zip(addresses) {
        if entry.is_none()
            && let Some(function) = table.function_at(address)
            && let Some(name) = table.name(function)
        {
            *entry = Some((names.intern_linker_name(name), function.start));
        }
    }
}

/// Symbol tables, the better one first.
type Tables<'a> = [(Option<&'a ElfImage>, u32); 2];

/// Names the addresses in stubs after the functions that the stubs lead to.
fn name_stubs(
    stubs: &[Option<(u64, Callee)>],
    tables: Tables<'_>,
    named: &mut [Option<Named>],
    names: &mut Names,
) -> Result<(), Reason> {
    let chosen = stubs
        .iter()
        .flatten()
        .filter_map(|(_, callee)| match callee {
            Callee::ChosenBy(address) => Some(*address),
            Callee::Name(_) => None,
        });
    let mut choosers: Vec<u64> = chosen.collect();
    choosers.sort_unstable();
    choosers.dedup();
    let mut found = vec![None; choosers.len()];
    let result = fill_from(tables, &choosers, &mut found, names);
    for (entry, stub) in named.iter_mut().zip(stubs) {
        let Some((start, callee)) = stub else {
            continue;
        };
        let id = match callee {
            Callee::Name(name) => names.intern_linker_name(name),
            Callee::ChosenBy(address) => {
                let at = choosers.binary_search(address).ok();
                let symbol = at.and_then(|at| found.get(at).copied().flatten());
                // Another symbol before it is another function.
                let name = symbol.filter(|(_, start)| start == address);
                let name = name.map(|(id, _)| format!("{}@plt", names.text(id)));
                names.intern(&name.unwrap_or_else(|| format!("ifunc_{address:#x}@plt")))
            }
        };
        *entry = Some((id, *start));
    }
    result
}

/// Names those addresses that have no name yet; skips a damaged table, and fails if there was one.
fn fill_from(
    tables: Tables<'_>,
    addresses: &[u64],
    named: &mut [Option<Named>],
    names: &mut Names,
) -> Result<(), Reason> {
    let mut result = Ok(());
    for (image, kind) in tables {
        let table = image.and_then(|image| SymbolTable::new(image, kind));
        if let Some(table) = table
            && let Err(reason) = fill(table, addresses, named, names)
        {
            result = Err(reason);
        }
    }
    result
}

/// Names those addresses by `table` that have no name yet.
fn fill(
    mut table: SymbolTable<'_>,
    addresses: &[u64],
    named: &mut [Option<Named>],
    names: &mut Names,
) -> Result<(), Reason> {
    let open: Vec<usize> = (0..addresses.len())
        .filter(|&i| named.get(i).is_some_and(Option::is_none))
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let wanted: Vec<u64> = open
        .iter()
        .filter_map(|&i| addresses.get(i).copied())
        .collect();
    let mut nearest = Nearest::new(&wanted);
    table.offer_to(&mut nearest, 0)?;
    table.expect_names(wanted.len());
    let found = nearest.finish(|a, b| {
        let (a, b) = (table.name(a.name), table.name(b.name));
        is_better_name(&demangle(&b), &demangle(&a))
    });
    let mut last: Option<(u64, NameId)> = None;
    for (index, symbol) in open.into_iter().zip(found) {
        let Some(symbol) = symbol else { continue };
        let id = match last {
            Some((name, id)) if name == symbol.name => id,
            _ => names.intern_linker_name(&table.name(symbol.name)),
        };
        last = Some((symbol.name, id));
        if let Some(entry) = named.get_mut(index) {
            *entry = Some((id, symbol.start));
        }
    }
    Ok(())
}

/// Whether `name` is preferred over `other`, of two names of one function: fewer leading
/// underscores, then longer.
pub(crate) fn is_better_name(name: &str, other: &str) -> bool {
    let underscores = |text: &str| text.bytes().take_while(|&b| b == b'_').count();
    match underscores(name).cmp(&underscores(other)) {
        Ordering::Less => true,
        Ordering::Equal => name.len() > other.len(),
        Ordering::Greater => false,
    }
}
