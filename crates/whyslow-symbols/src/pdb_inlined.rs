//! Inlined functions and lines of a PDB.
//!
//! ```text
//! S_GPROC32 outer            ─ its line table: the line of the call where something was inlined
//! │ S_INLINESITE middle      ─ its annotations: ranges of code, and lines in middle's file
//! │ │ S_INLINESITE inner
//! ```
//!
//! An address belongs to every site whose annotations cover it; the deepest is the innermost
//! function. A site names its function by a number in the PDB's table of ids.
//! Source: `cvinfo.h` of Microsoft's `microsoft-pdb`, and the documentation of LLVM's PDB format.

use std::collections::{BTreeMap, HashMap};

use pdb2::{
    FallibleIterator as _, FileIndex, IdData, IdIndex, Inlinee, ItemFinder, LineInfo, LineProgram,
    ModuleInfo, PDB, PdbInternalSectionOffset, StringTable, Symbol, SymbolData, TypeIndex,
};

use crate::pdb_source::PdbSource;

/// Deeper nesting of inlined functions is not looked at.
const MAX_DEPTH: usize = 64;
/// Levels of namespaces written in front of a function.
const MAX_SCOPES: usize = 16;

/// A place in a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    /// Number of the file in [`InlinedReader::files`].
    pub(crate) file: Option<usize>,
    /// Line from 1; 0 where the compiler gave none.
    pub(crate) line: u32,
}

/// What was inlined at an address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Inlined {
    /// The inlined functions, innermost first: number in the PDB's table of ids, and the line.
    pub(crate) sites: Vec<(IdIndex, Option<Line>)>,
    /// The line in the function that is physically there.
    pub(crate) outermost: Option<Line>,
}

impl Inlined {
    /// Numbers of the inlined functions.
    pub(crate) fn ids(&self) -> impl Iterator<Item = IdIndex> + '_ {
        self.sites.iter().map(|&(id, _)| id)
    }
}

/// Reads what was inlined, one function after another.
#[derive(Debug)]
pub(crate) struct InlinedReader {
    strings: Option<StringTable<'static>>,
    /// Source files, by the numbers of [`Line::file`].
    pub(crate) files: Vec<Box<str>>,
    file_numbers: HashMap<Box<str>, usize>,
}

/// An address of a look-up: its number, and where it is in the terms of the symbols.
pub(crate) type Place = (usize, PdbInternalSectionOffset);

/// A function, and the addresses in it that are asked for.
pub(crate) struct Procedure<'a, 's> {
    /// Its object file.
    pub(crate) object: &'a ModuleInfo<'s>,
    pub(crate) symbol: &'a Symbol<'a>,
    pub(crate) start: PdbInternalSectionOffset,
    pub(crate) places: &'a [Place],
}

impl InlinedReader {
    pub(crate) fn new(pdb: &mut PDB<'static, PdbSource>) -> Self {
        Self {
            strings: pdb.string_table().ok(),
            files: Vec::new(),
            file_numbers: HashMap::new(),
        }
    }

    /// Adds to `inlined` what `procedure` says about its places. Damaged parts are left out.
    pub(crate) fn read(&mut self, procedure: &Procedure<'_, '_>, inlined: &mut [Option<Inlined>]) {
        let program = procedure.object.line_program().ok();
        let program = program.as_ref();
        let lines = program.map(|program| program.lines_for_symbol(procedure.start).collect());
        let lines: Vec<LineInfo> = lines.and_then(Result::ok).unwrap_or_default();
        for &(index, at) in procedure.places {
            if let Some(entry) = inlined.get_mut(index) {
                *entry = Some(Inlined {
                    outermost: self.line_at(program, &lines, at),
                    sites: Vec::new(),
                });
            }
        }
        // Sites come from the outside in: later ones are deeper.
        self.read_sites(procedure, program, &mut |index, site| {
            if let Some(Some(inlined)) = inlined.get_mut(index) {
                inlined.sites.insert(0, site);
            }
        });
    }

    fn read_sites(
        &mut self,
        of: &Procedure<'_, '_>,
        program: Option<&LineProgram<'_>>,
        keep: &mut dyn FnMut(usize, (IdIndex, Option<Line>)),
    ) {
        let Ok(SymbolData::Procedure(procedure)) = of.symbol.parse() else {
            return;
        };
        let Ok(mut inside) = of.object.symbols_at(of.symbol.index()) else {
            return;
        };
        let mut inlinees: Option<BTreeMap<IdIndex, Inlinee<'_>>> = None;
        let mut depth = 0_usize;
        while let Ok(Some(inner)) = inside.next() {
            if inner.index() >= procedure.end {
                break;
            }
            if inner.ends_scope() {
                depth = depth.saturating_sub(1);
            }
            depth += usize::from(inner.starts_scope());
            let Ok(SymbolData::InlineSite(site)) = inner.parse() else {
                continue;
            };
            if depth > MAX_DEPTH {
                continue;
            }
            let inlinees = inlinees.get_or_insert_with(|| inlinees_of(of.object));
            let Some(inlinee) = inlinees.get(&site.inlinee) else {
                continue;
            };
            let lines: Vec<LineInfo> = inlinee.lines(of.start, &site).collect().unwrap_or_default();
            for &(index, at) in of.places {
                if lines.iter().any(|line| covers(line, at)) {
                    keep(index, (site.inlinee, self.line_at(program, &lines, at)));
                }
            }
        }
    }

    /// The line of the record that covers `at`; several do where a statement has parts.
    fn line_at(
        &mut self,
        program: Option<&LineProgram<'_>>,
        lines: &[LineInfo],
        at: PdbInternalSectionOffset,
    ) -> Option<Line> {
        let covering = lines.iter().filter(|line| covers(line, at));
        let line = covering.max_by_key(|line| line.offset.offset)?;
        Some(Line {
            file: self.file(program?, line.file_index),
            line: line.line_start,
        })
    }

    fn file(&mut self, program: &LineProgram<'_>, index: FileIndex) -> Option<usize> {
        let strings = self.strings.as_ref()?;
        let name = program.get_file_info(index).ok()?.name;
        let name = name.to_string_lossy(strings).ok()?;
        if let Some(&number) = self.file_numbers.get(&*name) {
            return Some(number);
        }
        let (name, number): (Box<str>, usize) = (name.into(), self.files.len());
        self.files.push(name.clone());
        self.file_numbers.insert(name, number);
        Some(number)
    }
}

fn covers(line: &LineInfo, at: PdbInternalSectionOffset) -> bool {
    let distance = at.offset.checked_sub(line.offset.offset);
    line.offset.section == at.section
        && distance.is_some_and(|distance| line.length.is_none_or(|length| distance < length))
}

fn inlinees_of<'a>(object: &'a ModuleInfo<'_>) -> BTreeMap<IdIndex, Inlinee<'a>> {
    let mut found = BTreeMap::new();
    if let Ok(mut all) = object.inlinees() {
        while let Ok(Some(inlinee)) = all.next() {
            found.insert(inlinee.index(), inlinee);
        }
    }
    found
}

/// Names of inlined functions by their numbers; those without a name are left out.
pub(crate) fn names_of_ids(
    pdb: &mut PDB<'static, PdbSource>,
    wanted: &[IdIndex],
) -> pdb2::Result<BTreeMap<IdIndex, Box<[u8]>>> {
    let mut names = BTreeMap::new();
    if wanted.is_empty() {
        return Ok(names);
    }
    let (ids, types) = (pdb.id_information()?, pdb.type_information()?);
    let (mut id_finder, mut type_finder) = (ids.finder(), types.finder());
    let mut all = ids.iter();
    while all.next()?.is_some() {
        id_finder.update(&all);
    }
    let mut all = types.iter();
    while all.next()?.is_some() {
        type_finder.update(&all);
    }
    for &id in wanted {
        let Ok(data) = id_finder.find(id).and_then(|id| id.parse()) else {
            continue;
        };
        let (scope, name) = match data {
            IdData::Function(function) => {
                let scope = function.scope.map(|scope| scope_name(&id_finder, scope));
                (scope.unwrap_or_default(), function.name)
            }
            IdData::MemberFunction(method) => (type_name(&type_finder, method.parent), method.name),
            _ => continue,
        };
        let mut full = scope;
        if !full.is_empty() {
            full.extend_from_slice(b"::");
        }
        full.extend_from_slice(name.as_bytes());
        names.insert(id, full.into());
    }
    Ok(names)
}

/// Name of a namespace, as the compiler wrote it or put together from its parts.
fn scope_name(ids: &ItemFinder<'_, IdIndex>, mut scope: IdIndex) -> Vec<u8> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    while parts.len() < MAX_SCOPES {
        match ids.find(scope).and_then(|id| id.parse()) {
            Ok(IdData::String(text)) => parts.push(text.name.as_bytes().to_vec()),
            Ok(IdData::Function(function)) => {
                parts.push(function.name.as_bytes().to_vec());
                if let Some(outer) = function.scope {
                    scope = outer;
                    continue;
                }
            }
            _ => {}
        }
        break;
    }
    parts.reverse();
    parts.join(&b"::"[..])
}

fn type_name(types: &ItemFinder<'_, TypeIndex>, index: TypeIndex) -> Vec<u8> {
    let data = types.find(index).and_then(|found| found.parse());
    let name = data.ok().and_then(|data| data.name());
    name.map_or_else(Vec::new, |name| name.as_bytes().to_vec())
}
