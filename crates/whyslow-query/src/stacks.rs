//! The stacks of one trace and what their frames mean, read together.

use std::borrow::Cow;

use whyslow_model::StackId;

use crate::error::QueryError;
use crate::frames::{Frames, Function};
use crate::pattern::FunctionPattern;
use crate::plain_name::plain_name;
use crate::selection::View;
use crate::tree::StackTree;

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
    /// Kernel functions, and frames without a name, are left out; what stands for a missing user
    /// half is given.
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

    /// Returns where in the program a stack is, in the words of a person: the functions nearest
    /// to the leaf, from the caller on, as `main > read_config > fsync`.
    ///
    /// Of the system's libraries only the function the program called is named; frames every
    /// program has at its start are left out. Without a user half it is the system call, as
    /// `[fsync, user half not recorded]`.
    pub fn place(&self, stack: Option<StackId>) -> String {
        const MOST: usize = 4;
        let (tree, frames) = (&self.tree, &self.frames);
        let known = self.has_user_half(stack);
        let user = tree
            .path(tree.node(stack))
            .filter(|&node| !tree.kernel[node as usize]);
        let functions = user.flat_map(|node| tree.functions(node));
        let functions = functions.map(|&id| frames.function(id));
        let named = |f: &&Function| known && f.resolved && !is_frame_of_start(&f.name);
        let mut names: Vec<Cow<'_, str>> = Vec::new();
        let mut in_system = true;
        for function in functions.filter(named) {
            let system = is_system_module(&function.module);
            if in_system && system {
                names.clear();
            }
            in_system &= system;
            let name = plain_name(&function.name);
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            let why = if known {
                "no function known"
            } else {
                "user half not recorded"
            };
            return match self.system_call(stack) {
                Some(call) => format!("[{call}, {why}]"),
                None => format!("[{why}]"),
            };
        }
        let more = names.len() > MOST;
        names.truncate(MOST);
        names.reverse();
        let text = names.join(" > ");
        if more { format!("… > {text}") } else { text }
    }

    /// Returns the system call a stack is in, or `page fault`.
    fn system_call(&self, stack: Option<StackId>) -> Option<&str> {
        let (tree, frames) = (&self.tree, &self.frames);
        let nodes = tree
            .path(tree.node(stack))
            .filter(|&node| tree.kernel[node as usize]);
        let mut functions = nodes.flat_map(|node| tree.functions(node));
        functions.find_map(|&id| {
            let name = &*frames.function(id).name;
            let prefixes = [
                "__x64_sys_",
                "__arm64_sys_",
                "__ia32_sys_",
                "__do_sys_",
                "__se_sys_",
            ];
            let call = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix));
            let fault = matches!(
                name,
                "exc_page_fault" | "asm_exc_page_fault" | "do_mem_abort"
            );
            let wait = name
                .strip_prefix("kernel_")
                .filter(|&rest| rest == "wait4" || rest == "waitid");
            let ksys = name.strip_prefix("ksys_");
            call.or(wait).or(ksys).or(fault.then_some("page fault"))
        })
    }
}

/// Returns whether a function only starts programs and threads, so that naming it says nothing.
pub fn is_frame_of_start(name: &str) -> bool {
    const EXACT: &[&str] = &[
        "_start",
        "__libc_start_main",
        "__libc_start_call_main",
        "start_thread",
        "__clone",
        "clone",
        "clone3",
        "__clone3",
        "thread_start",
        "runtime.goexit",
        "runtime.main",
    ];
    const PREFIXES: &[&str] = &[
        "__libc_start_main",
        "std::rt::",
        "std::panic",
        "std::sys::backtrace::__rust_begin_short_backtrace",
        "std::sys_common::backtrace::__rust_begin_short_backtrace",
        "__rust_try",
        "core::ops::function::",
        "<alloc::boxed::Box<F",
        "<core::panic::unwind_safe",
        "std::sys::thread::",
        "std::sys::pal::unix::thread::",
        "std::thread::Builder::spawn_unchecked",
        "std::thread::lifecycle::",
        "entry_SYSCALL_64",
        "do_syscall_64",
    ];
    EXACT.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns whether a module is one of the libraries every program is made with, whose functions
/// tell less than the place they are called from.
pub fn is_system_module(module: &str) -> bool {
    let starts = [
        "libc.",
        "libc-",
        "libpthread",
        "ld-linux",
        "ld-musl",
        "ld-2",
        "[vdso]",
        "librt.",
    ];
    starts.iter().any(|start| module.starts_with(start))
}
