//! Where in the program a stack is.

use std::fmt;
use std::sync::Arc;

use whyslow_model::StackId;

use crate::plain_name::plain_name;
use crate::plumbing::{is_frame_of_start, is_system_module};
use whyslow_query::stacks::Stacks;

/// A place in a program.
///
/// Of the system's libraries only the function the program called is named; frames every
/// program has at its start are left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Functions from the root on.
    Functions {
        /// Their names.
        names: Vec<String>,
        /// Whether there are more before them.
        cut: bool,
    },
    /// No function of the program is known.
    Unnamed {
        /// The system call.
        call: Option<String>,
        /// Why no function is known.
        why: &'static str,
    },
}

impl Place {
    /// A single function.
    pub(crate) fn function(name: &str) -> Self {
        Self::Functions {
            names: vec![name.to_owned()],
            cut: false,
        }
    }

    /// Returns the functions, from the root on.
    #[must_use]
    pub fn functions(&self) -> &[String] {
        match self {
            Self::Functions { names, .. } => names,
            Self::Unnamed { .. } => &[],
        }
    }

    /// Returns whether it names a function of the user's own code.
    #[must_use]
    pub fn is_own(&self) -> bool {
        !self.functions().is_empty()
    }

    /// Returns it with whole names.
    #[must_use]
    pub fn full(&self) -> String {
        self.to_string()
    }

    /// Returns the place of a stack: the functions nearest to the leaf.
    pub(crate) fn of(stacks: &Stacks, stack: Option<StackId>) -> Arc<Self> {
        const MOST: usize = 4;
        let (tree, frames) = (&stacks.tree, &stacks.frames);
        let known = stacks.has_user_half(stack);
        let user = tree
            .path(tree.node(stack))
            .filter(|&node| !tree.kernel[node as usize]);
        let functions = user.flat_map(|node| tree.functions(node));
        let functions = functions.map(|&id| frames.function(id));
        let mut names: Vec<String> = Vec::new();
        let mut in_system = true;
        for function in functions.filter(|f| known && f.resolved && !is_frame_of_start(&f.name)) {
            let system = is_system_module(&function.module);
            if in_system && system {
                names.clear();
            }
            in_system &= system;
            let name = plain_name(&function.name);
            if names.last().is_none_or(|last| *last != name) {
                names.push(name.into_owned());
            }
        }
        if names.is_empty() {
            let call = system_call(stacks, stack).map(str::to_owned);
            let why = match known {
                true => "no function known",
                false => "user half not recorded",
            };
            return Arc::new(Self::Unnamed { call, why });
        }
        let cut = names.len() > MOST;
        names.truncate(MOST);
        names.reverse();
        Arc::new(Self::Functions { names, cut })
    }
}

impl fmt::Display for Place {
    /// Writes `main → read_config → fsync`, or `[fsync, user half not recorded]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Functions { names, cut } => {
                let before = if *cut { "… → " } else { "" };
                write!(f, "{before}{}", names.join(" → "))
            }
            Self::Unnamed {
                call: Some(call),
                why,
            } => write!(f, "[{call}, {why}]"),
            Self::Unnamed { call: None, why } => write!(f, "[{why}]"),
        }
    }
}

/// Returns the system call a stack is in, or `page fault`.
fn system_call(stacks: &Stacks, stack: Option<StackId>) -> Option<&str> {
    const PREFIXES: [&str; 5] = [
        "__x64_sys_",
        "__arm64_sys_",
        "__ia32_sys_",
        "__do_sys_",
        "__se_sys_",
    ];
    let (tree, frames) = (&stacks.tree, &stacks.frames);
    let nodes = tree
        .path(tree.node(stack))
        .filter(|&node| tree.kernel[node as usize]);
    let mut functions = nodes.flat_map(|node| tree.functions(node));
    functions.find_map(|&id| {
        let name = &*frames.function(id).name;
        let call = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix));
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
