//! The crate and the module of an inlined Rust function, from the file that it is in.
//!
//! Where a program has line tables only, debug information names an inlined function `try_fold<…>`,
//! without a path: only its file says whose it is. Files below the compiler's library and those of
//! downloaded crates are at known places; all others are of the program itself.

/// Returns the path of the function's module; `None` for the program's own files.
pub(super) fn of_file(file: &str) -> Option<String> {
    let file = file.replace('\\', "/");
    let (krate, inside) = of_library(&file).or_else(|| of_registry(&file))?;
    let modules = inside.strip_suffix(".rs")?.split('/');
    let named = modules.filter(|name| !["lib", "mod", "main", ""].contains(name));
    let mut path = krate;
    for name in named {
        path.push_str("::");
        path.push_str(name);
    }
    Some(path)
}

/// Returns the crate and the file in it of `/rustc/HASH/library/core/src/iter/range.rs`.
fn of_library(file: &str) -> Option<(String, &str)> {
    let is_compilers = file.starts_with("/rustc/") || file.contains("/rustlib/src/rust/");
    let (_, rest) = file.split_once("/library/").filter(|_| is_compilers)?;
    let (part, _) = rest.split_once('/')?;
    let (_, inside) = rest.rsplit_once("/src/")?;
    let krate = match part {
        "core" | "alloc" => part,
        "stdarch" | "portable-simd" => "core",
        _ => "std",
    };
    Some((krate.to_owned(), inside))
}

/// Returns the same for `…/registry/src/INDEX/hashbrown-0.15.2/src/raw.rs` and of a crate that was
/// cloned,
/// `…/git/checkouts/NAME-HASH/REVISION/src/lib.rs`.
fn of_registry(file: &str) -> Option<(String, &str)> {
    let of = |place: &str| file.split_once(place).map(|(_, rest)| rest);
    let folder = match of("/registry/src/") {
        Some(rest) => rest.split('/').nth(1)?,
        None => of("/git/checkouts/")?.split('/').next()?,
    };
    let (name, _) = folder
        .rsplit_once('-')
        .filter(|(name, _)| !name.is_empty())?;
    // A version may itself have a hyphen: `time-0.3.0-alpha`.
    let version = name
        .match_indices('-')
        .find(|(at, _)| name[at + 1..].starts_with(|first: char| first.is_ascii_digit()));
    let name = version.map_or(name, |(at, _)| &name[..at]);
    let (_, inside) = file.rsplit_once("/src/")?;
    Some((name.replace('-', "_"), inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_libraries_say_the_module() {
        for (file, path) in [
            (
                "/rustc/59807616e1fa/library/core/src/iter/traits/iterator.rs",
                "core::iter::traits::iterator",
            ),
            (
                "/root/.rustup/toolchains/s/lib/rustlib/src/rust/library/alloc/src/vec/mod.rs",
                "alloc::vec",
            ),
            (
                "/rustc/1/library/stdarch/crates/core_arch/src/x86/sse2.rs",
                "core::x86::sse2",
            ),
            ("/rustc/1/library/backtrace/src/lib.rs", "std"),
            (
                "/root/.cargo/registry/src/index.crates.io-1949cf8c/hashbrown-0.15.2/src/raw/mod.rs",
                "hashbrown::raw",
            ),
            (
                "C:\\Users\\me\\.cargo\\registry\\src\\index\\serde_json-1.0.1-rc.2\\src\\de.rs",
                "serde_json::de",
            ),
            (
                "/root/.cargo/registry/src/index/crossbeam-utils-0.8.0/src/lib.rs",
                "crossbeam_utils",
            ),
            (
                "/root/.cargo/git/checkouts/regex-lite-0a1b2c3d/4e5f6a7/src/pool.rs",
                "regex_lite::pool",
            ),
        ] {
            assert_eq!(of_file(file).as_deref(), Some(path), "{file}");
        }
    }

    #[test]
    fn files_of_the_program_say_nothing() {
        for file in [
            "src/main.rs",
            "/home/me/notes/src/index.rs",
            "/home/me/library/core/src/a.rs",
            "/root/.cargo/registry/src/index",
            "/root/.cargo/registry/src//-1/src/a.rs",
            "/rustc/1/library/core",
            "",
        ] {
            assert_eq!(of_file(file), None, "{file}");
        }
    }
}
