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
        let subject = match self.hidden {
            0 => return None,
            1 => "1 folder or file has no row: it".to_owned(),
            hidden => format!(
                "{} folders and files have no row: each",
                grouped(u64::try_from(hidden).unwrap_or(u64::MAX))
            ),
        };
        let text = format!(
            "{subject} has less than {LEAST_PERCENT} % of the calls and of their time, or is beyond --top"
        );
        Some(Note::info(&text))
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
    let (kept, hidden) = kept(&nodes, total, top);
    let mut folders = Folders {
        rows: Vec::new(),
        depths: Vec::new(),
        hidden,
    };
    let mut todo = vec![(joined(&nodes, 0), 0_u16)];
    while let Some(((at, name), depth)) = todo.pop() {
        let below = nodes[at].children.values();
        let mut below: Vec<_> = below.map(|&child| joined(&nodes, child)).collect();
        below.retain(|&(child, _)| kept[child]);
        below.sort_by_key(|&(child, _)| (weight(&nodes[child]), Reverse(child)));
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
        todo.extend(inner.map(|child| (child, depth.saturating_add(1))));
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

/// Returns, per node, whether it has a row, and how many have none though they are not joined with what is in them.
fn kept(nodes: &[Node], total: (i64, i64), top: Option<usize>) -> (Vec<bool>, usize) {
    let least = |all: i64| all.saturating_mul(LEAST_PERCENT) / 100;
    let is_heavy = |node: &Node| {
        let (ns, count) = weight(node);
        (ns > 0 && ns >= least(total.0)) || count >= least(total.1)
    };
    let rows = (0..nodes.len()).filter(|&at| lone_child(nodes, at).is_none());
    let rows: Vec<usize> = rows.collect();
    // A node is at most as heavy as the one above it, and comes after it.
    let mut order = rows.clone();
    order.retain(|&at| is_heavy(&nodes[at]));
    order.sort_by_key(|&at| (Reverse(weight(&nodes[at])), at));
    order.truncate(top.unwrap_or(usize::MAX));
    let mut kept = vec![false; nodes.len()];
    for &at in &order {
        kept[at] = true;
    }
    (kept, rows.len() - order.len())
}

/// Returns the node in whose row a node is, and the name of the row: a folder that has nothing but another one is
/// one row with that.
fn joined(nodes: &[Node], mut at: usize) -> (usize, String) {
    let mut name = nodes[at].name.clone();
    while let Some(only) = lone_child(nodes, at) {
        at = only;
        name.push_str(&nodes[at].name);
    }
    (at, name)
}

/// Returns the folder that is all there is in a node.
fn lone_child(nodes: &[Node], at: usize) -> Option<usize> {
    let node = &nodes[at];
    let mut children = node.children.values();
    let only = *children.next().filter(|_| node.children.len() == 1)?;
    // A file that was itself used is not just part of a path.
    let is_same = nodes[only].sum.calls.count == node.sum.calls.count;
    (is_same && node.name.ends_with('/')).then_some(only)
}
