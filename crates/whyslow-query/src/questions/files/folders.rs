//! Folders as a tree: `files --tree`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use whyslow_results::{Note, grouped};

use super::groups::{Group, Places, Sum};
use crate::file_calls::FileNames;

/// Folders and files with a smaller share of the calls and of their time have no row.
const LEAST_PERCENT: i64 = 1;

/// A folder, or a file; what is in no folder is right below the root.
#[derive(Default)]
struct Node<'n> {
    name: &'n str,
    children: BTreeMap<&'n str, usize>,
    sum: Sum,
}

/// The rows of a tree with their depths.
pub(super) struct Folders {
    pub(super) rows: Vec<Group>,
    pub(super) places: Places,
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
    files: &[Group],
    names: &FileNames,
    depth: usize,
    top: Option<usize>,
) -> Folders {
    let mut nodes = grow(files, names, depth);
    let total = weight(&nodes[0]);
    let (kept, hidden) = kept(&nodes, total, top);
    let (mut rows, mut texts, mut depths) = (Vec::new(), Vec::<Arc<str>>::new(), Vec::new());
    let mut todo = vec![(joined(&nodes, 0), 0_u16)];
    while let Some(((at, name), depth)) = todo.pop() {
        let below = nodes[at].children.values();
        let mut below: Vec<_> = below.map(|&child| joined(&nodes, child)).collect();
        below.retain(|&(child, _)| kept[child]);
        below.sort_by_key(|&(child, _)| (weight(&nodes[child]), Reverse(child)));
        rows.push(Group {
            kind: 0,
            place: u32::try_from(texts.len()).unwrap_or(u32::MAX),
            sum: std::mem::take(&mut nodes[at].sum),
        });
        texts.push(if name.is_empty() { "all" } else { &name }.into());
        depths.push(depth);
        let inner = below.into_iter();
        todo.extend(inner.map(|child| (child, depth.saturating_add(1))));
    }
    Folders {
        rows,
        places: Places::of_texts(texts),
        depths,
        hidden,
    }
}

/// Time, then number of calls: of a folder at least that of what is in it.
fn weight(node: &Node<'_>) -> (i64, i64) {
    (node.sum.calls.ns.unwrap_or(0), node.sum.calls.count)
}

fn grow<'n>(files: &[Group], names: &'n FileNames, depth: usize) -> Vec<Node<'n>> {
    let most = if depth == 0 { usize::MAX } else { depth };
    let mut files: Vec<&Group> = files.iter().collect();
    files.sort_unstable_by_key(|of| of.sum.file);
    let mut nodes = vec![Node::default()];
    for of in files {
        let path = names.path(of.sum.file);
        add(&mut nodes[0], &of.sum);
        let mut at = 0;
        for part in parts(path).take(most) {
            at = child(&mut nodes, at, part);
            add(&mut nodes[at], &of.sum);
        }
    }
    nodes
}

fn child<'n>(nodes: &mut Vec<Node<'n>>, of: usize, name: &'n str) -> usize {
    let new = nodes.len();
    let at = *nodes[of].children.entry(name).or_insert(new);
    if at == new {
        nodes.push(Node {
            name,
            ..Node::default()
        });
    }
    at
}

fn add(node: &mut Node<'_>, of_file: &Sum) {
    node.sum.join(of_file);
    node.sum.file = node.sum.file.or(of_file.file);
    node.sum.files += 1;
}

/// Returns the parts of a path, folders with their slash: `/`, `usr/`, `lib.so`, or `C:\`, `x.dll`.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split_inclusive(super::SEPARATORS)
}

/// Returns, per node, whether it has a row, and how many have none though they are not joined with what is in them.
fn kept(nodes: &[Node<'_>], total: (i64, i64), top: Option<usize>) -> (Vec<bool>, usize) {
    let least = |all: i64| all.saturating_mul(LEAST_PERCENT) / 100;
    let is_heavy = |node: &Node<'_>| {
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
fn joined(nodes: &[Node<'_>], mut at: usize) -> (usize, String) {
    let mut name = nodes[at].name.to_owned();
    while let Some(only) = lone_child(nodes, at) {
        at = only;
        name.push_str(nodes[at].name);
    }
    (at, name)
}

/// Returns the folder that is all there is in a node.
fn lone_child(nodes: &[Node<'_>], at: usize) -> Option<usize> {
    let node = &nodes[at];
    let mut children = node.children.values();
    let only = *children.next().filter(|_| node.children.len() == 1)?;
    // A file that was itself used is not just part of a path.
    let is_same = nodes[only].sum.calls.count == node.sum.calls.count;
    (is_same && node.name.ends_with(super::SEPARATORS)).then_some(only)
}
