//! `missing`: modules whose functions have no names for want of a file, and where that file is.

use whyslow_model::{AddressId, ModuleId};

use std::collections::BTreeMap;

use whyslow_model::tables::{self, ModuleRow};

use crate::error::QueryError;
use crate::result::{Kind, Order, Outcome, ResultColumn, Value};
use crate::rows;
use crate::scope::Scope;
use crate::selection::{Selection, View};
use crate::shape::{self, Part, Read, Shape};

#[rustfmt::skip]
pub(super) static COLUMNS: &[ResultColumn] = &[
    ResultColumn::new("module", "module", "Module", Kind::Text, "Name of the module.").priority(0),
    ResultColumn::new("cpu", "cpu_sampled_ns", "CPU (sampled)", Kind::Duration, "CPU time by samples with a nameless address of the module at the leaf.").priority(1).summed(),
    ResultColumn::new("addresses", "addresses", "Addresses", Kind::Count, "Addresses in it without a name.").priority(0).summed(),
    ResultColumn::new("reason", "reason", "Reason", Kind::Text, "Why most of them have none, as in the table `symbol`.").priority(2),
    ResultColumn::new("get", "get", "Get", Kind::Text, "Where the file that is missing stands on a symbol server, below its address: a PDB or, where only the image is known, the image; for Linux, a debug file on a debuginfod server.").priority(1),
    ResultColumn::new("manifest", "manifest", "Manifest", Kind::Text, "The same as a line of a manifest for Microsoft's `symchk`.").hidden(),
    ResultColumn::new("symbols", "symbols", "Symbols", Kind::Text, "Name of the module's PDB.").hidden(),
    ResultColumn::new("id", "id", "Id", Kind::Text, "Id of the PDB, GUID and age, or build id.").hidden(),
    ResultColumn::new("version", "version", "Version", Kind::Text, "Version of the module's file.").priority(4),
    ResultColumn::new("vendor", "vendor", "Vendor", Kind::Text, "Who made it.").priority(3),
    ResultColumn::new("path", "path", "Path", Kind::Text, "Path of the module's file as recorded.").priority(5),
];

static SHAPE: Shape = Shape {
    question: "missing",
    title: "Missing symbols",
    columns: COLUMNS,
    tree: None,
    order: Some(("cpu", Order::Descending)),
    top_order: None,
    swap: &[],
};

/// Lists the modules that lack a file with names, those with the most CPU time first.
///
/// # Errors
/// As [`cpu`](super::cpu()).
pub fn missing(views: &[View<'_>], selection: &Selection) -> Result<Outcome, QueryError> {
    shape::ask(views, selection, &SHAPE, |view, facts| {
        let rows = read(view, &Scope::whole(facts))?;
        Ok(Read::Part(Part::list(rows, Vec::new())))
    })
}

/// What is nameless in a module.
#[derive(Default)]
struct Nameless<'a> {
    cpu_ns: i64,
    addresses: i64,
    reasons: BTreeMap<&'a str, i64>,
}

fn read(view: View<'_>, scope: &Scope) -> Result<Vec<Vec<Value>>, QueryError> {
    let symbols = view.read(&tables::SYMBOL, &["address", "reason"])?;
    let modules = view.read(&tables::ADDRESS, &["module"])?;
    let (places, reasons) = (symbols.i32s("address"), symbols.column("reason"));
    let cpu = cpu_of_addresses(view, scope, modules.len())?;
    let mut nameless: BTreeMap<ModuleId, Nameless<'_>> = BTreeMap::new();
    for (row, &address) in places.iter().enumerate() {
        let place = AddressId(address).index();
        let module = modules.i32s("module").get(place);
        let module = module.and_then(|&module| ModuleId::from_column(module));
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
    Ok(found
        .map(|(nameless, module)| row(&nameless, &module))
        .collect())
}

/// Reasons that no file would change.
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
    let stacks = view.read(&tables::STACK, &["address"])?;
    let leaves = stacks.i32s("address");
    let mut cpu = vec![0_i64; n];
    rows::samples(view, scope, |sample| {
        let address = sample.stack.and_then(|stack| leaves.get(stack.index()));
        let address = address.and_then(|&address| AddressId::from_column(address));
        if let Some(ns) = address.and_then(|address| cpu.get_mut(address.index())) {
            *ns = ns.saturating_add(sample.weight_ns);
        }
    })?;
    Ok(cpu)
}

fn row(nameless: &Nameless<'_>, module: &ModuleRow) -> Vec<Value> {
    let most = nameless.reasons.iter().max_by_key(|&(_, count)| *count);
    let optional = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::text);
    let text = |text: Option<String>| text.map_or(Value::Null, |text| Value::text(&text));
    vec![
        Value::text(&module.name),
        Value::Int(nameless.cpu_ns),
        Value::Int(nameless.addresses),
        Value::text(most.map_or("", |(reason, _)| reason)),
        text(place_on_server(module)),
        text(manifest_line(module)),
        optional(&module.pdb_name),
        optional(&module.build_id),
        optional(&module.version),
        optional(&module.vendor),
        Value::text(&module.path),
    ]
}

/// Path of the missing file below the address of a server, in the layout of such servers:
/// `name/KEY/name` for Windows, `buildid/ID/debuginfo` for Linux.
fn place_on_server(module: &ModuleRow) -> Option<String> {
    let id = module.build_id.as_deref();
    if module.kind != "pe" {
        return id.map(|id| format!("buildid/{id}/debuginfo"));
    }
    let (name, key) = windows_file(module)?;
    Some(format!("{name}/{key}/{name}"))
}

/// A line `name,KEY,1`, as `symchk /om` writes it and `symchk /im` reads it.
fn manifest_line(module: &ModuleRow) -> Option<String> {
    let (name, key) = windows_file(module).filter(|_| module.kind == "pe")?;
    Some(format!("{name},{key},1"))
}

/// Name and key of a Windows module's PDB, else of its image.
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
