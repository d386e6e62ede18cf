//! Paths as the story has them: names with slashes between, also those of Windows.
//!
//! `C:\Temp\a.txt` is `/C:/Temp/a.txt` here, so that everything about folders and names applies to it, and
//! is shown as Windows spells it.

use std::borrow::Cow;

use whyslow_model::System;

/// Paths with more letters are shown by their end.
const LONG: usize = 48;

/// Returns a path as the story has it.
pub(crate) fn with_slashes(path: &str, is_windows: bool) -> Cow<'_, str> {
    if !is_windows || path.starts_with('[') {
        return path.into();
    }
    let path = path.replace('\\', "/");
    match path.starts_with('/') {
        true => path.into(),
        false => format!("/{path}").into(),
    }
}

/// Returns what paths of the same file have in common: for Windows, case does not matter.
pub(crate) fn key<'a>(path: &Cow<'a, str>, is_windows: bool) -> Cow<'a, str> {
    match is_windows {
        true => path.to_lowercase().into(),
        false => path.clone(),
    }
}

/// Returns a path as its system spells it.
fn spelled(path: &str, is_windows: bool) -> String {
    if !is_windows {
        return path.to_owned();
    }
    let has_drive = path.get(2..3) == Some(":");
    let path = match path.strip_prefix('/').filter(|_| has_drive) {
        Some(path) => path,
        None => path,
    };
    path.replace('/', "\\")
}

/// Returns whether a path is in a folder, or in one below it.
pub fn is_in(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Returns whether an object is a file on a disk, or in memory: not a pipe, a socket or a device.
pub fn is_file(object: &str) -> bool {
    let devices = ["/dev/", "/proc/", "/sys/"];
    object.starts_with('/') && !devices.iter().any(|folder| object.starts_with(folder))
}

/// Returns a path in full and as it is shown: relative to `folder` if it is in there, and only the end of a long one.
pub fn shown(path: &str, folder: Option<&str>, system: System) -> (String, String) {
    let is_windows = system == System::Windows;
    let short = short(path, folder);
    (spelled(path, is_windows), spelled(&short, is_windows))
}

fn short(path: &str, folder: Option<&str>) -> String {
    let folder = folder.map(|folder| folder.trim_end_matches('/'));
    let inside = folder
        .filter(|folder| !folder.is_empty())
        .and_then(|folder| path.strip_prefix(folder)?.strip_prefix('/'));
    let path = match inside {
        Some("") => "./",
        Some(inside) => inside,
        None => path,
    };
    if path.chars().count() <= LONG {
        return path.to_owned();
    }
    let mut kept = path.len();
    for (at, _) in path.rmatch_indices('/') {
        let is_first = kept == path.len();
        if !is_first && path.get(at..).map_or(0, |rest| rest.chars().count()) > LONG {
            break;
        }
        kept = at;
    }
    match path.get(kept..) {
        Some(end) if kept > 0 => format!("…{end}"),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_windows_are_shown_as_windows_spells_them() {
        let shown = |path: &str| {
            let path = with_slashes(path, true);
            shown(&path, None, System::Windows)
        };
        let twice = |path: &str| (path.to_owned(), path.to_owned());
        assert_eq!(with_slashes(r"C:\App\a.ini", true), "/C:/App/a.ini");
        assert_eq!(shown(r"C:\App\a.ini"), twice(r"C:\App\a.ini"));
        assert_eq!(shown(r"\\server\share\a"), twice(r"\\server\share\a"));
        let long = r"C:\Users\somebody\AppData\Local\a-long-name\settings\app.ini";
        let (full, short) = shown(long);
        assert_eq!(full, long);
        assert_eq!(short, r"…\AppData\Local\a-long-name\settings\app.ini");
        assert_eq!(with_slashes("[unnamed]", true), "[unnamed]");
        assert_eq!(with_slashes(r"/t/a\x2db", false), r"/t/a\x2db");
        let key = |path: &str| key(&with_slashes(path, true), true).into_owned();
        assert_eq!(key(r"C:\WINDOWS\a"), key(r"C:\Windows\A"));
    }

    #[test]
    fn what_is_in_the_commands_folder_is_named_from_there_on() {
        let shown = |path: &str| short(path, Some("/home/me/"));
        assert_eq!(shown("/home/me/audit.log"), "audit.log");
        assert_eq!(shown("/home/me/logs/"), "logs/");
        assert_eq!(shown("/home/me/"), "./");
        assert_eq!(shown("/home/mean/a"), "/home/mean/a");
    }

    #[test]
    fn long_paths_are_shown_by_their_end() {
        let shown = |path: &str| short(path, None);
        assert_eq!(shown("/etc/app.ini"), "/etc/app.ini");
        let long = "/home/somebody/code/a-project-with-a-long-name/data/app.ini";
        assert_eq!(
            shown(long),
            "…/code/a-project-with-a-long-name/data/app.ini"
        );
        let name = "x".repeat(60);
        assert_eq!(shown(&format!("/etc/{name}")), format!("…/{name}"));
    }
}
