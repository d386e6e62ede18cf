//! What the command computed: classes of work, by rules over the functions on its stacks.
//!
//! The rules are a text file (`rules/work.rules`) that people can read and extend.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use whyslow_model::ThreadId;

use whyslow_query::call_tree::StackWeight;
use whyslow_query::frames::{Function, FunctionId};
use whyslow_query::wait::{ClassId, Nature, Rules, WaitClass};

use crate::callees;
use crate::code::{Code, Whose, is_generated};
use crate::copies;

static SHIPPED: &str = include_str!("../rules/work.rules");

/// Returns the rules.
pub fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| Rules::parse(SHIPPED).unwrap_or_else(|_| Rules::none()))
}

/// Samples of one class of work.
#[derive(Debug)]
pub struct Work {
    /// The class; its phrase finishes the sentence "it …".
    pub class: &'static WaitClass,
    /// Time computed, nanoseconds.
    pub ns: i64,
    /// The threads that did it.
    pub threads: BTreeMap<ThreadId, i64>,
    /// The stacks.
    pub weights: Vec<(u32, StackWeight)>,
}

impl Work {
    fn new(class: ClassId) -> Self {
        Self {
            class: rules().class(class),
            ns: 0,
            threads: BTreeMap::new(),
            weights: Vec::new(),
        }
    }

    /// Adds the time of a stack; `threads`: the time of each thread on each stack.
    fn add(
        &mut self,
        (node, weight): (u32, StackWeight),
        threads: &BTreeMap<(u32, ThreadId), i64>,
    ) {
        self.ns += weight.ns;
        self.weights.push((node, weight));
        let of_node = (node, ThreadId(i32::MIN))..=(node, ThreadId(i32::MAX));
        for (&(_, thread), ns) in threads.range(of_node) {
            *self.threads.entry(thread).or_default() += ns;
        }
    }

    /// Returns both together, as work of the first one's class.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut threads = self.threads.clone();
        for (&thread, ns) in &other.threads {
            *threads.entry(thread).or_default() += ns;
        }
        Self {
            class: self.class,
            ns: self.ns + other.ns,
            threads,
            weights: [&self.weights[..], &other.weights[..]].concat(),
        }
    }

    /// Returns whether such work is what programs are for, so that it is not a cause.
    pub fn is_purpose(&self) -> bool {
        self.class.nature == Nature::Work
    }
}

/// Sorts stacks by kind of work, most first. `threads`: the time of each thread on each stack.
pub fn sorted(
    code: &Code<'_>,
    weights: &[(u32, StackWeight)],
    threads: &BTreeMap<(u32, ThreadId), i64>,
) -> Vec<Work> {
    let rules = rules();
    let mut by_function = BTreeMap::new();
    let mut works: BTreeMap<ClassId, Work> = BTreeMap::new();
    for &(node, weight) in weights {
        if let Some(class) = class_of(code, rules, &mut by_function, node) {
            let work = works.entry(class).or_insert_with(|| Work::new(class));
            work.add((node, weight), threads);
        }
    }
    if let Some(copies) = rules
        .find(DEEP_COPY)
        .and_then(|class| works.get_mut(&class))
    {
        let made = (copies.weights.as_slice(), copies.ns);
        for one in copies::freed(code, made, weights) {
            copies.add(one, threads);
        }
    }
    let mut works: Vec<Work> = works.into_values().collect();
    works.sort_by_key(|work| std::cmp::Reverse(work.ns));
    works
}

/// Returns the part of some work that was done within work of the class `outer`, which the same functions called;
/// `threads`: the time of each thread on each stack.
pub fn within(
    code: &Code<'_>,
    work: &Work,
    outer: &str,
    threads: &BTreeMap<(u32, ThreadId), i64>,
) -> Option<Work> {
    let rules = rules();
    let outer = rules.find(outer)?;
    let (tree, mut by_function) = (&code.stacks.tree, BTreeMap::new());
    let mut is_within = |node: u32| {
        let functions = tree.path(node).flat_map(|node| {
            let is_kernel = tree.kernel[node as usize];
            tree.functions(node).iter().map(move |&id| (id, is_kernel))
        });
        let mut says = functions.map(|(id, is_kernel)| {
            *by_function
                .entry(id)
                .or_insert_with(|| says(code, rules, id, is_kernel))
        });
        let ends = |one: &Says| match one {
            Says::Own => Some(false),
            Says::Class(class, _) => (*class == outer).then_some(true),
            _ => None,
        };
        says.find_map(|one| ends(&one)).unwrap_or(false)
    };
    let mut inner = Work::new(rules.find(&work.class.name)?);
    for &one in work.weights.iter().filter(|(node, _)| is_within(*node)) {
        inner.add(one, threads);
    }
    (inner.ns > 0).then_some(inner)
}

const DEEP_COPY: &str = "deep-copy";

/// Functions below which a process only starts or ends, beside those of the class `startup`.
const STARTS: &[&str] = &[
    "load_elf_binary",
    "begin_new_exec",
    "bprm_execve",
    "do_execveat_common",
    "do_exit",
    "exit_mmap",
    "ret_from_fork",
    "_dl_start",
    "_dl_sysdep_start",
    "Py_InitializeFromConfig",
    "pymain_init",
    "Py_FinalizeEx",
    "Threads::create_vm",
    "JNI_CreateJavaVM",
    "node::InitializeOncePerProcess",
    "runtime.schedinit",
    "runtime.rt0_go",
    "_rt0_amd64_linux",
    "_rt0_arm64_linux",
];

/// Those of them below which it does not start.
const ENDS: [&str; 4] = ["do_exit", "exit_mmap", "ret_from_fork", "Py_FinalizeEx"];

/// Recognizes the stacks on which a process only starts or ends.
#[derive(Debug)]
pub struct Starts<'a> {
    code: &'a Code<'a>,
    startup: Option<ClassId>,
    /// By function.
    known: BTreeMap<FunctionId, bool>,
}

impl<'a> Starts<'a> {
    /// Prepares for the functions of `code`.
    pub fn new(code: &'a Code<'a>) -> Self {
        Self {
            code,
            startup: rules().find("startup"),
            known: BTreeMap::new(),
        }
    }

    /// Returns whether the stack that ends in `node` is one of them: the user's own code that runs while a
    /// module is loaded counts for itself.
    pub fn has(&mut self, node: u32) -> bool {
        self.has_with(node, &[])
    }

    /// Returns whether a process only starts on the stack that ends in `node`. A kernel thread begins with a fork, too.
    pub fn begins(&mut self, node: u32) -> bool {
        self.has_with(node, &ENDS)
    }

    /// Returns whether a function of the stack says so that is not one of `without`.
    fn has_with(&mut self, node: u32, without: &[&str]) -> bool {
        let (tree, frames) = (&self.code.stacks.tree, &self.code.stacks.frames);
        let functions = tree.path(node).flat_map(|node| {
            let is_kernel = tree.kernel[node as usize];
            tree.functions(node).iter().map(move |&id| (id, is_kernel))
        });
        for (id, is_kernel) in functions {
            let starts = *self.known.entry(id).or_insert_with(|| {
                let name = &*frames.function(id).name;
                let class = rules().of_function(name).map(|(class, _)| class);
                (class.is_some() && class == self.startup)
                    || STARTS.contains(&name.split('.').next().unwrap_or(name))
            });
            if starts && !without.contains(&&*frames.function(id).name) {
                return true;
            }
            if !is_kernel && self.code.whose(id) == Whose::Own {
                return false;
            }
        }
        false
    }
}

/// What a function says about its stack.
#[derive(Debug, Clone, Copy)]
enum Says {
    /// It is work of this class: certainly, or only if nothing else says more.
    Class(ClassId, bool),
    /// The work is to load modules, unless it is a module's own code.
    Loads(ClassId),
    /// It is the user's own, so that what called it does not say what it does.
    Own,
    /// It may be the user's own: only what starts a runtime says what it does.
    Nameless,
    /// It is a function of an installed package, which may do the program's work while its module is loaded.
    OfPackage,
    Nothing,
}

/// Returns the kind of work of the stack that ends in `node`.
fn class_of(
    code: &Code<'_>,
    rules: &Rules,
    by_function: &mut BTreeMap<FunctionId, Says>,
    node: u32,
) -> Option<ClassId> {
    let tree = &code.stacks.tree;
    let functions = tree.path(node).flat_map(|node| {
        let is_kernel = tree.kernel[node as usize];
        tree.functions(node).iter().map(move |&id| (id, is_kernel))
    });
    let startup = rules.find("startup");
    let says = functions.map(|(id, is_kernel)| {
        *by_function
            .entry(id)
            .or_insert_with(|| says(code, rules, id, is_kernel))
    });
    first_class(says, startup)
}

/// Node's functions that load modules are in files of this folder.
const LOADERS: &str = "node:internal/modules/";

/// Returns what a function says about the stacks that it is on.
fn says(code: &Code<'_>, rules: &Rules, id: FunctionId, is_kernel: bool) -> Says {
    let (whose, function) = (code.whose(id), code.stacks.frames.function(id));
    let is_nameless = !function.resolved && is_generated(&function.module);
    match meant(rules, function, whose == Whose::Library) {
        Some((class, false)) if function.module.starts_with(LOADERS) => Says::Loads(class),
        Some((class, is_sure)) => Says::Class(class, is_sure),
        None if is_kernel => Says::Nothing,
        None if is_nameless => Says::Nameless,
        None if whose == Whose::Own => Says::Own,
        None if whose == Whose::Library && is_of_package(function) => Says::OfPackage,
        None => Says::Nothing,
    }
}

/// Returns whether it is a function in a file of an installed package of JavaScript: not one of Node's own, and not
/// the file's outermost code.
fn is_of_package(function: &Function) -> bool {
    let file = &*function.module;
    let is_script = [".js", ".cjs", ".mjs"]
        .iter()
        .any(|end| file.ends_with(end));
    is_script && !file.starts_with("node:") && &*function.name != "(top level)"
}

/// Returns the class of the function nearest to the leaf; `says` is in the order from there on. `startup`: the class
/// of starting and loading.
fn first_class(says: impl Iterator<Item = Says>, startup: Option<ClassId>) -> Option<ClassId> {
    let (mut weak, mut may_load, mut is_named) = (None, true, true);
    for one in says {
        match one {
            // What new memory costs is not what the work is for.
            Says::Class(class, true) if weak.is_some_and(is_memory) && is_purpose(class) => {}
            Says::Class(class, _) if !is_named && Some(class) != startup => {}
            Says::Class(class, true) => return Some(class),
            Says::Class(class, false) => weak = weak.or(Some(class)),
            Says::Loads(class) if may_load => weak = weak.or(Some(class)),
            Says::Own => break,
            Says::Nameless => (may_load, is_named) = (false, false),
            Says::OfPackage => may_load = false,
            Says::Loads(_) | Says::Nothing => {}
        }
    }
    weak
}

/// Returns whether a class of work is to get memory from the kernel.
fn is_memory(class: ClassId) -> bool {
    ["page-faults", "huge-pages"].contains(&rules().class(class).name.as_str())
}

/// Returns whether a class of work is what programs are for.
fn is_purpose(class: ClassId) -> bool {
    rules().class(class).nature == Nature::Work
}

/// Returns what a function means, and whether that is sure. A function of a library that is source code is
/// matched by its module, too, as `json.loads`.
fn meant(rules: &Rules, function: &Function, is_library: bool) -> Option<(ClassId, bool)> {
    let module = callees::module(&function.module).filter(|_| is_library);
    let qualified = module.map(|module| format!("{module}.{}", function.name));
    let by_module = qualified.and_then(|name| rules.of_function(&name));
    by_module.or_else(|| rules.of_function(&function.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_calls_the_users_own_code_does_not_say_what_it_does() {
        let class = |name: &str| rules().find(name).expect("a class");
        let regex = Says::Class(class("regex"), true);
        let copying = Says::Class(class("copying"), false);
        let of = |says: &[Says]| first_class(says.iter().copied(), Some(class("startup")));
        assert_eq!(of(&[Says::Nothing, regex, Says::Own]), Some(class("regex")));
        assert_eq!(of(&[Says::Own, regex]), None);
        let called_back = [copying, Says::Own, regex];
        assert_eq!(of(&called_back), Some(class("copying")));
        assert_eq!(of(&[copying, regex, Says::Own]), Some(class("regex")));
    }

    #[test]
    fn memory_that_a_purpose_needs_is_not_the_purpose() {
        let class = |name: &str| rules().find(name).expect("a class");
        let faults = Says::Class(class("page-faults"), false);
        let of = |says: &[Says]| first_class(says.iter().copied(), Some(class("startup")));
        let compresses = Says::Class(class("compression"), true);
        assert_eq!(of(&[faults, compresses]), Some(class("page-faults")));
        let copying = Says::Class(class("copying"), false);
        assert_eq!(of(&[copying, compresses]), Some(class("compression")));
        let parses = Says::Class(class("parse-json"), true);
        assert_eq!(of(&[faults, parses]), Some(class("parse-json")));
    }

    #[test]
    fn code_of_packages_and_without_a_name_is_not_loading() {
        let class = |name: &str| rules().find(name).expect("a class");
        let startup = class("startup");
        let (loads, starts) = (Says::Loads(startup), Says::Class(startup, false));
        let regex = Says::Class(class("regex"), true);
        let of = |says: &[Says]| first_class(says.iter().copied(), Some(startup));
        assert_eq!(of(&[Says::Nothing, loads, Says::Own]), Some(startup));
        assert_eq!(of(&[Says::OfPackage, loads]), None);
        assert_eq!(of(&[Says::Nameless, loads]), None);
        assert_eq!(of(&[Says::Nameless, regex]), None);
        // A runtime's own code has no names while it starts.
        assert_eq!(of(&[Says::Nameless, starts]), Some(startup));
        assert_eq!(of(&[regex, Says::OfPackage, loads]), Some(class("regex")));
        let function = |name: &str, module: &str| Function {
            name: name.into(),
            module: module.into(),
            resolved: true,
            language: None,
        };
        assert!(is_of_package(&function("lint", "eslint/lib/cli.js")));
        assert!(!is_of_package(&function(
            "(top level)",
            "eslint/lib/cli.js"
        )));
        assert!(!is_of_package(&function("readFileSync", "node:fs")));
        assert!(!is_of_package(&function("lint", "pylint/lint.py")));
    }

    #[test]
    fn functions_of_a_library_that_is_source_go_by_their_module() {
        let function = |name: &str, module: &str| Function {
            name: name.into(),
            module: module.into(),
            resolved: true,
            language: None,
        };
        let class = |function: Function, is_library| {
            let meant = meant(rules(), &function, is_library);
            meant.map(|(class, _)| rules().class(class).name.as_str())
        };
        let dumps = function("dumps", "json/__init__.py");
        assert_eq!(class(dumps.clone(), true), Some("parse-json"));
        let own = "a file of the user's own may have the name of a library's";
        assert_eq!(class(dumps, false), None, "{own}");
        assert_eq!(class(function("dumps", "marshal.py"), true), None);
        for (name, module, wanted) in [
            ("_deepcopy_dict", "copy.py", "deep-copy"),
            ("Logger.info", "logging/__init__.py", "logging"),
            ("_find_and_load", "<frozen importlib._bootstrap>", "startup"),
            ("_parse", "re/_parser.py", "regex"),
            ("PrettyPrinter._format", "pprint.py", "formatting"),
            ("TextWrapper._wrap_chunks", "textwrap.py", "formatting"),
            ("wrapSafe", "node:internal/modules/cjs/loader", "startup"),
            ("formatValue", "node:internal/util/inspect", "formatting"),
        ] {
            assert_eq!(class(function(name, module), true), Some(wanted));
        }
        let compiles = function(
            "SourceLoader.source_to_code",
            "<frozen importlib._bootstrap_external>",
        );
        assert_eq!(class(compiles, true), None, "no module is loaded");
        assert_eq!(class(function("copy", "copy.py"), true), None);
        assert_eq!(
            class(function("sub", "re/__init__.py"), true),
            Some("regex")
        );
    }

    /// Each class, and functions from the leaf on that tell it.
    fn told(all: &[(&str, &str)]) {
        let rules = rules();
        for (class, functions) in all {
            let functions: Vec<&str> = functions.split_whitespace().collect();
            let told = rules.classify(functions.iter().copied(), []);
            assert_eq!(rules.class(told).name, *class, "{functions:?}");
        }
    }

    #[test]
    fn functions_of_runtimes_tell_what_was_computed() {
        told(&[
            (
                "exceptions",
                "unicode_repr PyUnicode_FromFormatV _PyErr_FormatV PyErr_Format PyLong_FromUnicodeObject main",
            ),
            (
                "exceptions",
                "v8::internal::OptimizedFrame::Summarize v8::internal::Isolate::CaptureAndSetErrorStack work",
            ),
            (
                "exceptions",
                "java.lang.Throwable.fillInStackTrace java.lang.Throwable.<init> App.read",
            ),
            (
                "parse-date",
                "parse_digits parse_isoformat_time.constprop.0 datetime_fromisoformat work",
            ),
            (
                "parse-date",
                "icu_78::SimpleDateFormat::subFormat icu_78::DateFormat::format work",
            ),
            (
                "deep-copy",
                "v8::internal::ValueDeserializer::ReadObjectWrapper v8::ValueDeserializer::ReadValue work",
            ),
            (
                "formatting",
                "java.text.DecimalFormatSymbols.<init> java.util.Formatter.format java.lang.String.format App.row",
            ),
            (
                "reflection",
                "java.lang.PublicMethods$MethodList.filter java.lang.Class.getMethod App.call",
            ),
            // What a method called by its name does is not the cost of calling it so.
            ("other", "App.work java.lang.reflect.Method.invoke App.main"),
            ("boxing", "java.lang.Integer.valueOf App.count"),
            (
                "regex",
                "rb_thread_check_ints match_at onig_search rb_reg_search rb_vm_exec",
            ),
            (
                "copying",
                "Builtins_CreateDataProperty Builtins_CloneObjectIC_Slow Builtins_ArrayReduce",
            ),
            (
                "gc",
                "v8::internal::Heap::CollectGarbage Builtins_CloneObjectIC_Slow Builtins_ArrayReduce",
            ),
            (
                "copying",
                "v8::internal::JSReceiver::SetOrCopyDataProperties Builtin_ObjectAssign main",
            ),
        ]);
        let rules = rules();
        let of = |names: &[&str]| {
            let class = rules.classify(names.iter().copied(), []);
            rules.class(class).name.as_str()
        };
        let list = "<alloc::vec::Vec<T,A> as core::clone::Clone>::clone";
        let order = "<shop::Order as core::clone::Clone>::clone";
        let text = "<alloc::string::String as core::clone::Clone>::clone";
        let bytes = "<alloc::vec::Vec<u8> as core::clone::Clone>::clone";
        let reference = "<alloc::sync::Arc<T,A> as core::clone::Clone>::clone";
        assert_eq!(of(&["malloc", bytes, text, order, list]), "deep-copy");
        assert_eq!(of(&["malloc", bytes, text, list]), "deep-copy");
        // A text that becomes a key, and a reference, are no deep copies.
        assert_eq!(of(&["malloc", bytes, text, "shop::main"]), "small-copies");
        assert_eq!(of(&[reference, "shop::main"]), "small-copies");
    }

    #[test]
    fn functions_tell_what_was_computed() {
        told(&[
            (
                "gc",
                "memmove GenMarkSweep::invoke_at_safepoint VMThread::run",
            ),
            ("gc", "runtime.gcDrainN runtime.gcAssistAlloc1 main.build"),
            ("copying", "__memmove_avx_unaligned_erms take_first main"),
            ("regex", "sre_ucs1_match _sre_SRE_Pattern_match main"),
            (
                "parse-json",
                "memcpy v8::internal::JsonParser<char>::ParseJson main",
            ),
            (
                "exceptions",
                "_dl_find_object _Unwind_Find_FDE _Unwind_RaiseException __cxa_throw main",
            ),
            (
                "exceptions",
                "malloc std::logic_error::logic_error std::__throw_out_of_range main",
            ),
            (
                "fsync",
                "virtqueue_notify submit_bio ext4_sync_file do_fsync __x64_sys_fsync append main",
            ),
            (
                "cold-read",
                "submit_bio mpage_readahead page_cache_ra_unbounded filemap_get_pages main",
            ),
            (
                "cold-read",
                "submit_bio mpage_readahead page_cache_ra_order filemap_fault __do_fault handle_mm_fault exc_page_fault main",
            ),
            (
                "disk",
                "iowrite16 vp_notify virtio_queue_rqs submit_bio iomap_dio_bio_iter __iomap_dio_rw iomap_dio_rw ext4_file_write_iter ksys_pwrite64 main",
            ),
            (
                "page-faults",
                "clear_page_erms do_anonymous_page handle_mm_fault exc_page_fault main",
            ),
            (
                "huge-pages",
                "clear_page_erms folio_zero_user vma_alloc_anon_folio_pmd do_huge_pmd_anonymous_page handle_mm_fault exc_page_fault main",
            ),
            (
                "fork-cost",
                "copy_page_range dup_mm copy_process kernel_clone __x64_sys_clone main",
            ),
            (
                "inode-search",
                "find_get_block_common recently_deleted find_inode_bit __ext4_new_inode ext4_create path_openat main",
            ),
            (
                "copy-up",
                "__pi_memcpy splice_direct_to_actor ovl_copy_up_file ovl_copy_up_one ovl_setattr chmod main",
            ),
            ("other", "compute main"),
        ]);
    }
}
