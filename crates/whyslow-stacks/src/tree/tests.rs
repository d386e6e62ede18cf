//! Interning keeps every path distinct, complete, and only once.

use super::*;

fn frames(tree: &Tree, mut node: NodeId) -> Vec<u64> {
    let mut frames = Vec::new();
    while let Some((parent, address)) = tree.step(node) {
        frames.push(address);
        node = parent;
    }
    frames
}

#[test]
fn stacks_come_back_as_they_went_in() {
    let mut tree = Tree::new(1 << 20);
    let mut state = 1_u64;
    let mut all = Vec::new();
    for _ in 0..20_000 {
        let mut stack = Vec::new();
        for _ in 0..state % 9 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            stack.push((state >> 33) % 7);
        }
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let root = if state >> 63 == 0 {
            Root::Kernel
        } else {
            Root::User
        };
        all.push((root, stack.clone(), tree.intern(root, &stack).unwrap()));
    }
    for (root, stack, node) in all {
        assert_eq!(frames(&tree, node), stack);
        assert_eq!(tree.intern(root, &stack), Some(node));
    }
}

#[test]
fn the_root_is_part_of_the_path() {
    let mut tree = Tree::new(100);
    let kernel = tree.intern(Root::Kernel, &[1, 2]);
    assert_ne!(tree.intern(Root::UserComplete, &[1, 2]), kernel);
    assert_eq!(
        tree.intern(Root::UserTruncated, &[]),
        Some(Root::UserTruncated.node())
    );
    assert_eq!(
        tree.root(Root::UserTruncated.node()),
        Some(Root::UserTruncated)
    );
}

#[test]
fn at_the_limit_known_stacks_are_found_and_new_ones_refused() {
    let mut tree = Tree::new(FIRST_FRAME + 2);
    let known = tree.intern(Root::Kernel, &[1, 2]);
    assert!(known.is_some());
    assert_eq!(tree.intern(Root::Kernel, &[3, 1, 2]), None);
    assert_eq!(tree.intern(Root::Kernel, &[1, 2]), known);
    assert_eq!(tree.refused(), 1);
}
