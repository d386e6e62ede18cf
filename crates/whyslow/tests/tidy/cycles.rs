//! Which modules of a crate know each other: of two neighbors in one module, at most one may know
//! the other, directly or through further ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::{crates, name, sources};

/// A module as its path within the crate; the root is empty.
type Module = Vec<String>;

/// By module: which of its children know which others of them.
type Edges = BTreeMap<Module, BTreeMap<String, BTreeSet<String>>>;

#[test]
fn neighbors_do_not_know_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for path in crates() {
        for (parent, edges) in edges(&modules(&path.join("src"))) {
            for circle in circles_of(&edges) {
                circles.push(format!(
                    "{} {}: {}",
                    name(&path),
                    parent.join("::"),
                    circle.join(" → ")
                ));
            }
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn a_circle_is_found_however_it_is_written() {
    let of = |modules: &[(&str, &str)]| {
        let modules = modules.iter().map(|(path, text)| {
            let path = path.split("::").filter(|name| !name.is_empty());
            (path.map(ToOwned::to_owned).collect(), (*text).to_owned())
        });
        let edges = edges(&modules.collect());
        edges.values().flat_map(circles_of).collect::<Vec<_>>()
    };
    let direct = [
        ("a", "use crate::b::Of;"),
        ("b", "fn f() { crate::a::g() }"),
    ];
    assert_eq!(of(&direct), [["a", "b", "a"]]);
    let through = [
        ("x::a", "use super::{b::{Of, At}, c};"),
        ("x::b", "use crate::x::c;"),
        ("x::c::d", "use super::super::a::Of;"),
        ("x::c", ""),
    ];
    assert_eq!(of(&through).len(), 1);
    // A parent may know its children, and they their parent; comments know nobody.
    let none = [
        ("a", "use b::Of; // crate::c::Of"),
        ("a::b", "use super::Of;"),
        ("c", "use crate::a;"),
    ];
    assert!(of(&none).is_empty());
}

/// Returns the modules of a crate with their text, tests and comments apart.
fn modules(src: &Path) -> BTreeMap<Module, String> {
    let mut files = Vec::new();
    sources(src, &mut files);
    let module = |file: &Path| -> Option<Module> {
        let inside = file.strip_prefix(src).ok()?.with_extension("");
        let mut path: Module = inside
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        if path.iter().any(|part| part == "tests") {
            return None;
        }
        let is_root = path.len() == 1 && matches!(&*path[0], "lib" | "main");
        if is_root {
            path.clear();
        }
        Some(path)
    };
    let read = |file: &Path| Some((module(file)?, fs::read_to_string(file).ok()?));
    files.iter().filter_map(|file| read(file)).collect()
}

/// Returns who knows whom.
fn edges(modules: &BTreeMap<Module, String>) -> Edges {
    let mut edges = Edges::new();
    for (from, text) in modules {
        for path in paths(text) {
            let to = resolve(from, &path, modules);
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if let (Some(a), Some(b)) = (from.get(shared), to.get(shared)) {
                let parent = edges.entry(from[..shared].to_vec()).or_default();
                parent.entry(a.clone()).or_default().insert(b.clone());
            }
        }
    }
    edges
}

/// Returns the module that a path means, as far as it leads.
fn resolve(from: &Module, path: &[String], modules: &BTreeMap<Module, String>) -> Module {
    let mut at = from.clone();
    for (index, part) in path.iter().enumerate() {
        match part.as_str() {
            "crate" if index == 0 => at.clear(),
            "self" if index == 0 => {}
            "super" => drop(at.pop()),
            part => {
                at.push(part.to_owned());
                if !modules.contains_key(&at) {
                    at.pop();
                    break;
                }
            }
        }
    }
    at
}

/// Returns the paths in a text that begin at the crate, the module or its parent, groups spelled out.
fn paths(text: &str) -> Vec<Vec<String>> {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next();
    let lines = code.unwrap_or_default().lines();
    let code: String = lines
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join(" ");
    let mut found = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if before.is_none_or(|c| !is_word(c) && c != ':') {
                spell(&code[at..], &mut Vec::new(), &mut found);
            }
        }
    }
    found
}

/// Adds the paths that a path with groups stands for; returns what follows it.
fn spell<'t>(text: &'t str, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'t str {
    let depth = before.len();
    let mut rest = text.trim_start();
    loop {
        if let Some(group) = rest.strip_prefix('{') {
            rest = group;
            while !rest.trim_start().is_empty() && !rest.trim_start().starts_with('}') {
                rest = spell(rest, before, found).trim_start();
                // Past a new name, and what follows the last one.
                let end = rest.find([',', '}']).unwrap_or(rest.len());
                rest = rest[end..].strip_prefix(',').unwrap_or(&rest[end..]);
            }
            rest = rest.trim_start().strip_prefix('}').unwrap_or_default();
            break;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        before.push(word.to_owned());
        rest = after;
        let Some(deeper) = rest.strip_prefix("::") else {
            found.push(before.clone());
            break;
        };
        rest = deeper.trim_start();
    }
    before.truncate(depth);
    rest
}

/// Returns a circle for every set of modules that know each other in one.
fn circles_of(edges: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let mut done: BTreeSet<&String> = BTreeSet::new();
    let mut circles = Vec::new();
    for start in edges.keys() {
        if done.contains(start) {
            continue;
        }
        // Breadth first, so that the circle is the shortest through its start.
        let mut ways: BTreeMap<&String, Vec<&String>> = BTreeMap::from([(start, vec![start])]);
        let mut queue = vec![start];
        while let Some(at) = (!queue.is_empty()).then(|| queue.remove(0)) {
            for next in edges.get(at).into_iter().flatten() {
                let mut way = ways[at].clone();
                way.push(next);
                if next == start {
                    done.extend(way.iter().copied());
                    circles.push(way.into_iter().cloned().collect());
                    queue.clear();
                    break;
                }
                if !ways.contains_key(next) {
                    ways.insert(next, way);
                    queue.push(next);
                }
            }
        }
    }
    circles
}
