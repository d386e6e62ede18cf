//! The guides in front of the rows of a tree.
//!
//! ```text
//! make                     main
//! ├─ cc1                   run
//! │  └─ as                 ├─ parse
//! └─ ld                    │  lex
//!                          └─ emit
//! ```
//!
//! A call tree may be a hundred calls deep before it forks, so a call that is its caller's only one
//! is right below it there ([`TreeStyle::Chains`]); in a tree of processes every level is
//! indented.

use whyslow_results::TreeStyle;

/// Returns the guide of every row, given the rows' depths in the order they print.
pub fn guides(depths: &[u16], style: TreeStyle) -> Vec<String> {
    let nodes = nodes(depths);
    let mut guides: Vec<String> = Vec::with_capacity(depths.len());
    // What the children of each row have in front of their own mark.
    let mut inner: Vec<String> = Vec::with_capacity(depths.len());
    for node in &nodes {
        let Some(parent) = node.parent else {
            guides.push(String::new());
            inner.push(String::new());
            continue;
        };
        let before = inner.get(parent).cloned().unwrap_or_default();
        let alone =
            style != TreeStyle::Levels && nodes.get(parent).is_some_and(|p| p.children == 1);
        if alone {
            guides.push(before.clone());
            inner.push(before);
        } else if node.last {
            guides.push(format!("{before}└─ "));
            inner.push(format!("{before}   "));
        } else {
            guides.push(format!("{before}├─ "));
            inner.push(format!("{before}│  "));
        }
    }
    guides
}

struct Node {
    parent: Option<usize>,
    children: usize,
    last: bool,
}

fn nodes(depths: &[u16]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::with_capacity(depths.len());
    // The rows that are still open, outermost first, and the last child of each row so far.
    let mut open: Vec<(u16, usize)> = Vec::new();
    let mut last_child: Vec<Option<usize>> = Vec::with_capacity(depths.len());
    for (at, &depth) in depths.iter().enumerate() {
        while open.pop_if(|(outer, _)| *outer >= depth).is_some() {}
        let parent = open.last().map(|&(_, row)| row);
        if let Some(parent) = parent {
            nodes[parent].children += 1;
            if let Some(before) = last_child[parent].replace(at) {
                nodes[before].last = false;
            }
        }
        nodes.push(Node {
            parent,
            children: 0,
            last: true,
        });
        last_child.push(None);
        open.push((depth, at));
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_guided() {
        let guides = guides(&[0, 1, 2, 1, 0, 1], TreeStyle::Levels);
        assert_eq!(guides, ["", "├─ ", "│  └─ ", "└─ ", "", "└─ "]);
    }

    #[test]
    fn a_chain_is_not_indented() {
        let guides = guides(&[0, 1, 2, 3, 2], TreeStyle::Chains);
        assert_eq!(guides, ["", "", "├─ ", "│  ", "└─ "]);
    }

    #[test]
    fn a_depth_that_skips_levels_hangs_below_the_row_before() {
        assert_eq!(guides(&[0, 5, 5], TreeStyle::Levels), ["", "├─ ", "└─ "]);
        assert_eq!(guides(&[3, 0], TreeStyle::Levels), ["", ""]);
    }
}
