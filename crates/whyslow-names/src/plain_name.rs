//! Function names as people write them, without the parts that only distinguish functions in the
//! tables.
//!
//! | in the tables | here |
//! |---|---|
//! | `<alloc::vec::Vec<T> as Clone>::clone` | `Vec::clone` |
//! | `notes::index::Index::add_note::{closure#0}` | `Index::add_note` |
//! | `std::vector<int>::push_back(int const&)` | `vector::push_back` |
//! | `main.(*Index).Add.func1` | `Index.Add` |
//! | `__GI___readdir64`, `__memmove_avx_unaligned_erms` | `readdir`, `memmove` (in the C library) |
//! | `block in stock_list` | `stock_list` (Ruby) |
//! | `sort.part.0`, `read@@GLIBC_2.2.5` | `sort`, `read` |
//! | `runtime.futex.abi0` | `runtime.futex` |
//! | `__cos_fma` | `cos` (in the C library) |

mod path;

use std::borrow::Cow;

/// Suffixes that compilers append to the names of parts and copies of functions.
const CLONES: &[&str] = &[
    ".part.",
    ".isra.",
    ".constprop.",
    ".lto_priv.",
    ".llvm.",
    ".cold",
    ".abi0",
    " [clone ",
];

/// Returns a function's name as people write it.
#[must_use]
pub fn plain_name(name: &str) -> Cow<'_, str> {
    let name = name.split_once("@GLIBC").map_or(name, |(plain, _)| plain);
    let name = name.strip_suffix("@plt").unwrap_or(name);
    let name = name.trim_end_matches('@');
    let name = name.strip_prefix("__GI_").unwrap_or(name);
    let name = before_first(name, CLONES);
    if let Some(name) = of_interpreter(name).or_else(|| of_script(name)) {
        return Cow::Borrowed(name);
    }
    // Users do not care how Rust's library is divided into functions.
    if let Some(function) = name.strip_prefix("std::thread::functions::") {
        return Cow::Owned(format!("thread::{function}"));
    }
    let outer = name.strip_suffix("::inner");
    let name = outer.filter(|_| name.starts_with("std::")).unwrap_or(name);
    if name.contains("::") || name.contains(['(', '<']) && !name.contains("(*") {
        return Cow::Owned(path::last_of(name));
    }
    match name.contains('.') && !name.starts_with('.') {
        true => Cow::Owned(dotted(name)),
        false => Cow::Borrowed(name),
    }
}

/// Returns the name by which programs call a function of the C library.
#[must_use]
pub fn c_library_name(name: &str) -> &str {
    let plain = name.strip_prefix("__libc_").unwrap_or(name);
    let plain = plain.strip_prefix("__").unwrap_or(plain);
    let plain = before_first(plain, &["_avx", "_sse", "_evex", "_erms", "_ssse", "_fma"]);
    let plain = plain.strip_suffix("_nocancel").unwrap_or(plain);
    let plain = plain.strip_suffix("_finite").unwrap_or(plain);
    let plain = plain.strip_suffix("64").unwrap_or(plain);
    if plain.is_empty() { name } else { plain }
}

fn before_first<'a>(name: &'a str, marks: &[&str]) -> &'a str {
    let found = marks.iter().filter_map(|mark| name.find(mark));
    match found.filter(|&at| at > 0).min() {
        Some(at) => &name[..at],
        None => name,
    }
}

/// Returns the function of a frame that an interpreter described: `py::crunch:/path/file.py` or
/// `JS:*hash /path/file.js:3:9`.
fn of_interpreter(name: &str) -> Option<&str> {
    if let Some(rest) = name.strip_prefix("py::") {
        return Some(rest.split_once(':').map_or(rest, |(function, _)| function));
    }
    const KINDS: [&str; 4] = ["JS:", "LazyCompile:", "Function:", "Eval:"];
    let rest = KINDS.iter().find_map(|kind| name.strip_prefix(kind))?;
    let rest = rest.trim_start_matches(['*', '~', '^', '+']);
    let function = rest.split_once(' ').map_or(rest, |(function, _)| function);
    Some(if function.is_empty() { rest } else { function })
}

/// Returns the method that a block of Ruby is in, or a name of Ruby or PHP that stays as it is.
fn of_script(name: &str) -> Option<&str> {
    let inner = |name| {
        let rest = ["block ", "rescue in ", "ensure in "].iter();
        rest.clone().find_map(|word| str::strip_prefix(name, word))
    };
    let mut rest = name;
    while let Some(inner) = inner(rest) {
        let levels = inner
            .strip_prefix('(')
            .and_then(|inner| inner.split_once(") "));
        let inner = levels.map_or(inner, |(_, inner)| inner);
        rest = inner.strip_prefix("in ").unwrap_or(inner);
    }
    let is_whole = rest.ends_with("::{closure}")
        || ["<main>", "<top (required)>", "<class:", "<module:"]
            .iter()
            .any(|part| rest.starts_with(part));
    (is_whole || rest.len() < name.len()).then_some(rest)
}

/// Returns the end of a dotted name, as in Go and Java.
fn dotted(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut depth = 0_usize;
    for letter in name.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '(' | ')' | '*' => {}
            '/' if depth == 0 => plain.clear(),
            letter if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    let plain = plain.strip_suffix("-fm").unwrap_or(&plain);
    let mut parts: Vec<&str> = plain.split('.').filter(|part| !part.is_empty()).collect();
    let is_closure = |part: &str| {
        let number = ["func", "gowrap"]
            .iter()
            .find_map(|word| part.strip_prefix(word));
        number
            .unwrap_or(part)
            .bytes()
            .all(|byte| byte.is_ascii_digit())
    };
    while parts.len() > 1 && parts.last().is_some_and(|part| is_closure(part)) {
        parts.pop();
    }
    if parts.len() > 1 && parts[0] == "main" {
        parts.remove(0);
    }
    let from = parts.len().saturating_sub(2);
    parts[from..].join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_name() {
        let names = [
            ("read", "read"),
            ("read@@GLIBC_2.2.5", "read"),
            ("read@plt", "read"),
            ("__GI_memcpy", "memcpy"),
            ("sort.part.0", "sort"),
            ("finish_task_switch.isra.0", "finish_task_switch"),
            ("foo() [clone .cold]", "foo"),
            ("std::thread::functions::sleep", "thread::sleep"),
            ("std::fs::read::inner", "fs::read"),
            ("main.work", "work"),
            ("block (2 levels) in stock_list", "stock_list"),
            ("block in <main>", "<main>"),
            ("rescue in block in empty?", "empty?"),
            ("<class:Ledger>", "<class:Ledger>"),
            ("Ledger::{closure}", "Ledger::{closure}"),
            ("block_size", "block_size"),
            ("main.main.func1", "main"),
            ("main.(*Index).Add.func2.1", "Index.Add"),
            ("main.Map[go.shape.int].Set", "Map.Set"),
            ("internal/poll.(*FD).Read", "FD.Read"),
            ("runtime.mallocgc", "runtime.mallocgc"),
            ("runtime.futex.abi0", "runtime.futex"),
            ("github.com/x/y.Parse", "y.Parse"),
            ("java.util.HashMap.get", "HashMap.get"),
            ("py::crunch:/home/me/x.py", "crunch"),
            ("JS:*hashPassword /home/me/x.js:3:9", "hashPassword"),
            ("LazyCompile:~ /home/me/x.js:3:9", " /home/me/x.js:3:9"),
            (".plt", ".plt"),
        ];
        for (name, plain) in names {
            assert_eq!(plain_name(name), plain, "{name}");
        }
    }

    #[test]
    fn what_a_program_calls_in_the_c_library() {
        let names = [
            ("__readdir64", "readdir"),
            ("__libc_recv", "recv"),
            ("__memmove_avx_unaligned_erms", "memmove"),
            ("fopen64", "fopen"),
            ("__cos_fma", "cos"),
            ("__fmod_finite", "fmod"),
            ("clock_nanosleep", "clock_nanosleep"),
            ("_dl_start", "_dl_start"),
            ("__64", "__64"),
        ];
        for (name, plain) in names {
            assert_eq!(c_library_name(name), plain, "{name}");
        }
    }
}
