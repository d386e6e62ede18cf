//! The interpreters that this machine has.

use std::path::{Path, PathBuf};

use whyslow_testenv::{Feature, need};

use crate::recorded::Version;

/// Second numbers of the versions that can be read.
const KNOWN: std::ops::RangeInclusive<u32> = 8..=15;

/// Returns the interpreters; says which versions are not here.
pub(crate) fn all() -> Vec<Version> {
    let home = std::env::var_os("HOME").unwrap_or_default();
    let of_user = Path::new(&home).join(".pyenv/versions");
    let mut installed: Vec<PathBuf> = std::fs::read_dir(of_user).map_or_else(
        |_| Vec::new(),
        |entries| {
            entries
                .flatten()
                .map(|entry| entry.path().join("bin"))
                .collect()
        },
    );
    installed.push("/usr/bin".into());
    installed.push("/usr/local/bin".into());
    installed.sort();
    let mut all = Vec::new();
    for minor in KNOWN {
        let before = all.len();
        for folder in &installed {
            let program = folder.join(format!("python3.{minor}"));
            if program.exists() {
                let name = format!("3.{minor} in {}", folder.display());
                let stacks = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/stacks.py");
                all.push(Version {
                    name,
                    program,
                    arguments: vec![stacks.into()],
                    kind: "python",
                });
            }
        }
        if all.len() == before {
            println!("Python 3.{minor} is not on this machine");
        }
    }
    let found = match all.is_empty() {
        true => Err("no version of Python that is known is on this machine"),
        false => Ok(all),
    };
    need(Feature::Python, found).unwrap_or_default()
}
