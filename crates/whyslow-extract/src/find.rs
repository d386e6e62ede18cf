//! Finding extracts by path, directory or wildcard.

use std::fs;
use std::path::{Path, PathBuf};

use crate::absent::no_directory;
use crate::error::{Error, ErrorKind};
use crate::name;

/// Suffix of an extract's directory name.
pub(crate) const ENDING: &str = ".whyslow";

/// Maximum depth of directories that is searched.
const DEEPEST: usize = 16;

/// Returns the extracts that `patterns` name, ordered by test run, then by path, without
/// duplicates.
///
/// A pattern is an extract, a directory that is searched for extracts, or a path with `*` and `?`
/// in its last part.
///
/// # Errors
/// When a pattern names nothing.
pub fn find(patterns: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for pattern in patterns {
        let before = found.len();
        if is_extract(pattern) {
            found.push(pattern.clone());
        } else if pattern.is_dir() {
            search(pattern, DEEPEST, &mut found);
        } else {
            expand(pattern, &mut found);
        }
        if found.len() == before {
            return Err(nothing(pattern));
        }
    }
    found.sort_by_cached_key(|path| (name::performed_at(path), path.clone()));
    found.dedup();
    Ok(found)
}

fn nothing(pattern: &Path) -> Error {
    if !pattern.is_dir() {
        return no_directory(pattern);
    }
    // Only their owner can read extracts.
    if let Err(error) = pattern.read_dir() {
        return Error::io(pattern, "cannot be read", error);
    }
    let what = "there is no extract in this directory";
    Error::new(pattern, ErrorKind::NotFound, what)
}

fn is_extract(path: &Path) -> bool {
    path.join("trace.parquet").is_file()
}

fn search(dir: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let real = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if hidden || !real {
            continue;
        }
        if path.to_string_lossy().ends_with(ENDING) {
            if is_extract(&path) {
                found.push(path);
            }
        } else if depth > 0 {
            search(&path, depth - 1, found);
        }
    }
}

fn expand(pattern: &Path, found: &mut Vec<PathBuf>) {
    let Some(last) = pattern
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
    else {
        return;
    };
    let Ok(entries) = fs::read_dir(crate::writer::parent(pattern)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if !name.starts_with('.') && matches(last.as_bytes(), name.as_bytes()) && is_extract(&path)
        {
            found.push(path);
        }
    }
}

/// Returns whether `text` matches a pattern of `*` (anything) and `?` (one character).
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star = None;
    while let Some(&byte) = text.get(t) {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&wanted) if wanted == b'?' || wanted == byte => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((at, from)) = star else {
                    return false;
                };
                p = at + 1;
                t = from + 1;
                star = Some((at, from + 1));
            }
        }
    }
    pattern
        .get(p..)
        .unwrap_or_default()
        .iter()
        .all(|&byte| byte == b'*')
}
