//! Where in the program a stack is.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use whyslow_model::{FastMap, StackId};
use whyslow_query::frames::FunctionId;
use whyslow_query::stacks::Stacks;

use crate::code::{Code, Whose};

/// The most functions that are shown.
const SHOWN: usize = 3;

/// The most functions that are kept.
const KEPT: usize = 8;

/// A place in a program.
///
/// The user's own functions nearest to the leaf are shown, and what they called of a library.
/// Two places are the same if they are shown alike.
#[derive(Debug, Clone)]
pub struct Place {
    /// What is shown, from the root on.
    shown: Vec<String>,
    /// Where in its source the user's own function nearest to the leaf is, and which of those shown
    /// that is. If places are the same, it is that of one of them.
    source: Option<(usize, String)>,
    /// The functions nearest to the leaf, from the root on.
    frames: Vec<Frame>,
    /// Why no function is known.
    unnamed: Option<Unnamed>,
}

/// A function on the stack.
#[derive(Debug, Clone)]
struct Frame {
    short: String,
    full: Arc<str>,
    /// Whether it is of the program itself, not of a library.
    is_own: bool,
    /// Whether it is the user's, not of a program that came with the system.
    is_users: bool,
    /// Its module, if the function has no name.
    nameless_in: Option<Arc<str>>,
    /// File and line.
    source: Option<String>,
}

/// A place without functions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Unnamed {
    /// The system call.
    call: Option<String>,
    why: &'static str,
}

impl Place {
    /// A single function.
    pub fn function(name: &str) -> Self {
        Self::of_frames(vec![Frame {
            short: name.to_owned(),
            full: name.into(),
            is_own: false,
            is_users: false,
            nameless_in: None,
            source: None,
        }])
    }

    /// Returns the functions: the user's own first, nearest to the leaf first.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        let frames = || self.frames.iter().rev();
        let own = frames().filter(|frame| frame.is_own);
        let others = frames().filter(|frame| !frame.is_own);
        own.chain(others).map(|frame| frame.short.as_str())
    }

    /// Returns whether any function is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.unnamed.is_none()
    }

    /// Returns whether it names a function of the user's own code, not only of a program that came
    /// with the system.
    #[must_use]
    pub fn is_users(&self) -> bool {
        self.frames.iter().any(|frame| frame.is_users)
    }

    /// Returns whether it names a function of the program itself, not only functions of libraries and runtimes.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.frames.iter().any(|frame| frame.is_own)
    }

    /// Returns the module of the user's own code that lacks function names, if the place is in one.
    #[must_use]
    pub fn nameless_module(&self) -> Option<&str> {
        let mut own = self.frames.iter().rev().filter(|frame| frame.is_own);
        own.next()?.nameless_in.as_deref()
    }

    /// Returns it with full names, as in the tables.
    #[must_use]
    pub fn full(&self) -> String {
        match self.is_known() {
            true => joined(self.frames.iter().map(|frame| &*frame.full)),
            false => self.to_string(),
        }
    }

    /// Returns the place of a stack.
    pub fn of(code: &Code<'_>, stack: Option<StackId>) -> Arc<Self> {
        let stacks = code.stacks;
        let (tree, frames) = (&stacks.tree, &stacks.frames);
        let known = stacks.has_user_half(stack);
        let user = tree
            .path(tree.node(stack))
            .filter(|&node| known && !tree.kernel[node as usize]);
        let functions =
            user.flat_map(|node| tree.functions(node).iter().map(move |&id| (node, id)));
        let functions = functions.take_while(|&(_, id)| !code.is_begin_of_fork(id));
        let functions = told(code, functions.collect());
        // Without the user's own code, the package that uses all the others is the program.
        let program = match functions.iter().any(|&(_, id)| code.whose(id).is_own()) {
            true => None,
            false => functions.iter().rev().find_map(|&(_, id)| code.package(id)),
        };
        let mut found: Vec<Frame> = functions
            .iter()
            .filter_map(|&(node, id)| match frames.function(id).resolved {
                true => Frame::of(code, id).map(|frame| Frame {
                    source: code.source(node, id),
                    is_own: frame.is_own || program.is_some() && code.package(id) == program,
                    ..frame
                }),
                false => Frame::nameless(code, node, id),
            })
            .collect();
        found.reverse();
        let place = Self::of_frames(found);
        if place.is_known() {
            return Arc::new(place);
        }
        let why = match known {
            true => "no function known",
            false => "user half not recorded",
        };
        let call = system_call(stacks, stack).map(str::to_owned);
        let unnamed = Some(Unnamed { call, why });
        Arc::new(Self { unnamed, ..place })
    }

    /// Returns the place that functions, from the root on, lead to.
    pub fn of_functions(code: &Code<'_>, functions: &[FunctionId]) -> Self {
        let frames = functions.iter().filter_map(|&id| Frame::of(code, id));
        Self::of_frames(frames.collect())
    }

    /// Returns it with the file and line of the user's own function nearest to the leaf.
    pub fn at(mut self, source: Option<String>) -> Self {
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| frame.is_own) {
            frame.source = source;
            return Self::of_frames(self.frames);
        }
        self
    }

    /// Returns it without what the user's own code called of a library, if it names any of that code.
    pub fn own(&self) -> Self {
        match self.frames.iter().rposition(|frame| frame.is_own) {
            Some(last) => Self::of_frames(self.frames[..=last].to_vec()),
            None => self.clone(),
        }
    }

    /// `frames` are from the root on.
    fn of_frames(mut frames: Vec<Frame>) -> Self {
        // Of equal neighbors, the one nearest to the leaf stays.
        frames.reverse();
        frames.dedup_by(|next, kept| next.is_like(kept));
        frames.reverse();
        let last_own = frames.iter().rposition(|frame| frame.is_own);
        let calls = last_own.map_or(0, |at| at + 1);
        if last_own.is_some() {
            // What the user's code called, not how a library does it.
            frames.truncate(calls + 1);
        }
        let (before, called) = frames.split_at(calls);
        let mut own: Vec<&Frame> = before.iter().filter(|frame| frame.is_own).collect();
        // A library may call a function's closure.
        own.dedup_by(|next, kept| next.is_like(kept));
        let room = SHOWN - called.len().min(SHOWN);
        let own = own.iter().skip(own.len().saturating_sub(room)).copied();
        let called = called.iter().skip(called.len().saturating_sub(SHOWN));
        let own: Vec<&Frame> = own.collect();
        let source = own.last().and_then(|frame| frame.source.clone());
        let source = own.len().checked_sub(1).zip(source);
        let shown = own
            .into_iter()
            .chain(called)
            .map(|frame| frame.short.clone())
            .collect();
        let frames = frames.split_off(frames.len().saturating_sub(KEPT));
        let unnamed = frames.is_empty().then_some(Unnamed {
            call: None,
            why: "no function known",
        });
        Self {
            shown,
            source,
            frames,
            unnamed,
        }
    }
}

impl Frame {
    /// Returns the frame of a function; `None` if every program has it.
    fn of(code: &Code<'_>, id: FunctionId) -> Option<Self> {
        let function = code.stacks.frames.function(id);
        let whose = code.whose(id);
        (function.resolved && whose != Whose::Start).then(|| Self {
            short: code.name(id).into_owned(),
            full: Arc::clone(&function.name),
            is_own: whose.is_own(),
            is_users: whose == Whose::Own,
            nameless_in: None,
            source: None,
        })
    }

    /// Returns the frame of an address of the user's own code that has no name.
    fn nameless(code: &Code<'_>, node: u32, id: FunctionId) -> Option<Self> {
        let whose = code.whose(id);
        if !whose.is_own() {
            return None;
        }
        let short = code.nameless(node, id)?;
        let full = short.as_str().into();
        Some(Self {
            short,
            full,
            is_own: true,
            is_users: whose == Whose::Own,
            nameless_in: Some(Arc::clone(&code.stacks.frames.function(id).module)),
            source: None,
        })
    }

    /// Returns whether two neighbors say the same: a function and its closure, or two addresses in a
    /// module without names.
    fn is_like(&self, other: &Self) -> bool {
        let nameless = self.nameless_in.is_some() && self.nameless_in == other.nameless_in;
        self.short == other.short || nameless
    }
}

/// Returns the functions of a stack, leaf first, that tell where it is, without the user's own code: those of a language
/// that an interpreter runs, and what they called of the interpreter, not how it does that.
fn told(code: &Code<'_>, functions: Vec<(u32, FunctionId)>) -> Vec<(u32, FunctionId)> {
    let is_told = |id: FunctionId| code.whose(id) != Whose::Start;
    let source = functions.iter().position(|&(_, id)| code.is_source(id));
    let has_own = functions.iter().any(|&(_, id)| code.whose(id).is_own());
    let Some(source) = source.filter(|_| !has_own) else {
        return functions;
    };
    let called = functions[..source].iter().rev();
    let called = called.copied().find(|&(_, id)| is_told(id));
    let of_source = functions[source..].iter().copied();
    let of_source = of_source.filter(|&(_, id)| code.is_source(id));
    called.into_iter().chain(of_source).collect()
}

/// Returns the name of a function without the line that distinguishes it, if `source` already gives that line.
fn without_line<'a>(name: &'a str, source: &str) -> &'a str {
    let line = source.rfind(':').and_then(|at| source.get(at..));
    line.and_then(|line| name.strip_suffix(line))
        .unwrap_or(name)
}

fn joined<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(" → ")
}

impl fmt::Display for Place {
    /// Writes `read_config → fsync`, or `[fsync, user half not recorded]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.unnamed {
            None => {
                for (at, name) in self.shown.iter().enumerate() {
                    let arrow = if at > 0 { " → " } else { "" };
                    match &self.source {
                        Some((of, source)) if *of == at => {
                            write!(f, "{arrow}{} ({source})", without_line(name, source))?;
                        }
                        _ => write!(f, "{arrow}{name}")?,
                    }
                }
                Ok(())
            }
            Some(Unnamed {
                call: Some(call),
                why,
            }) => write!(f, "[{call}, {why}]"),
            Some(Unnamed { call: None, why }) => write!(f, "[{why}]"),
        }
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Place {}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.shown, &self.unnamed).cmp(&(&other.shown, &other.unnamed))
    }
}

/// Returns the system call a stack is in, or `page fault`.
pub fn system_call(stacks: &Stacks, stack: Option<StackId>) -> Option<&str> {
    system_call_at(stacks, stacks.tree.node(stack))
}

/// Returns the same of the stack that ends in a node of the tree.
pub fn system_call_at(stacks: &Stacks, node: u32) -> Option<&str> {
    const PREFIXES: [&str; 5] = [
        "__x64_sys_",
        "__arm64_sys_",
        "__ia32_sys_",
        "__do_sys_",
        "__se_sys_",
    ];
    let (tree, frames) = (&stacks.tree, &stacks.frames);
    let nodes = tree.path(node).filter(|&node| tree.kernel[node as usize]);
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
        call.or(wait).or(ksys).or(fault.then_some(PAGE_FAULT))
    })
}

/// Used in place of a system call where a page of memory was missing.
pub const PAGE_FAULT: &str = "page fault";

/// Calls whose purpose is to wait: waiting in them is not the cost of another call.
const WAITING: &[&str] = &[
    "futex",
    "futex_wait",
    "futex_waitv",
    "poll",
    "ppoll",
    "select",
    "pselect6",
    "epoll_wait",
    "epoll_pwait",
    "epoll_pwait2",
    "nanosleep",
    "clock_nanosleep",
    "pause",
    "rt_sigsuspend",
    "rt_sigtimedwait",
    "wait4",
    "waitid",
    "accept",
    "accept4",
    "connect",
    "recvfrom",
    "recvmsg",
    "io_getevents",
    "io_pgetevents",
    "io_uring_enter",
    "flock",
    "fsync",
    "fdatasync",
    "msync",
    PAGE_FAULT,
];

/// Finds the stacks inside calls whose purpose is to wait.
#[derive(Debug)]
pub struct WaitingCalls<'a> {
    stacks: &'a Stacks,
    known: FastMap<u32, bool>,
}

impl<'a> WaitingCalls<'a> {
    /// Prepares for frames of `stacks`.
    pub fn new(stacks: &'a Stacks) -> Self {
        Self {
            stacks,
            known: FastMap::default(),
        }
    }

    /// Returns whether a stack is one of them; one that was not recorded is not.
    pub fn has(&mut self, stack: Option<StackId>) -> bool {
        if stack.is_none() {
            return false;
        }
        let stacks = self.stacks;
        let known = self.known.entry(stacks.tree.node(stack));
        *known.or_insert_with(|| {
            system_call(stacks, stack).is_some_and(|call| WAITING.contains(&call))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: &str, is_own: bool) -> Frame {
        Frame {
            short: name.to_owned(),
            full: format!("crate::{name}").into(),
            is_own,
            is_users: is_own,
            nameless_in: None,
            source: None,
        }
    }

    fn place(own: &str, library: &str) -> Place {
        let own = own.split_whitespace().map(|name| frame(name, true));
        let library = library.split_whitespace().map(|name| frame(name, false));
        Place::of_frames(own.chain(library).collect())
    }

    #[test]
    fn the_users_functions_come_first_then_what_they_called() {
        let sync = place("main serve append", "sync_all fsync fsync_nocancel");
        assert_eq!(sync.to_string(), "serve → append → sync_all");
        assert!(sync.functions().eq(["append", "serve", "main", "sync_all"]));
        assert_eq!(
            sync.full(),
            "crate::main → crate::serve → crate::append → crate::sync_all"
        );
        assert_eq!(
            place("main load parse skip", "").to_string(),
            "load → parse → skip"
        );
        assert_eq!(place("", "a b c d").to_string(), "b → c → d");
        assert!(!place("", "a b").is_users() && !place("", "").is_known());
    }

    #[test]
    fn the_line_is_of_the_users_function_nearest_to_the_leaf() {
        let mut frames: Vec<Frame> = ["main", "load", "sleep"]
            .map(|name| frame(name, name != "sleep"))
            .into();
        for (line, frame) in (1..).zip(&mut frames) {
            frame.source = Some(format!("job.py:{line}"));
        }
        let place = Place::of_frames(frames);
        assert_eq!(place.to_string(), "main → load (job.py:2) → sleep");
        let moved = place.clone().at(Some("job.py:9".to_owned()));
        assert_eq!(moved.to_string(), "main → load (job.py:9) → sleep");
        assert!(moved == place);
    }

    #[test]
    fn a_line_that_tells_functions_apart_is_shown_once() {
        let at = |line: &str| {
            let place = place("main (anonymous):5", "send");
            place.at(Some(format!("app.js:{line}"))).to_string()
        };
        assert_eq!(at("5"), "main → (anonymous) (app.js:5) → send");
        assert_eq!(at("15"), "main → (anonymous):5 (app.js:15) → send");
    }

    #[test]
    fn neighbors_alike_are_one() {
        assert_eq!(place("main run run", "").to_string(), "main → run");
        let called_back = ["run", "map", "run"].map(|name| frame(name, name == "run"));
        assert_eq!(Place::of_frames(called_back.to_vec()).to_string(), "run");
        let nameless = |name: &str| Frame {
            nameless_in: Some("tool".into()),
            ..frame(name, true)
        };
        let frames = vec![
            nameless("tool+0x10"),
            nameless("tool+0x20"),
            frame("read", false),
        ];
        let place = Place::of_frames(frames);
        assert_eq!(place.to_string(), "tool+0x20 → read");
        assert_eq!(place.nameless_module(), Some("tool"));
    }
}
