//! Where extracts go, and what they are called.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use whyslow_files::name::safe;
use whyslow_source::{Part, archive};

/// The ending of an extract's name.
pub const ENDING: &str = "whyslow";

/// Returns where the extract of `trace` goes: `NAME.data` becomes `NAME.whyslow`.
#[must_use]
pub fn output_path(trace: &Path, dir: Option<&Path>) -> PathBuf {
    let name = trace.file_name().unwrap_or_default();
    let known = trace.extension().is_some_and(|ending| {
        let archives = ["zip", "7z", "diagsession"];
        let mut known = archive::ENDINGS.iter().chain(&archives);
        known.any(|known| ending.eq_ignore_ascii_case(known))
    });
    let stem = if known {
        trace.file_stem().unwrap_or(name)
    } else {
        name
    };
    let mut name = stem.to_owned();
    name.push(".");
    name.push(ENDING);
    match dir {
        Some(dir) => dir.join(name),
        None => trace.with_file_name(name),
    }
}

/// Returns where the extract of one of several recordings in an archive goes, beside those that are
/// taken: `ARCHIVE.NAME.whyslow`.
pub fn output_among(output: &Path, files: &[Part], taken: &mut BTreeSet<String>) -> PathBuf {
    let name = files.first().map_or("", |part| part.name.as_str());
    let name = name.rsplit('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let archive = output.file_stem().unwrap_or_default().to_string_lossy();
    let whole = format!("{archive}.{}", safe(stem));
    let mut free = whole.clone();
    let mut number = 1;
    while !taken.insert(free.clone()) {
        number += 1;
        free = format!("{whole}-{number}");
    }
    output.with_file_name(format!("{free}.{ENDING}"))
}

/// Returns whether `path` is the name of an extract, not of a directory to put extracts into.
#[must_use]
pub fn names_extract(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == ENDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_follows_the_recording() {
        let path =
            |trace: &str, dir: Option<&str>| output_path(Path::new(trace), dir.map(Path::new));
        assert_eq!(path("a/perf.data", None), Path::new("a/perf.whyslow"));
        assert_eq!(path("a/perf.data", Some("b")), Path::new("b/perf.whyslow"));
        assert_eq!(
            path("case_12msbox.20261121-101500.data", None),
            Path::new("case_12msbox.20261121-101500.whyslow")
        );
        assert_eq!(
            path("perf.data.old", None),
            Path::new("perf.data.old.whyslow")
        );
    }
}
