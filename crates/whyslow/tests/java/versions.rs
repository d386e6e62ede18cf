//! The virtual machines that this machine has.

use std::path::{Path, PathBuf};
use std::process::Command;

use whyslow_testenv::{Feature, need};

use crate::recorded::Version;

/// Returns the virtual machines, each with the program compiled for it; says if there is none.
pub(crate) fn all() -> Vec<Version> {
    let folders = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    let folders = folders.flatten().filter(|entry| {
        // Others are links to these.
        entry.file_type().is_ok_and(|kind| kind.is_dir())
    });
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    let all: Vec<Version> = folders.iter().filter_map(|home| version(home)).collect();
    let found = match all.is_empty() {
        true => Err("no Java with a compiler is in /usr/lib/jvm"),
        false => Ok(all),
    };
    need(Feature::Java, found).unwrap_or_default()
}

fn version(home: &Path) -> Option<Version> {
    let [java, javac] = ["java", "javac"].map(|tool| home.join("bin").join(tool));
    if !java.exists() || !javac.exists() {
        return None;
    }
    let name = home.file_name()?.to_string_lossy().into_owned();
    let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("classes-{name}"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Stacks.java");
    let compiled = Command::new(javac)
        .arg("-d")
        .args([&classes, &source])
        .status();
    assert!(compiled.expect("javac runs").success(), "{name}");
    Some(Version {
        name,
        program: java,
        arguments: vec!["-cp".into(), classes.into(), "Stacks".into()],
        kind: "java",
    })
}
