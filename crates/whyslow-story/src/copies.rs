//! Copies of Rust's types that are freed again.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_query::call_tree::StackWeight;
use whyslow_query::frames::FunctionId;

use crate::code::Code;

/// Returns the stacks of `all` on which copies are freed again whose making takes `made_ns` on the stacks `made`: of Rust's
/// types, which say so. More than their making takes cannot be theirs; then there are none.
pub(crate) fn freed(
    code: &Code<'_>,
    (made, made_ns): (&[(u32, StackWeight)], i64),
    all: &[(u32, StackWeight)],
) -> Vec<(u32, StackWeight)> {
    let (tree, frames) = (&code.stacks.tree, &code.stacks.frames);
    let functions = |node: u32| {
        let user = tree.path(node).filter(|&node| !tree.kernel[node as usize]);
        user.flat_map(|node| tree.functions(node).iter().copied())
    };
    let copied: BTreeSet<FunctionId> = made.iter().flat_map(|(node, _)| functions(*node)).collect();
    let names = copied.iter().map(|&id| &*frames.function(id).name);
    let types: BTreeSet<&str> = names.filter_map(copied_type).collect();
    if types.is_empty() {
        return Vec::new();
    }
    let counted: BTreeSet<u32> = made.iter().map(|(node, _)| *node).collect();
    let mut known: BTreeMap<FunctionId, bool> = BTreeMap::new();
    let mut frees = |node: u32| {
        functions(node).any(|id| {
            let name = &frames.function(id).name;
            *known.entry(id).or_insert_with(|| is_freeing(name, &types))
        })
    };
    let freed = all
        .iter()
        .filter(|(node, _)| !counted.contains(node) && frees(*node));
    let freed: Vec<(u32, StackWeight)> = freed.copied().collect();
    let freed_ns: i64 = freed.iter().map(|(_, weight)| weight.ns).sum();
    match freed_ns <= made_ns {
        true => freed,
        false => Vec::new(),
    }
}

/// Returns the type of Rust that a function copies: `shop::Order` of `<shop::Order as core::clone::Clone>::clone`;
/// `None` for the types of its libraries.
fn copied_type(name: &str) -> Option<&str> {
    let (of, _) = name
        .strip_prefix('<')?
        .split_once(" as core::clone::Clone>::clone")?;
    let of_library = ["alloc::", "core::", "std::", "hashbrown::"];
    let is_own = of.contains("::") && !of_library.iter().any(|library| of.starts_with(library));
    is_own.then_some(of)
}

/// Returns whether a function of Rust frees values of one of these types, or a list of them.
fn is_freeing(name: &str, types: &BTreeSet<&str>) -> bool {
    let Some((_, freed)) = name.split_once("drop_in_place<") else {
        return false;
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut parts = freed.split(|c| !is_word(c));
    parts.any(|part| types.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_frees_copies_names_their_type() {
        let clone = "<shop::Order as core::clone::Clone>::clone";
        assert_eq!(copied_type(clone), Some("shop::Order"));
        for name in [
            "<alloc::vec::Vec<T,A> as core::clone::Clone>::clone",
            "<T as core::clone::Clone>::clone",
            "<shop::Order as core::fmt::Debug>::fmt",
        ] {
            assert_eq!(copied_type(name), None, "{name}");
        }
        let types = BTreeSet::from(["shop::Order"]);
        for name in [
            "core::ptr::drop_in_place<shop::Order>",
            "core::ptr::drop_in_place<(i64,shop::Order)>",
            "core::ptr::drop_in_place<alloc::vec::into_iter::IntoIter<shop::Order>>",
        ] {
            assert!(is_freeing(name, &types), "{name}");
        }
        for name in [
            "core::ptr::drop_in_place<shop::OrderBook>",
            "core::ptr::drop_in_place<alloc::string::String>",
            "free",
        ] {
            assert!(!is_freeing(name, &types), "{name}");
        }
    }
}
