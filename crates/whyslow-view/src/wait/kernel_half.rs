//! The meaning of the kernel halves of all stacks, by rules over single functions.

use crate::stacks::Stacks;
use crate::tree::NO_PARENT;

/// The meaning of every kernel half.
#[derive(Debug)]
pub(super) struct KernelHalves<T> {
    /// Per node: the results of the strong and of the weak rule nearest to the leaf.
    of_node: Vec<(Option<T>, Option<T>)>,
}

impl<T: Copy> KernelHalves<T> {
    /// Makes one pass from the roots to the leaves; `rule` returns what a function means, and
    /// whether the rule is a strong one.
    pub(super) fn new(stacks: &Stacks, rule: impl Fn(&str) -> Option<(T, bool)>) -> Self {
        let functions = &stacks.frames.functions;
        // Called once per function, and only for functions that occur in the kernel.
        let mut by_function: Vec<Option<Option<(T, bool)>>> = vec![None; functions.len()];
        let mut of_node = vec![(None, None); stacks.tree.len()];
        for node in 0..of_node.len() {
            if !stacks.tree.kernel[node] {
                continue;
            }
            let id = u32::try_from(node).unwrap_or(NO_PARENT);
            let (mut strong, mut weak) = match stacks.tree.parent[node] {
                NO_PARENT => (None, None),
                parent => of_node[parent as usize],
            };
            // Innermost last, so that it wins.
            for &function in stacks.tree.functions(id).iter().rev() {
                let name = &functions[function as usize].name;
                let known = &mut by_function[function as usize];
                match *known.get_or_insert_with(|| rule(name)) {
                    Some((meaning, true)) => strong = Some(meaning),
                    Some((meaning, false)) => weak = Some(meaning),
                    None => {}
                }
            }
            of_node[node] = (strong, weak);
        }
        Self { of_node }
    }

    /// Returns what the kernel half that ends in `node` means.
    pub(super) fn of(&self, node: usize) -> Option<T> {
        let (strong, weak) = *self.of_node.get(node)?;
        strong.or(weak)
    }
}
