//! `missing`: modules whose functions have no names because a file is missing, and where to get
//! that file.

use whyslow_model::ModuleId;

use std::collections::BTreeMap;

use whyslow_model::tables::{self, AddressRow, ModuleRow, StackRow, SymbolRow};
use whyslow_results::{Columns, Kind, Outcome, ResultColumn, ResultSchema, Value, shown};

use crate::error::QueryError;
use crate::question::{Empty, Question, Request, Subject};
use crate::rows;
use crate::scope::Scope;
use crate::shape::{self, Read};
use crate::view::View;

/// The question; the modules with the most CPU time come first.
pub(super) static QUESTION: Question = Question {
    name: "missing",
    about: "Modules whose symbols are missing, and what to fetch for them, here or elsewhere",
    help: HELP,
    tables: &[&TABLE],
    arguments: &[],
    about_what: Subject::Recording,
    empty: Empty::AllIsWell("no symbols are missing"),
    ask,
};

const HELP: &str = "\
If this machine has no connection: make the list here, fetch the files on another machine, and bring
the folder back. The files keep their paths below the server's address, so the folder is a symbol
store.

Examples:
  whyslow missing x.whyslow
  whyslow missing x.whyslow --columns get --format csv -o list.csv
  tail -n +2 list.csv | tr -d '\\r' | while read -r f; do
    curl -fL --create-dirs -o \"sym/$f\" \"https://msdl.microsoft.com/download/symbols/$f\"; done
  whyslow symbolize x.whyslow --from sym

  whyslow missing x.whyslow --columns manifest --format csv | tail -n +2 | tr -d '\"' > list.txt
  symchk /im list.txt /s srv*C:\\sym*https://msdl.microsoft.com/download/symbols   on Windows";

static TABLE: ResultSchema = ResultSchema::new(
    "missing",
    "Which modules lack symbols, and what to fetch for them.",
    "Missing symbols",
    &SHOWN,
)
.largest("cpu");

#[rustfmt::skip]
const COLUMNS: Columns<Row> = &[
    ResultColumn::new("module", "module", "Module", Kind::Text, "Name of the module.").priority(0)
        .cell(|row, ()| Value::text(&row.module.name)),
    ResultColumn::new("cpu", "cpu_sampled_ns", "CPU (sampled)", Kind::Duration, "CPU time by samples with a nameless address of the module at the leaf.").priority(1).summed()
        .cell(|row, ()| Value::Int(row.cpu_ns)),
    ResultColumn::new("addresses", "addresses", "Addresses", Kind::Count, "Addresses in it without a name.").priority(0).summed()
        .cell(|row, ()| Value::Int(row.addresses)),
    ResultColumn::new("reason", "reason", "Reason", Kind::Text, "Why most of them have none, as in the table `symbol`.").priority(2)
        .cell(|row, ()| Value::text(&row.reason)),
    ResultColumn::new("get", "get", "On a server", Kind::Text, "Path of the missing file on a symbol server, below its address: a PDB or, where only the image is known, the image; for Linux, a debug file on a debuginfod server.").priority(1)
        .cell(|row, ()| Value::optional(place_on_server(&row.module).as_deref())),
    ResultColumn::new("manifest", "manifest", "Manifest", Kind::Text, "The same as a line of a manifest for Microsoft's `symchk`.").hidden()
        .cell(|row, ()| Value::optional(manifest_line(&row.module).as_deref())),
    ResultColumn::new("symbols", "symbols", "Symbols", Kind::Text, "Name of the module's PDB.").hidden()
        .cell(|row, ()| Value::optional(row.module.pdb_name.as_deref())),
    ResultColumn::new("id", "id", "Id", Kind::Text, "Id of the PDB, GUID and age, or build id.").hidden()
        .cell(|row, ()| Value::optional(row.module.build_id.as_deref())),
    ResultColumn::new("version", "version", "Version", Kind::Text, "Version of the module's file.").priority(4)
        .cell(|row, ()| Value::optional(row.module.version.as_deref())),
    ResultColumn::new("vendor", "vendor", "Vendor", Kind::Text, "The vendor of the module.").priority(3)
        .cell(|row, ()| Value::optional(row.module.vendor.as_deref())),
    ResultColumn::new("path", "path", "Path", Kind::Text, "Path of the module's file as recorded.").priority(5)
        .cell(|row, ()| Value::text(&row.module.path)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// A module without a file that names its functions.
struct Row {
    module: ModuleRow,
    cpu_ns: i64,
    addresses: i64,
    reason: String,
}

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    shape::ask(views, request.selection, &TABLE, |view, facts| {
        let rows = read(view, &Scope::whole(&facts))?;
        Ok(Read::rows(COLUMNS, rows, (), Vec::new()))
    })
}

/// What has no name in a module.
#[derive(Default)]
struct Nameless<'a> {
    cpu_ns: i64,
    addresses: i64,
    reasons: BTreeMap<&'a str, i64>,
}

fn read(view: View<'_>, scope: &Scope) -> Result<Vec<Row>, QueryError> {
    let symbols = view.read(
        &tables::SYMBOL,
        &[SymbolRow::address.name(), SymbolRow::reason.name()],
    )?;
    let modules = view.read(&tables::ADDRESS, &[AddressRow::module.name()])?;
    let places = SymbolRow::address.values(&symbols);
    let reasons = SymbolRow::reason.column(&symbols);
    let in_modules = AddressRow::module.values(&modules);
    let cpu = cpu_of_addresses(view, scope, modules.len())?;
    let mut nameless: BTreeMap<ModuleId, Nameless<'_>> = BTreeMap::new();
    for (row, address) in places.iter().enumerate() {
        let place = address.index();
        let module = in_modules.at(place);
        let reason = reasons.text(row).filter(|reason| !FINAL.contains(reason));
        if let (Some(module), Some(reason)) = (module, reason) {
            let entry = nameless.entry(module).or_default();
            let ns = cpu.get(place).copied();
            entry.cpu_ns = entry.cpu_ns.saturating_add(ns.unwrap_or(0));
            entry.addresses += 1;
            *entry.reasons.entry(reason).or_default() += 1;
        }
    }
    let table = view.read(&tables::MODULE, &[])?;
    let modules = table.rows::<ModuleRow>();
    let found = modules.filter_map(|module| Some((nameless.remove(&module.id)?, module)));
    let row = |(nameless, module): (Nameless<'_>, ModuleRow)| {
        let reasons = nameless.reasons.iter();
        let most = reasons.max_by_key(|&(_, count)| *count);
        Row {
            cpu_ns: nameless.cpu_ns,
            addresses: nameless.addresses,
            reason: most.map_or_else(String::new, |(reason, _)| (*reason).to_owned()),
            module,
        }
    };
    Ok(found.map(row).collect())
}

/// Reasons that no file could remove.
const FINAL: [&str; 6] = [
    "outside-symbols",
    "outside-segments",
    "anonymous-memory",
    "no-mapping",
    "portable-pdb",
    "perf-map-stale",
];

/// CPU time by the address at the leaf.
fn cpu_of_addresses(view: View<'_>, scope: &Scope, n: usize) -> Result<Vec<i64>, QueryError> {
    let stacks = view.read(&tables::STACK, &[StackRow::address.name()])?;
    let leaves = StackRow::address.values(&stacks);
    let mut cpu = vec![0_i64; n];
    rows::samples(view, scope, |sample| {
        let address = sample.stack.and_then(|stack| leaves.at(stack.index()));
        if let Some(ns) = address.and_then(|address| cpu.get_mut(address.index())) {
            *ns = ns.saturating_add(sample.weight_ns);
        }
    })?;
    Ok(cpu)
}

/// Path of the missing file below the address of a server, in the usual layout of such servers:
/// `name/KEY/name` for Windows, `buildid/ID/debuginfo` for Linux.
fn place_on_server(module: &ModuleRow) -> Option<String> {
    let id = module.build_id.as_deref();
    if module.kind != "pe" {
        return id.map(|id| format!("buildid/{id}/debuginfo"));
    }
    let (name, key) = windows_file(module)?;
    Some(format!("{name}/{key}/{name}"))
}

/// A line `name,KEY,1`, which `symchk /om` writes and `symchk /im` reads.
fn manifest_line(module: &ModuleRow) -> Option<String> {
    let (name, key) = windows_file(module).filter(|_| module.kind == "pe")?;
    Some(format!("{name},{key},1"))
}

/// Name and key of a Windows module's PDB, or else of its image.
fn windows_file(module: &ModuleRow) -> Option<(&str, String)> {
    if let (Some(name), Some(id)) = (&module.pdb_name, &module.build_id) {
        return Some((name, id.clone()));
    }
    let stamp = u32::try_from(module.time_stamp?).ok()?;
    let size = u32::try_from(module.size_bytes?).ok()?;
    let name = module.name.rsplit(['\\', '/']).next()?;
    Some((name, format!("{stamp:08X}{size:x}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(kind: &str) -> ModuleRow {
        ModuleRow {
            id: ModuleId(0),
            path: r"C:\Windows\System32\ntdll.dll".to_owned(),
            name: "ntdll.dll".to_owned(),
            kind: kind.to_owned(),
            build_id: None,
            size_bytes: Some(0x1f_6000),
            version: None,
            vendor: None,
            time_stamp: Some(0xab_cdef),
            pdb_name: None,
            product: None,
        }
    }

    #[test]
    fn every_kind_of_file_has_its_place() {
        let mut image = module("pe");
        let get = |module: &ModuleRow| place_on_server(module).unwrap_or_default();
        assert_eq!(get(&image), "ntdll.dll/00ABCDEF1f6000/ntdll.dll");
        image.pdb_name = Some("ntdll.pdb".to_owned());
        image.build_id = Some("0123456789ABCDEF0123456789ABCDEF1".to_owned());
        let key = "0123456789ABCDEF0123456789ABCDEF1";
        assert_eq!(get(&image), format!("ntdll.pdb/{key}/ntdll.pdb"));
        let line = manifest_line(&image).unwrap_or_default();
        assert_eq!(line, format!("ntdll.pdb,{key},1"));
        let library = ModuleRow {
            build_id: Some("abcd".to_owned()),
            ..module("elf")
        };
        assert_eq!(get(&library), "buildid/abcd/debuginfo");
        assert_eq!(manifest_line(&library), None);
        assert_eq!(get(&module("elf")), "");
    }
}
