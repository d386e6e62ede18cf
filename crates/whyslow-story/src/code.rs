//! Whose code a function is: the user's own, a library's, or what starts programs and threads.
//!
//! The user's own modules are the programs of the command, and what lies outside the system's
//! directories: a working tree, a virtual environment, the application of a container. Within
//! them a function is a library's if its name says so: Rust's and C++'s standard libraries, Go's
//! packages, other crates than the one with `main`.

mod modules;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::tables::{AddressRow, StackRow};
use whyslow_model::{AddressId, tables};
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::frames::{Function, FunctionId};
use whyslow_query::stacks::Stacks;

use crate::command::Command;
use modules::{OwnModules, is_interpreter};
use whyslow_names::{
    c_library_name, is_c_library, is_frame_of_interpreter, is_frame_of_java, is_frame_of_start,
    plain_name,
};

/// Whose code a function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The user's.
    Own,
    /// A program of the system that the user runs.
    Program,
    /// A library's.
    Library,
    /// Every program has it at its start.
    Start,
}

/// The name for code that a runtime generated and did not name.
const GENERATED: &str = "generated code";

/// Returns whether a module is the code that a runtime generated in a process, named as in perf's maps.
#[must_use]
pub fn is_generated(module: &str) -> bool {
    module.starts_with("perf-") && module.ends_with(".map")
}

/// The function in which a process of Python's multiprocessing begins, and its files there and in what was made from it.
/// In other languages, and after `os.fork`, a forked process goes on in the function that forked: what it does then is
/// called from there.
const BEGIN_OF_FORK: &str = "BaseProcess._bootstrap";
const FILES_OF_FORK: [&str; 3] = [
    "multiprocessing/process.py",
    "billiard/process.py",
    "multiprocess/process.py",
];

/// The functions of the recording, as the user sees them.
#[derive(Debug)]
pub struct Code<'a> {
    /// Stacks of the extract.
    pub stacks: &'a Stacks,
    /// By function.
    whose: Vec<Whose>,
    modules: OwnModules,
    /// Crates with a `main`.
    crates: BTreeSet<String>,
    /// By node of the tree of stacks.
    addresses: Vec<Option<AddressId>>,
    /// By address.
    offsets: Vec<i64>,
}

impl<'a> Code<'a> {
    /// Looks at all functions.
    pub fn read(
        view: View<'_>,
        facts: &Facts,
        command: &Command,
        stacks: &'a Stacks,
    ) -> Result<Self, QueryError> {
        let modules = OwnModules::read(view, facts, command)?;
        let functions = &stacks.frames.functions;
        // A Rust program's own crates say nothing about a C++ program beside it.
        let mut by_module: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for function in functions.iter().filter(|one| modules.has(&one.module)) {
            if let Some(own) = crate_of_main(&function.name) {
                by_module.entry(&function.module).or_default().insert(own);
            }
        }
        let none = BTreeSet::new();
        let whose = functions.iter().map(|function| {
            let crates = by_module.get(&*function.module).unwrap_or(&none);
            whose(function, &modules, crates)
        });
        let whose = whose.collect();
        let crates = by_module.into_values().flatten().collect();
        let nodes = view.read(&tables::STACK, &[StackRow::address.name()])?;
        let addresses = StackRow::address.values(&nodes).iter().collect();
        let rows = view.read(&tables::ADDRESS, &[AddressRow::rva.name()])?;
        let offsets = AddressRow::rva.values(&rows).iter().collect();
        Ok(Self {
            stacks,
            whose,
            modules,
            crates,
            addresses,
            offsets,
        })
    }

    /// Returns whether a file is a program, a library, or something that the system maps for them.
    pub fn is_module(&self, path: &str) -> bool {
        self.modules.is_module(path)
    }

    /// Returns whose code a function is.
    pub fn whose(&self, id: FunctionId) -> Whose {
        let whose = self.whose.get(id as usize);
        whose.copied().unwrap_or(Whose::Library)
    }

    /// Returns whether a forked process begins in a function: what is above it on the stack is where its parent was.
    pub fn is_begin_of_fork(&self, id: FunctionId) -> bool {
        let function = self.stacks.frames.function(id);
        let is_in = |file: &&str| function.module.ends_with(*file);
        function.name.ends_with(BEGIN_OF_FORK) && FILES_OF_FORK.iter().any(is_in)
    }

    /// Returns a function's name as people write it; a function without a name is named after its
    /// module.
    pub fn name(&self, id: FunctionId) -> Cow<'_, str> {
        let function = self.stacks.frames.function(id);
        if !function.resolved {
            return match &*function.module {
                "" => Cow::Borrowed(&function.name),
                module => Cow::Owned(format!("{module} (no symbols)")),
            };
        }
        if self.modules.is_source(&function.module) {
            return Cow::Owned(function.name.replace("<locals>.", ""));
        }
        let name = plain_name(&function.name);
        if is_c_library(&function.module) {
            return match name {
                Cow::Borrowed(name) => Cow::Borrowed(c_library_name(name)),
                Cow::Owned(name) => Cow::Owned(c_library_name(&name).to_owned()),
            };
        }
        match name.split_once("::") {
            Some((own, rest)) if self.crates.contains(own) => Cow::Owned(rest.to_owned()),
            _ => name,
        }
    }

    /// Returns the file of a function's source, if an interpreter runs it from there.
    pub fn source_file(&self, id: FunctionId) -> Option<&str> {
        let module = &self.stacks.frames.function(id).module;
        self.modules.is_source(module).then_some(&**module)
    }

    /// Returns the file of compiled code that a function is in. The C library and interpreters are left out: they say
    /// nothing about what a program does.
    pub fn native_module(&self, id: FunctionId) -> Option<&str> {
        let module = &*self.stacks.frames.function(id).module;
        let is_one = !module.is_empty() && !is_c_library(module) && !is_interpreter(module);
        let is_code = self.modules.is_source(module) || is_generated(module);
        (is_one && !is_code).then_some(module)
    }

    /// Returns the file and the line of a function's source at a node of the tree of stacks, where that
    /// was recorded.
    pub fn source(&self, node: u32, id: FunctionId) -> Option<String> {
        let module = &self.stacks.frames.function(id).module;
        if !self.modules.is_source(module) {
            return None;
        }
        let address = (*self.addresses.get(node as usize)?)?;
        let line = *self.offsets.get(address.index())?;
        (line > 0).then(|| format!("{module}:{line}"))
    }

    /// Returns whether a function is of a file of source that an interpreter runs.
    pub fn is_source(&self, id: FunctionId) -> bool {
        self.modules
            .is_source(&self.stacks.frames.function(id).module)
    }

    /// Returns the installed package of an interpreter's language that a function belongs to.
    pub fn package(&self, id: FunctionId) -> Option<&str> {
        self.modules
            .package(&self.stacks.frames.function(id).module)
    }

    /// Returns the substitute for a missing function name: in the user's own modules the module and the offset
    /// there. Nobody looks up offsets in a program of the system or in generated code.
    pub fn nameless(&self, node: u32, id: FunctionId) -> Option<String> {
        let module = &self.stacks.frames.function(id).module;
        if is_generated(module) {
            return Some(GENERATED.to_owned());
        }
        if self.whose(id) == Whose::Program {
            return (!module.is_empty()).then(|| module.to_string());
        }
        let address = (*self.addresses.get(node as usize)?)?;
        let offset = *self.offsets.get(address.index())?;
        (!module.is_empty()).then(|| format!("{module}+{offset:#x}"))
    }
}

/// Functions in which PostgreSQL waits for anything: their callers say what for.
const WAITS_OF_SERVERS: [&str; 3] = ["WaitLatch", "WaitLatchOrSocket", "WaitEventSetWait"];

fn whose(function: &Function, modules: &OwnModules, crates: &BTreeSet<String>) -> Whose {
    if modules.is_source(&function.module) && !is_frame_of_java(&function.name) {
        return match modules.has(&function.module) {
            // Part of the function around it, whatever goes through its items.
            true if is_comprehension(&function.name) => Whose::Start,
            true => Whose::Own,
            false => Whose::Library,
        };
    }
    let of_interpreter = modules.has_source()
        && is_interpreter(&function.module)
        && is_frame_of_interpreter(&function.name);
    let calls_only = of_interpreter || is_frame_of_java(&function.name);
    if calls_only || is_frame_of_start(&function.name) {
        return Whose::Start;
    }
    if !modules.has(&function.module) {
        return Whose::Library;
    }
    let name = &*function.name;
    let of_library = match crate_of(name) {
        Some(of) if !crates.is_empty() && modules.is_program(&function.module) => {
            !crates.iter().any(|own| belongs(of, own))
        }
        Some(of) => LIBRARIES.contains(&of),
        None => is_of_runtime(name) || WAITS_OF_SERVERS.contains(&name),
    };
    match (of_library, modules.is_of_system(&function.module)) {
        (true, _) => Whose::Library,
        (false, true) => Whose::Program,
        (false, false) => Whose::Own,
    }
}

/// Returns whether a function of Python is an expression that makes the items of another one.
fn is_comprehension(name: &str) -> bool {
    const KINDS: [&str; 4] = ["<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>"];
    KINDS.iter().any(|kind| name.ends_with(kind))
}

impl Whose {
    /// Returns whether it is of the program itself, not of a library.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Own | Self::Program)
    }
}

/// Returns whether a crate is `own` or a part of the same project, such as `notes_index` of
/// `notes`.
fn belongs(of: &str, own: &str) -> bool {
    let part = |long: &str, short: &str| {
        let rest = long.strip_prefix(short);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    part(of, own) || part(own, of)
}

/// Crates and name spaces that are never the user's own.
const LIBRARIES: &[&str] = &[
    "std",
    "core",
    "alloc",
    "hashbrown",
    "__rustc",
    "rayon",
    "rayon_core",
    "crossbeam_epoch",
    "tokio",
    "parking_lot",
    "parking_lot_core",
    "__gnu_cxx",
    "__cxxabiv1",
    "boost",
];

/// Returns the crate or outermost name space of a function; `None` if it has none.
fn crate_of(name: &str) -> Option<&str> {
    if let Some((kind, of_trait)) = implemented(name)
        && is_without_crate(kind)
    {
        return of_trait.map_or(Some("core"), crate_of);
    }
    let inner = name.trim_start_matches(['<', '&', '*', '_']);
    let inner = ["mut ", "dyn ", "impl "].iter().fold(inner, |inner, word| {
        inner.strip_prefix(word).unwrap_or(inner)
    });
    let (first, _) = inner.split_once("::")?;
    // A type without a crate of its own, such as `u8` or `[T]`, counts as the trait's crate.
    let first = first.rsplit_once(" as ").map_or(first, |(_, of)| of);
    let plain = !first.is_empty()
        && first
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_');
    plain.then_some(first)
}

/// Returns the type, and the trait, if there is one, of a function in an implementation: `[u8]` of
/// `<[u8]>::to_vec`, `u8` and `app::Total` of `<u8 as app::Total>::total`.
fn implemented(name: &str) -> Option<(&str, Option<&str>)> {
    let inner = name.strip_prefix('<')?;
    let (mut depth, mut before, mut of_trait) = (0_u32, ' ', None);
    for (at, letter) in inner.char_indices() {
        match letter {
            '<' | '[' | '(' => depth = depth.saturating_add(1),
            '>' if before == '-' => {}
            '>' if depth == 0 => {
                let is_function = inner.get(at + 1..)?.starts_with("::");
                let kind = inner.get(..of_trait.unwrap_or(at))?;
                let of_trait = of_trait.and_then(|from| inner.get(from + AS.len()..at));
                return is_function.then_some((kind, of_trait));
            }
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 && inner.get(at..)?.starts_with(AS) => {
                of_trait = of_trait.or(Some(at));
            }
            _ => {}
        }
        before = letter;
    }
    None
}

const AS: &str = " as ";

/// Returns whether a type is of the language itself: only its own libraries implement functions of such a type,
/// and traits of any crate.
fn is_without_crate(kind: &str) -> bool {
    const NUMBERS: [&str; 17] = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64", "bool", "char", "str",
    ];
    kind.starts_with(['[', '*']) || NUMBERS.contains(&kind)
}

/// Returns the crate if the function is its `main`.
fn crate_of_main(name: &str) -> Option<String> {
    let own = name.strip_suffix("::main")?;
    let plain = own.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (plain && !LIBRARIES.contains(&own)).then(|| own.to_owned())
}

/// Returns whether a name with dots is of Go's or Java's own packages, or Python's own modules.
fn is_of_runtime(name: &str) -> bool {
    const PACKAGES: &[&str] = &[
        "runtime",
        "sync",
        "syscall",
        "os",
        "io",
        "net",
        "internal",
        "bufio",
        "bytes",
        "strings",
        "strconv",
        "sort",
        "fmt",
        "encoding",
        "reflect",
        "time",
        "math",
        "crypto",
        "compress",
        "hash",
        "unicode",
        "regexp",
        "context",
        "log",
        "path",
        "container",
        "slices",
        "maps",
        "type:",
        "java",
        "javax",
        "jdk",
        "sun",
    ];
    if let Some(place) = name.strip_prefix("py::") {
        return place.contains(":<frozen") || place.contains("/lib/python");
    }
    match name.find(['.', '/']) {
        Some(at) => PACKAGES.contains(&&name[..at]),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_by_name() {
        assert_eq!(crate_of("std::fs::File::open"), Some("std"));
        assert_eq!(
            crate_of("<alloc::vec::Vec<T> as Clone>::clone"),
            Some("alloc")
        );
        assert_eq!(crate_of("<&mut app::It as Iterator>::next"), Some("app"));
        assert_eq!(
            crate_of("<u8 as core::iter::traits::accum::Sum>::sum"),
            Some("core")
        );
        assert_eq!(crate_of("<[T] as app::Total>::total"), Some("app"));
        for of_language in [
            "<[u8]>::to_vec_in::<alloc::alloc::Global>",
            "<[app::Order]>::to_vec",
            "<*const u8>::copy_to_nonoverlapping",
            "<u8 as <[_]>::to_vec_in::ConvertVec>::to_vec::<alloc::alloc::Global>",
            "<str>::find::<fn(char) -> bool>",
        ] {
            assert_eq!(crate_of(of_language), Some("core"), "{of_language}");
        }
        let of_own = "<[app::Order] as app::Total>::total";
        assert_eq!(crate_of(of_own), Some("app"));
        assert_eq!(crate_of("<module>"), None);
        assert_eq!(crate_of("append_record"), None);
        assert_eq!(
            crate_of_main("notes_index::main").as_deref(),
            Some("notes_index")
        );
        assert_eq!(crate_of_main("notes_index::x::main"), None);
        assert!(belongs("notes_index", "notes") && belongs("notes", "notes_index"));
        assert!(!belongs("notesindex", "notes"));
    }

    #[test]
    fn code_that_was_made_at_run_time() {
        assert!(is_generated("perf-4711.map"));
        assert!(!is_generated("perf") && !is_generated("shop.map"));
    }

    #[test]
    fn packages_of_runtimes() {
        for name in [
            "runtime.mallocgc",
            "internal/poll.(*FD).Read",
            "java.util.HashMap.get",
        ] {
            assert!(is_of_runtime(name), "{name}");
        }
        for name in [
            "main.work",
            "github.com/x/y.F",
            "append",
            "py::f:/home/me/x.py",
        ] {
            assert!(!is_of_runtime(name), "{name}");
        }
    }
}
