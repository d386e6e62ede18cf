//! Folders as a tree: `files --tree`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::FileId;
use whyslow_results::{Note, grouped};

use super::{FileSum, Key, OfFile, Sum};
use crate::file_calls::FileNames;

/// Folders and files with a smaller share of the calls and of their time have no row.
const LEAST_PERCENT: i64 = 1;

/// A folder, or a file; what is in no folder is right below the root.
#[derive(Default)]
struct Node {
    name: String,
    children: BTreeMap<String, usize>,
    sum: Sum,
    files: BTreeSet<Option<FileId>>,
}

/// The rows of a tree with their depths.
pub(super) struct Folders {
    pub(super) rows: Vec<(Key, Sum)>,
    pub(super) depths: Vec<u16>,
    hidden: usize,
}

impl Folders {
    /// Says how many folders and files have no row.
    pub(super) fn note(&self) -> Option<Note> {
        (self.hidden > 0).then(|| {
            let text = format!(
                "{} folders and files have no row: each has less than {LEAST_PERCENT} % of the calls and of their time, or is beyond --top",
                grouped(u64::try_from(self.hidden).unwrap_or(u64::MAX))
            );
            Note::info(&text)
        })
    }
}

/// Returns the folders as a tree, those that took longest first, at most `depth` levels (0: all), and `top` rows.
pub(super) fn tree(
    sums: BTreeMap<OfFile, FileSum>,
    names: &FileNames,
    depth: usize,
    top: Option<usize>,
) -> Folders {
    let mut nodes = grow(sums, names, depth);
    let total = weight(&nodes[0]);
    let kept = kept(&nodes, total, top);
    let mut folders = Folders {
        rows: Vec::new(),
        depths: Vec::new(),
        hidden: kept.iter().filter(|&&kept| !kept).count(),
    };
    let mut todo = vec![(0, 0_u16, String::new())];
    while let Some((mut at, depth, mut name)) = todo.pop() {
        // A folder that has nothing but another one is one row with that.
        while let Some(only) = lone_child(&nodes, at) {
            at = only;
            name.push_str(&nodes[at].name);
        }
        let mut below: Vec<usize> = nodes[at].children.values().copied().collect();
        below.retain(|&child| kept[child]);
        below.sort_by_key(|&child| (weight(&nodes[child]), Reverse(child)));
        let node = &mut nodes[at];
        node.sum.files = i64::try_from(node.files.len()).unwrap_or(i64::MAX);
        let key = Key {
            path: Some(if name.is_empty() {
                "all".to_owned()
            } else {
                name
            }),
            ..Key::default()
        };
        folders.rows.push((key, std::mem::take(&mut node.sum)));
        folders.depths.push(depth);
        let inner = below.into_iter();
        todo.extend(inner.map(|child| (child, depth.saturating_add(1), nodes[child].name.clone())));
    }
    folders
}

/// Time, then number of calls: of a folder at least that of what is in it.
fn weight(node: &Node) -> (i64, i64) {
    (node.sum.calls.ns.unwrap_or(0), node.sum.calls.count)
}

fn grow(sums: BTreeMap<OfFile, FileSum>, names: &FileNames, depth: usize) -> Vec<Node> {
    let mut nodes = vec![Node::default()];
    for (of, sum) in sums {
        let path = names.path(of.3);
        let most = if depth == 0 { usize::MAX } else { depth };
        add(&mut nodes, 0, of.3, &sum);
        let mut at = 0;
        for part in parts(path).take(most) {
            at = child(&mut nodes, at, part);
            add(&mut nodes, at, of.3, &sum);
        }
    }
    nodes
}

fn child(nodes: &mut Vec<Node>, of: usize, name: &str) -> usize {
    if let Some(&known) = nodes[of].children.get(name) {
        return known;
    }
    let new = nodes.len();
    nodes[of].children.insert(name.to_owned(), new);
    nodes.push(Node {
        name: name.to_owned(),
        ..Node::default()
    });
    new
}

fn add(nodes: &mut [Node], at: usize, file: Option<FileId>, (calls, cold, flags): &FileSum) {
    let node = &mut nodes[at];
    node.sum.calls.add(calls);
    node.sum.cold.add(cold);
    node.sum.flags = node.sum.flags.with(*flags);
    node.sum.file = node.sum.file.or(file);
    node.files.insert(file);
}

/// Returns the parts of a path, folders with their slash: `/`, `usr/`, `lib.so`.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split_inclusive('/')
}

/// Returns, per node, whether it has a row.
fn kept(nodes: &[Node], total: (i64, i64), top: Option<usize>) -> Vec<bool> {
    let least = |all: i64| all.saturating_mul(LEAST_PERCENT) / 100;
    let is_heavy = |node: &Node| {
        let (ns, count) = weight(node);
        (ns > 0 && ns >= least(total.0)) || count >= least(total.1)
    };
    let mut kept: Vec<bool> = nodes.iter().map(is_heavy).collect();
    let Some(top) = top else {
        return kept;
    };
    // A node is at most as heavy as the one above it, and comes after it.
    let mut order: Vec<usize> = (0..nodes.len()).filter(|&at| kept[at]).collect();
    order.sort_by_key(|&at| (Reverse(weight(&nodes[at])), at));
    for &at in order.iter().skip(top) {
        kept[at] = false;
    }
    kept
}

/// Returns the folder that is all there is in a node.
fn lone_child(nodes: &[Node], at: usize) -> Option<usize> {
    let node = &nodes[at];
    let mut children = node.children.values();
    let only = *children.next().filter(|_| node.children.len() == 1)?;
    // A file that was itself looked at is no part of a path.
    let is_same = nodes[only].sum.calls.count == node.sum.calls.count;
    (is_same && node.name.ends_with('/')).then_some(only)
}
