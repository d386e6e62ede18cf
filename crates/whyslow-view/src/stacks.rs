//! The stacks of one trace and the meaning of their frames, read together.

use whyslow_model::StackId;

use crate::error::QueryError;
use crate::frames::Frames;
use crate::pattern::FunctionPattern;
use crate::tree::StackTree;
use crate::view::View;

/// Stacks with their functions.
#[derive(Debug)]
pub struct Stacks {
    /// The functions.
    pub frames: Frames,
    /// The tree.
    pub tree: StackTree,
}

impl Stacks {
    /// Reads the stacks of `view`.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let frames = Frames::read(view)?;
        let tree = StackTree::read(view, &frames)?;
        Ok(Self { frames, tree })
    }

    /// Returns, per function, whether `pattern` matches it.
    pub fn matching(&self, pattern: &FunctionPattern) -> Vec<bool> {
        let functions = self.frames.functions.iter();
        functions
            .map(|f| pattern.matches(&f.module, &f.name))
            .collect()
    }

    /// Returns up to `most` functions of the program on a stack, nearest to the leaf first.
    ///
    /// Kernel functions and frames without a name are left out; the placeholder for a missing user
    /// half is included.
    pub fn user_frames(&self, stack: Option<StackId>, most: usize) -> Vec<&str> {
        let (tree, frames) = (&self.tree, &self.frames);
        let user = tree
            .path(tree.node(stack))
            .filter(|&node| !tree.kernel[node as usize]);
        let functions = user.flat_map(|node| tree.functions(node));
        let marker = |id: u32| id == frames.no_user_half || id == frames.no_stack;
        let named = functions.filter(|&&id| frames.function(id).resolved || marker(id));
        named
            .take(most)
            .map(|&id| &*frames.function(id).name)
            .collect()
    }

    /// Returns whether a stack has frames of the program.
    pub fn has_user_half(&self, stack: Option<StackId>) -> bool {
        let (tree, frames) = (&self.tree, &self.frames);
        let mut path = tree.path(tree.node(stack));
        path.any(|node| {
            let marker = |&id: &u32| id == frames.no_user_half || id == frames.no_stack;
            !tree.kernel[node as usize] && !tree.functions(node).iter().any(marker)
        })
    }
}

/// Which stacks count: those with certain functions, or all.
#[derive(Debug)]
pub struct WantedStacks(Option<(StackTree, Vec<bool>)>);

impl WantedStacks {
    /// Reads the stacks of `view` if there is a pattern that one of their functions must match.
    pub fn read(view: View<'_>, pattern: Option<&FunctionPattern>) -> Result<Self, QueryError> {
        let Some(pattern) = pattern else {
            return Ok(Self(None));
        };
        let stacks = Stacks::read(view)?;
        let wanted = stacks.tree.with_function(&stacks.matching(pattern));
        Ok(Self(Some((stacks.tree, wanted))))
    }

    /// Returns whether a stack counts.
    pub fn has(&self, stack: Option<StackId>) -> bool {
        let wanted = self.0.as_ref();
        wanted.is_none_or(|(tree, wanted)| wanted[tree.node(stack) as usize])
    }
}
