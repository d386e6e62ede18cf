//! Names of files: text as part of one, and names that are not taken yet.

use std::path::{Path, PathBuf};

/// The highest number that a name gets.
const MOST: u32 = 999;

/// Returns a path, and paths beside it with a number: `a.data`, `a-2.data`, `a-3.data` …
pub fn numbered(path: &Path) -> impl Iterator<Item = PathBuf> {
    let with_number = |number: u32| {
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{number}"));
        if let Some(extension) = path.extension() {
            name.push(".");
            name.push(extension);
        }
        path.with_file_name(name)
    };
    std::iter::once(path.to_owned()).chain((2..=MOST).map(with_number))
}

/// Returns a path, or the first of those beside it with a number that is not taken.
pub fn free(path: &Path, is_taken: impl Fn(&Path) -> bool) -> PathBuf {
    let free = numbered(path).find(|path| !is_taken(path));
    free.unwrap_or_else(|| path.to_owned())
}

/// Returns the path of a file in a folder. One that begins with "./" would only make messages longer.
pub fn within(folder: &Path, name: &str) -> PathBuf {
    match folder == Path::new(".") {
        true => PathBuf::from(name),
        false => folder.join(name),
    }
}

/// Returns `text` with everything that does not belong into a file's name replaced by `-`.
pub fn safe(text: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '+');
    let safe: String = text
        .chars()
        .map(|c| if fits(c) { c } else { '-' })
        .collect();
    safe.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_before_the_ending() {
        let names: Vec<PathBuf> = numbered(Path::new("b/a.x.data")).take(3).collect();
        let expected = ["b/a.x.data", "b/a.x-2.data", "b/a.x-3.data"];
        assert_eq!(names, expected.map(PathBuf::from));
        let without: Vec<PathBuf> = numbered(Path::new("a")).skip(1).take(1).collect();
        assert_eq!(without, [PathBuf::from("a-2")]);
    }

    #[test]
    fn names_in_the_current_folder_stay_short() {
        assert_eq!(within(Path::new("."), "a"), Path::new("a"));
        assert_eq!(within(Path::new("b"), "a"), Path::new("b/a"));
    }

    #[test]
    fn names_hold_no_surprises() {
        assert_eq!(safe("../a b/c*"), "a-b-c");
        assert_eq!(safe("g++"), "g++");
    }
}
