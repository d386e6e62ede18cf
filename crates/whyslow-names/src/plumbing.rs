//! Functions that every program has, and that say nothing about it.

/// Returns whether a function only starts programs and threads, so that naming it says nothing.
#[must_use]
pub fn is_frame_of_start(name: &str) -> bool {
    const EXACT: &[&str] = &[
        // Says what the function around it does.
        "[busy wait]",
        "_start",
        "__libc_start_main",
        "__libc_start_call_main",
        "start_thread",
        "__clone",
        "clone",
        "clone3",
        "__clone3",
        "thread_start",
        "_dl_start",
        "_dl_start_user",
        "runtime.goexit",
        "runtime.goexit.abi0",
        "runtime.mstart",
        "runtime.mcall",
        "runtime.systemstack",
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
    let starts = |name: &str| PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    let inner = name.trim_start_matches('<');
    // An inlined closure has only a number for a name: it is part of the function around it.
    EXACT.contains(&name)
        || name.starts_with("{closure#")
        || starts(name)
        || starts(inner)
        || name.contains(" as core::ops::function::Fn")
}

/// Returns whether a function of an interpreter or a JavaScript engine only runs functions of the
/// program, so that naming it says nothing if those are known.
#[must_use]
pub fn is_frame_of_interpreter(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "Builtins_Call_",
        "Builtins_InterpreterEntryTrampoline",
        "Builtins_JSEntry",
        "Builtins_JSRunMicrotasksEntry",
        "Builtins_RunMicrotasks",
        "node::InternalCallbackScope",
        "node::InternalMakeCallback",
        "node::LoadEnvironment",
        "node::NodeMainInstance",
        "node::Realm::Execute",
        "node::SpinEventLoop",
        "node::Start",
        "node::builtins::BuiltinLoader",
        "node::Environment::RunTimers",
        "uv_run",
        "uv__run_timers",
        "v8::Function::Call",
        "v8::internal::(anonymous namespace)::Invoke",
        "v8::internal::Execution::",
        "Py_",
        "PyEval_",
        "PyFunction_",
        "PyImport_",
        "PyObject_",
        "PyRun_",
        "_Py_",
        "_PyEval_",
        "_PyFunction_",
        "_PyImport_",
        "_PyObject_",
        "_PyRun_",
        "builtin___import__",
        "builtin_eval",
        "builtin_exec",
        "call_function",
        "cfunction_",
        "do_call_core",
        "function_code_",
        "gen_iternext",
        "gen_send",
        "import_find_and_load",
        "method_",
        "object_vacall",
        "pymain_",
        "pyrun_",
        "run_eval_code_obj",
        "run_mod",
        "slot_",
        "thread_run",
        "pythread_wrapper",
        "type_call",
        "vectorcall_",
        "wrapper_call",
        "rb_vm_",
        "rb_funcall",
        "rb_yield",
        "rb_ensure",
        "rb_protect",
        "rb_rescue",
        "ruby_exec_node",
        "ruby_run_node",
        "execute_ex",
        "zend_call_",
        "zend_execute",
        "php_execute_",
        "perl_parse",
        "perl_run",
        "Perl_call_list",
        "Perl_call_sv",
        "Perl_runops_",
        "S_docatch",
        "S_run_body",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || name.contains("ectorcall")
}

/// Returns whether Java generates a function at run time, or calls it, only to call another one: for a lambda
/// expression, a method handle, or reflection.
#[must_use]
pub fn is_frame_of_java(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "java.lang.invoke.",
        "java.lang.reflect.Method.invoke",
        "jdk.internal.reflect.",
        "sun.reflect.",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || name.contains("$$Lambda")
}

/// Returns whether a module is one of the libraries that every program uses, whose functions say
/// less than the place they are called from.
#[must_use]
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

/// Returns whether a module belongs to the C library, so that its functions have other names inside.
#[must_use]
pub fn is_c_library(module: &str) -> bool {
    is_system_module(module) || module.starts_with("libm.") || module.starts_with("libm-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closure_without_its_function_is_plumbing() {
        assert!(is_frame_of_start(
            "{closure#0}<usize, core::result::Result<(), E>>"
        ));
        assert!(!is_frame_of_start("app::write_notes::{closure#0}"));
    }

    #[test]
    fn mathematics_is_a_part_of_the_c_library_but_a_place_of_its_own() {
        assert!(is_c_library("libm.so.6") && !is_system_module("libm.so.6"));
        assert!(is_c_library("libc.so.6") && !is_c_library("libmine.so"));
    }

    #[test]
    fn frames_that_run_functions_of_python() {
        for name in [
            "_PyEval_EvalFrameDefault",
            "object_vacall",
            "PyObject_Vectorcall",
            "node::Start",
        ] {
            assert!(is_frame_of_interpreter(name), "{name}");
        }
        for name in [
            "list_sort_impl",
            "time_sleep",
            "PyUnicode_Format",
            "take_gil",
        ] {
            assert!(!is_frame_of_interpreter(name), "{name}");
        }
    }

    #[test]
    fn frames_that_only_call_methods_of_java() {
        for name in [
            "Shop$$Lambda.call",
            "java.lang.invoke.Invokers$Holder.linkToTargetMethod",
            "jdk.internal.reflect.DirectMethodHandleAccessor.invoke",
        ] {
            assert!(is_frame_of_java(name), "{name}");
        }
        for name in ["Shop.lambda$future$0", "java.lang.Thread.sleep", "Lambda"] {
            assert!(!is_frame_of_java(name), "{name}");
        }
    }

    #[test]
    fn frames_of_starts() {
        for name in [
            "_start",
            "std::rt::lang_start",
            "<std::sys::thread::unix::Thread>::new::thread_start",
            "<app::main::{closure#0} as core::ops::function::FnOnce<()>>::call_once",
            "runtime.goexit.abi0",
        ] {
            assert!(is_frame_of_start(name), "{name}");
        }
        for name in [
            "main",
            "std::fs::read",
            "<app::It as Iterator>::next",
            "clone_from",
        ] {
            assert!(!is_frame_of_start(name), "{name}");
        }
    }
}
