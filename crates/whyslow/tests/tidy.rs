//! Rules of the house that a machine can check: who may know whom, sizes, names, forbidden words.

#![expect(clippy::expect_used, reason = "a test may stop")]

#[path = "tidy/cycles.rs"]
mod cycles;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Longest a file may be.
const MOST_LINES: usize = 600;

/// Most lines of code of a crate: neither blank nor comments nor tests.
const MOST_CODE: usize = 10_000;

/// Most lines of code of the binary, which only wires.
const MOST_WIRING: usize = 5_000;

fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates.and_then(Path::parent).expect("workspace").to_owned()
}

fn crates() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("crates")).expect("crates");
    let mut all: Vec<_> = entries.map(|entry| entry.expect("entry").path()).collect();
    all.retain(|path| path.join("Cargo.toml").exists());
    all.sort();
    all
}

fn name(path: &Path) -> String {
    path.file_name()
        .expect("name")
        .to_string_lossy()
        .into_owned()
}

/// Our crates under `[dependencies]` (also of a target) in a manifest; development ones are free.
fn edges(manifest: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        let line = line.trim();
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]") && !line.contains("dev-dependencies");
        } else if inside && line.starts_with("whyslow-") {
            let end = line.find(['.', ' ', '=']).unwrap_or(line.len());
            found.insert(line[..end].to_owned());
        }
    }
    found
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

/// What the table in `ARCHITECTURE.md` says: which crate may depend on which of ours.
fn table_of_edges() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let rows = text.lines().filter(|line| line.starts_with("| `whyslow"));
    rows.map(|row| {
        let name = row.split('`').nth(1).unwrap_or_default().to_owned();
        let cell = row.rsplit('|').nth(1).unwrap_or_default().trim();
        let edges = cell.split(", ").filter(|edge| *edge != "–");
        let edges = edges.map(|edge| format!("whyslow-{edge}")).collect();
        (name, edges)
    })
    .collect()
}

#[test]
fn crates_depend_on_what_the_architecture_says() {
    let mut table = table_of_edges();
    for path in crates() {
        let name = name(&path);
        let listed = table.remove(&name);
        let listed = listed.unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {name}"));
        let manifest = fs::read_to_string(path.join("Cargo.toml")).expect("manifest");
        assert_eq!(
            edges(&manifest),
            listed,
            "{name}: manifest, ARCHITECTURE.md"
        );
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{name}: lints"
        );
    }
    assert!(table.is_empty(), "ARCHITECTURE.md lists {table:?}");
}

#[test]
fn files_have_one_noun_and_fit_in_the_head() {
    for path in crates() {
        let mut files = Vec::new();
        sources(&path, &mut files);
        for file in files {
            let base = name(&file);
            let gravity = ["utils.rs", "util.rs", "helpers.rs", "common.rs", "misc.rs"];
            assert!(
                !gravity.contains(&base.as_str()),
                "{}: name the noun",
                file.display()
            );
            let text = fs::read_to_string(&file).expect("source");
            let lines = text.lines().count();
            assert!(lines <= MOST_LINES, "{}: {lines} lines", file.display());
            if base != "tests.rs" && !file.components().any(|c| c.as_os_str() == "tests") {
                let essay = text.starts_with("//!") || text.starts_with("#!");
                assert!(essay, "{}: no //! essay", file.display());
            }
            assert!(!text.contains("\r\n"), "{}: line endings", file.display());
        }
    }
}

/// What a test needs of the machine it asks `whyslow-testenv`, which keeps account and promises.
#[test]
fn tests_are_skipped_in_one_place() {
    for path in crates() {
        let mut files = Vec::new();
        sources(&path, &mut files);
        let own = name(&path) == "whyslow-testenv";
        for file in files.iter().filter(|_| !own) {
            let text = fs::read_to_string(file).expect("source");
            let says = concat!("\"skip", "ped: ");
            assert!(!text.contains(says), "{}: use has()", file.display());
        }
    }
}

/// The text that a constant of a file has.
fn constant(file: &str, name: &str) -> String {
    let text = fs::read_to_string(root().join(file)).expect("source");
    let line = text
        .lines()
        .find(|line| line.contains(&format!("const {name}: ")));
    let value = line.and_then(|line| line.split('"').nth(1));
    value.expect("such a constant").to_owned()
}

#[test]
fn the_process_that_closes_events_is_known_by_the_name_that_it_gets() {
    // Neither crate may know the other.
    let given = constant("crates/whyslow-record/src/sys/closing.rs", "NAME");
    let known = constant("crates/whyslow-explain/src/machine/busy.rs", "CLOSER");
    assert_eq!(given, known);
}

#[test]
fn paths_in_the_documents_exist() {
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        let text = fs::read_to_string(root().join(document)).expect(document);
        for quoted in text.split('`').skip(1).step_by(2) {
            let is_path = quoted.starts_with("crates/") || quoted.starts_with("docs/");
            if is_path && !quoted.contains(['*', '<', ' ', '…']) {
                assert!(root().join(quoted).exists(), "{document} names {quoted}");
            }
        }
    }
}

/// Lines of code in a file: neither blank nor comments nor a `#[cfg(test)]` module at its end.
fn lines_of_code(text: &str) -> usize {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next();
    let lines = code.unwrap_or_default().lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

#[test]
fn crates_are_of_a_size_that_one_can_know() {
    for path in crates() {
        let mut files = Vec::new();
        sources(&path.join("src"), &mut files);
        let is_test = |file: &Path| file.components().any(|c| c.as_os_str() == "tests");
        files.retain(|file| name(file) != "tests.rs" && !is_test(file));
        let texts = files.iter().map(fs::read_to_string);
        let lines: usize = texts
            .map(|text| lines_of_code(&text.expect("source")))
            .sum();
        let name = name(&path);
        let most = if name == "whyslow" {
            MOST_WIRING
        } else {
            MOST_CODE
        };
        assert!(lines <= most, "{name}: {lines} lines of code");
    }
}
