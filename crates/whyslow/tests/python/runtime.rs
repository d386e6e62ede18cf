//! What an interpreter does for itself, as the commands tell it: waits for its lock, garbage collection, and code of
//! a second interpreter.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use whyslow_testenv::{Feature, has};

use crate::recorded::Version;

/// Times that the program does all it does, and half-seconds that it waits before: a recorder that is kept from
/// running learns late of it.
const ROUNDS: [&str; 5] = ["1", "2", "4", "8", "16"];

/// Functions of the interpreter that collect garbage, in any version.
const COLLECTS: [&str; 3] = ["gc_collect", "collect_", "collect"];

/// Records the program until everything that it did was there once.
pub(crate) fn check(version: &Version) {
    if !has(Feature::Recording) || !has(Feature::Bpf) {
        return;
    }
    let name = &version.name;
    let mut missing = look(version, ROUNDS[0]);
    for rounds in ROUNDS {
        if missing.is_empty() {
            return;
        }
        let still = look(version, rounds);
        missing.retain(|what| still.contains(what));
    }
    assert!(missing.is_empty(), "{name}: {missing:?}");
}

/// Returns what a recording does not show.
fn look(version: &Version, rounds: &str) -> Vec<&'static str> {
    let dir = Dir::new(&version.name.replace(['/', ' '], "-"));
    let program = version.program.to_string_lossy();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/runtime.py");
    let script = script.to_string_lossy();
    let run = ["run", "--name", "it", "-o", "why.txt", "--"];
    dir.whyslow(&[&run[..], &[&program, &script, rounds]].concat());
    let files = fs::read_dir(&dir.0).expect("the directory");
    let mut files = files.map(|file| file.expect("a file").path());
    let extract = files.find(|path| path.extension().is_some_and(|end| end == "whyslow"));
    let extract = extract.expect("an extract");
    let extract = extract.to_string_lossy();
    let of = version.program.file_name().expect("a name");
    let of = of.to_string_lossy();
    let ask = |arguments: &[&str]| {
        let which = [&extract, "--process", &of, "--format", "csv"];
        dir.whyslow(&[arguments, &which].concat())
    };
    let waits = ask(&["waits", "--columns", "class"]);
    let functions = ask(&["cpu", "--functions", "*", "--columns", "method"]);
    let stacks = ask(&[
        "stacks",
        "--by",
        "wait",
        "--language",
        "python",
        "--columns",
        "function",
    ]);
    let collects = |line: &str| {
        COLLECTS
            .iter()
            .any(|begin| line.trim_matches('"').starts_with(begin))
    };
    let told = [
        (
            "waits for the lock",
            waits.lines().any(|line| line.trim() == "gil"),
        ),
        ("garbage collection", functions.lines().any(collects)),
        (
            "the second interpreter below the first",
            stacks
                .lines()
                .any(|line| line.contains("outer") && line.contains("inner")),
        ),
    ];
    let missing = told.into_iter().filter(|(_, is_there)| !is_there);
    missing.map(|(what, _)| what).collect()
}

/// A directory of the test's own.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Self {
        let dir = format!("runtime-{}-{name}", std::process::id());
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(dir);
        fs::create_dir_all(&dir).expect("a directory for the test");
        Self(dir)
    }

    /// Returns what a command prints.
    fn whyslow(&self, arguments: &[&str]) -> String {
        // The time limit is for a machine that hangs; it takes seconds.
        let ran = Command::new("timeout")
            .args(["--signal=KILL", "600", env!("CARGO_BIN_EXE_whyslow")])
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .output()
            .expect("`timeout` runs");
        assert!(ran.status.success(), "{ran:?}");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
