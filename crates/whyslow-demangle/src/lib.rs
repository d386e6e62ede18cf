//! From linker names to names a person reads.
//!
//! Rust (legacy and v0) loses its hash; C++ loses parameters and return type, as in
//! `perf report`, so that a method is one line and not a paragraph. Both lose the marks of parts
//! and copies the compiler made (`.cold`, `.part.0`, `.llvm.123`), so that a function's cold half
//! counts to it; plain C names keep theirs, again as in `perf report`. Names that are not
//! mangled, or whose decoding fails or explodes, stay as they are.
//!
//! Differences from `perf report` that are known and meant: symbol versions do not keep a name
//! from being decoded (`operator new@@GLIBCXX_3.4`); trailing `const` of methods is dropped
//! everywhere; what runs before `main` is named after its purpose (`global constructors keyed to
//! shop::till`), even if its name does not begin with `_Z`; a few names that only one of the two
//! decoders understands stay raw in the other.

#![forbid(unsafe_code)]

mod msvc;

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// Longest name shown, in bytes; longer ones are cut and end in `…`.
pub const MAX_DISPLAY_BYTES: usize = 4096;
/// Mangled names longer than this are not decoded: C++ ones can grow without bound.
const MAX_MANGLED_BYTES: usize = 16 << 10;

/// Name to show for a linker name.
#[must_use]
pub fn demangle(raw: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(raw);
    if raw.len() <= MAX_MANGLED_BYTES
        && let Some(name) = demangle_mangled(&text)
    {
        return Cow::Owned(name);
    }
    shorten(text)
}

/// Whether a linker name is of a form that [`demangle`] may change.
#[must_use]
pub fn is_mangled(raw: &[u8]) -> bool {
    let raw = raw.strip_prefix(b"_").unwrap_or(raw);
    raw.starts_with(b"GLOBAL__sub_")
        || raw.starts_with(b"?")
        || raw.starts_with(b"_Z")
        || raw.starts_with(b"Z")
        || raw.starts_with(b"R")
}

/// A C function's name without the marks that 32-bit Windows adds: `_f`, `_f@8` and `@f@8`.
#[must_use]
pub fn plain_c_name(raw: &[u8]) -> &[u8] {
    let Some((b'_' | b'@', rest)) = raw.split_first() else {
        return raw;
    };
    let is_size = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    match memchr::memrchr(b'@', rest).and_then(|at| rest.split_at_checked(at)) {
        Some((name, size)) if is_size(size.split_at(1).1) && !name.is_empty() => name,
        _ if raw.starts_with(b"_") && !rest.is_empty() && !rest.starts_with(b"Z") => rest,
        _ => raw,
    }
}

fn demangle_mangled(text: &str) -> Option<String> {
    if text.starts_with('?') {
        return msvc::demangle(text);
    }
    if let Some(name) = demangle_global(text) {
        return Some(name);
    }
    // Stubs and versioned symbols carry a suffix that is not part of the mangled name.
    let (mangled, suffix) = text.split_at(text.find('@').unwrap_or(text.len()));
    let mangled = without_clone_marks(mangled);
    if !is_mangled(mangled.as_bytes()) {
        return None;
    }
    let mut out = Bounded(String::new());
    if let Ok(name) = rustc_demangle::try_demangle(mangled) {
        write!(out, "{name:#}").ok()?;
    } else {
        demangle_cpp(mangled, &mut out)?;
        out.0 = tidy_cpp(&out.0);
    }
    out.write_str(suffix).ok()?;
    Some(out.0)
}

/// What runs before and after `main` for the globals of one file, which the compiler names after
/// the first of them or after the file.
fn demangle_global(text: &str) -> Option<String> {
    let rest = text.strip_prefix("_GLOBAL__sub_")?;
    let (what, mut of) = match rest.split_at_checked(2)? {
        ("I_", of) => ("constructors", of),
        ("D_", of) => ("destructors", of),
        _ => return None,
    };
    // A priority: 00100_0_ before the name.
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let mut parts = of.splitn(3, '_');
    if let (Some(first), Some(second), Some(name)) = (parts.next(), parts.next(), parts.next())
        && is_digits(first)
        && is_digits(second)
    {
        of = name;
    }
    let of = match of.starts_with("_Z") || of.starts_with("_R") {
        true => demangle_mangled(of)?,
        false => of.to_owned(),
    };
    (!of.is_empty()).then(|| format!("global {what} keyed to {of}"))
}

/// Cuts `.cold` and the like. Legacy Rust names have dots of their own, but end in a hash.
fn without_clone_marks(mangled: &str) -> &str {
    const HASH: usize = "17h0123456789abcdefE".len();
    let ends_in_hash = |end: usize| {
        let hash = end.checked_sub(HASH).and_then(|at| mangled.get(at..end));
        hash.is_some_and(|hash| hash.starts_with("17h"))
    };
    let legacy = mangled
        .match_indices("E.")
        .map(|(at, _)| at + 1)
        .find(|&end| ends_in_hash(end));
    let end = match legacy {
        Some(end) => end,
        None if ends_in_hash(mangled.len()) => mangled.len(),
        None => mangled.find('.').unwrap_or(mangled.len()),
    };
    mangled.split_at(end).0
}

fn demangle_cpp(mangled: &str, out: &mut Bounded) -> Option<()> {
    if !mangled.starts_with("_Z") && !mangled.starts_with("__Z") {
        return None;
    }
    let parse = cpp_demangle::ParseOptions::default().recursion_limit(96);
    let show = cpp_demangle::DemangleOptions::new()
        .no_params()
        .no_return_type()
        .recursion_limit(96);
    let symbol = read_cpp(mangled, &parse).or_else(|| {
        // The types of a template's result and parameters are not shown; they may be what the decoder does not know.
        let ends = mangled.match_indices('E').map(|(at, _)| at + 1);
        let mut names = ends.take(MOST_ENDS).filter_map(|end| mangled.get(..end));
        names.find_map(|name| read_cpp(name, &parse))
    })?;
    symbol.structured_demangle(out, &show).ok()
}

fn read_cpp<'a>(
    mangled: &'a str,
    options: &cpp_demangle::ParseOptions,
) -> Option<cpp_demangle::Symbol<&'a str>> {
    cpp_demangle::Symbol::new_with_options(mangled, options).ok()
}

/// If the decoder does not know a mangled name, at most this many possible ends of the name itself are tried.
const MOST_ENDS: usize = 64;

/// Brings the decoder's output to the form that `c++filt -p` prints.
fn tidy_cpp(name: &str) -> String {
    const LITERALS: [(&str, &str); 5] = [
        ("(unsigned int)", "u"),
        ("(unsigned long)", "ul"),
        ("(long)", "l"),
        ("(unsigned long long)", "ull"),
        ("(long long)", "ll"),
    ];
    let mut name = name.trim_end_matches(" const").to_owned();
    // An empty parameter pack leaves its comma behind.
    if name.contains(", >") {
        name = name.replace(", >", ">");
    }
    for (cast, mark) in LITERALS {
        if name.contains(cast) {
            name = with_literal_marks(&name, cast, mark);
        }
    }
    name
}

/// Turns `(unsigned int)5` into `5u`.
fn with_literal_marks(name: &str, cast: &str, mark: &str) -> String {
    let mut parts = name.split(cast);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_number = |c: char| c.is_ascii_digit() || c == '-';
        let (number, rest) = part.split_at(part.find(|c| !is_number(c)).unwrap_or(part.len()));
        if number.is_empty() {
            out.push_str(cast);
        } else {
            out.push_str(number);
            out.push_str(mark);
        }
        out.push_str(rest);
    }
    out
}

fn shorten(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.len() <= MAX_DISPLAY_BYTES {
        return text;
    }
    let mut end = MAX_DISPLAY_BYTES - '…'.len_utf8();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (head, _) = text.split_at(end);
    Cow::Owned(format!("{head}…"))
}

/// A string that refuses to grow beyond what is shown.
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if self.0.len() + part.len() > MAX_DISPLAY_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(part);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
