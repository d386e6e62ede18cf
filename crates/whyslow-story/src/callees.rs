//! Which library functions a function of the user's own called while it computed.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_query::call_tree::StackWeight;
use whyslow_query::frames::FunctionId;

use crate::code::{Code, Whose};

/// A function of a library that was called directly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callee {
    /// Its name, with the module if the library is source code: `json.dumps`.
    pub name: String,
    /// Time computed in it and in what it called, nanoseconds.
    pub ns: i64,
}

/// Returns the library functions that `own` called on the stacks where it is the user's own function
/// nearest to the leaf; most time first.
pub fn of(code: &Code<'_>, weights: &[(u32, StackWeight)], own: FunctionId) -> Vec<Callee> {
    let mut sums: BTreeMap<FunctionId, i64> = BTreeMap::new();
    for &(node, weight) in weights {
        if let Some(callee) = below(code, node, own) {
            *sums.entry(callee).or_default() += weight.ns;
        }
    }
    let mut by_name: BTreeMap<String, i64> = BTreeMap::new();
    for (id, ns) in sums {
        *by_name.entry(name(code, id)).or_default() += ns;
    }
    let callees = by_name.into_iter();
    let mut callees: Vec<Callee> = callees.map(|(name, ns)| Callee { name, ns }).collect();
    callees.sort_by_key(|callee| std::cmp::Reverse(callee.ns));
    callees
}

/// Functions of libraries that lie closer to `own` than this are what it called; what they do is their own business.
const FAR: usize = 5;

/// A call that takes this percentage of the time is only the way to what takes it.
const WAY: i64 = 75;

/// The most stacks that are looked into, and the most functions of each.
const MOST_STACKS: usize = 1 << 16;
const MOST_DEEP: usize = 256;

/// Returns the functions among which the time is divided if that happens far inside libraries, as in programs that are
/// nothing but an entry to one; most time first. Only libraries in source code are looked into.
pub fn inside(
    code: &Code<'_>,
    stacks: impl Iterator<Item = (u32, i64)>,
    own: FunctionId,
) -> Vec<Callee> {
    let chains = stacks
        .take(MOST_STACKS)
        .filter_map(|(node, ns)| Some((chain(code, node, own)?, ns)));
    let mut chains: Vec<(Vec<FunctionId>, i64)> = chains.collect();
    let whole = chains
        .iter()
        .fold(0_i64, |sum, &(_, ns)| sum.saturating_add(ns));
    for depth in 0..MOST_DEEP {
        let mut sums: BTreeMap<FunctionId, i64> = BTreeMap::new();
        for (chain, ns) in &chains {
            if let Some(&id) = chain.get(depth) {
                let sum = sums.entry(id).or_default();
                *sum = sum.saturating_add(*ns);
            }
        }
        let most = sums.iter().max_by_key(|&(_, ns)| *ns);
        let is_way = |ns: i64| i128::from(ns) * 100 >= i128::from(whole) * i128::from(WAY);
        if let Some((&id, _)) = most.filter(|&(_, &ns)| is_way(ns)) {
            chains.retain(|(chain, _)| chain.get(depth) == Some(&id));
            continue;
        }
        if depth < FAR {
            break;
        }
        let parts = sums.into_iter().map(|(id, ns)| Callee {
            name: name(code, id),
            ns,
        });
        let mut parts: Vec<Callee> = parts.collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.ns));
        return parts;
    }
    Vec::new()
}

/// Returns the functions of libraries in source code below `own`, outermost first and each of them once; `None` if the
/// user's own function nearest to the leaf is another one.
fn chain(code: &Code<'_>, node: u32, own: FunctionId) -> Option<Vec<FunctionId>> {
    let (tree, frames) = (&code.stacks.tree, &code.stacks.frames);
    let user = tree.path(node).filter(|&node| !tree.kernel[node as usize]);
    let mut functions = Vec::new();
    for &id in user.flat_map(|node| tree.functions(node)) {
        if id == own {
            functions.reverse();
            functions.truncate(MOST_DEEP);
            let mut seen = BTreeSet::new();
            functions.retain(|&id| seen.insert(id));
            return Some(functions);
        }
        match code.whose(id) {
            Whose::Own | Whose::Program => return None,
            Whose::Library if module(&frames.function(id).module).is_some() => functions.push(id),
            Whose::Library | Whose::Start => {}
        }
    }
    None
}

/// Returns the function of a library that `own` called on a stack: the one nearest to `own` that is more than
/// the interpreter's plumbing.
fn below(code: &Code<'_>, node: u32, own: FunctionId) -> Option<FunctionId> {
    let (tree, frames) = (&code.stacks.tree, &code.stacks.frames);
    let user = tree.path(node).filter(|&node| !tree.kernel[node as usize]);
    let functions = user.flat_map(|node| tree.functions(node));
    let (mut nearest, mut way) = (None, None);
    for &id in functions {
        if id == own {
            return nearest.or(way);
        }
        let function = frames.function(id);
        match code.whose(id) {
            Whose::Own | Whose::Program => return None,
            Whose::Library if function.resolved => match is_way(&function.name) {
                true => way = Some(id),
                false => nearest = Some(id),
            },
            Whose::Library | Whose::Start => {}
        }
    }
    None
}

/// V8's functions for calling code that is not compiled.
const WAYS_OF_V8: [&str; 4] = [
    "CEntry",
    "InterpreterEntryTrampoline",
    "JSEntry",
    "AdaptorWithBuiltinExitFrame",
];

/// Functions of Rust's library that iterate over items, and call closures.
const WAYS_OF_RUST: [&str; 10] = [
    "core::iter::",
    "core::ops::",
    "core::option::",
    "core::result::",
    "core::array::",
    "core::slice::iter::",
    "alloc::vec::spec_",
    "alloc::vec::in_place",
    "alloc::vec::from_iter",
    "alloc::vec::extend",
];

/// Returns whether it is a function of an interpreter's interface, or of an iterator, through which most others
/// are called.
fn is_way(name: &str) -> bool {
    let inner = name.trim_start_matches(['<', '&']);
    let of_trait = [" as core::iter::", " as alloc::vec::spec_"];
    if WAYS_OF_RUST.iter().any(|way| inner.starts_with(way))
        || of_trait.iter().any(|of| name.contains(of))
    {
        return true;
    }
    if let Some(builtin) = name.strip_prefix("Builtins_") {
        return WAYS_OF_V8.iter().any(|way| builtin.starts_with(way));
    }
    let rest = name.trim_start_matches('_').strip_prefix("Py");
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Returns a function's name as people write it, preceded by the module if the library is source code.
fn name(code: &Code<'_>, id: FunctionId) -> String {
    let name = code.name(id);
    match module(&code.stacks.frames.function(id).module) {
        Some(module) => format!("{module}.{name}"),
        None => name.into_owned(),
    }
}

/// Returns the name by which programs import a file of source: `json.encoder` of `json/encoder.py`, `fs` of
/// `node:fs`, `importlib._bootstrap` of `<frozen importlib._bootstrap>`; `None` if it is another kind of module.
pub(crate) fn module(file: &str) -> Option<String> {
    if let Some(module) = file.strip_prefix("node:") {
        return Some(module.to_owned());
    }
    let frozen = file.strip_prefix("<frozen ");
    if let Some(module) = frozen.and_then(|rest| rest.strip_suffix('>')) {
        return Some(module.to_owned());
    }
    let python = file.strip_suffix(".py")?;
    let package = python.strip_suffix("/__init__").unwrap_or(python);
    Some(package.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_as_they_are_imported() {
        let named = |file: &str| module(file);
        assert_eq!(named("json/__init__.py").as_deref(), Some("json"));
        assert_eq!(named("json/encoder.py").as_deref(), Some("json.encoder"));
        assert_eq!(named("node:fs").as_deref(), Some("fs"));
        let frozen = named("<frozen importlib._bootstrap>");
        assert_eq!(frozen.as_deref(), Some("importlib._bootstrap"));
        assert_eq!(named("libc.so.6"), None);
    }

    #[test]
    fn the_interpreters_interface_is_only_the_way() {
        for name in [
            "PyObject_Str",
            "_PyUnicode_JoinArray",
            "PySequence_Contains",
            "core::iter::traits::iterator::collect<u8>",
            "<core::iter::adapters::map::Map<I, F> as Iterator>::fold",
            "<alloc::vec::Vec<T> as core::iter::traits::collect::FromIterator<T>>::from_iter",
        ] {
            assert!(is_way(name), "{name}");
        }
        for name in [
            "list_contains",
            "Python",
            "parse",
            "py_scanstring",
            "_Py",
            "std::fs::write",
            "core::slice::sort::stable::sort",
        ] {
            assert!(!is_way(name), "{name}");
        }
    }
}
