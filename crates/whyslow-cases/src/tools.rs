//! What a case needs of the machine, and whether it is there.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Programs that satisfy a need with another name.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("bc", &["bc"]),
    ("c++", &["c++"]),
    ("cargo", &["cargo"]),
    ("cc", &["cc"]),
    ("cmake", &["cmake"]),
    ("curl", &["curl"]),
    ("dpkg", &["dpkg"]),
    ("git", &["git"]),
    ("go", &["go"]),
    ("java", &["java", "javac"]),
    ("jq", &["jq"]),
    ("lua", &["lua"]),
    ("logrotate", &["logrotate"]),
    ("make", &["make"]),
    ("mawk", &["mawk"]),
    ("ninja", &["ninja"]),
    ("node", &["node"]),
    ("openssl", &["openssl"]),
    ("perl", &["perl"]),
    ("php", &["php"]),
    ("python3", &["python3"]),
    ("rsync", &["rsync"]),
    ("ruby", &["ruby"]),
    ("rustc", &["rustc"]),
    ("unshare", &["unshare"]),
    ("xz", &["xz"]),
];

/// The first missing one of a list of needs, if any. An unknown need is missing everywhere.
pub(crate) fn missing(needs: &[String]) -> Option<&str> {
    needs
        .iter()
        .map(String::as_str)
        .find(|need| !is_there(need))
}

fn is_there(need: &str) -> bool {
    if let Some((_, programs)) = PROGRAMS.iter().find(|(name, _)| *name == need) {
        return programs.iter().all(|program| on_path(program).is_some());
    }
    match need {
        "root" => is_root(),
        "cpus-2" => std::thread::available_parallelism().is_ok_and(|cpus| cpus.get() >= 2),
        "cgroup-cpu" => is_root() && has_controller("cpu"),
        "cgroup-memory" => is_root() && has_controller("memory"),
        "fuse" => is_root() && Path::new("/dev/fuse").exists(),
        "sqlite" => has_module("sqlite3"),
        "boto3" | "flask" | "jsonschema" | "requests" | "yaml" => has_module(need),
        _ => false,
    }
}

/// Whether Python can import a module.
fn has_module(name: &str) -> bool {
    let import = format!("import {name}");
    python().is_some_and(|python| runs(&python, &["-c", &import]))
}

/// Whether groups of processes can be limited, by either version of cgroups.
fn has_controller(name: &str) -> bool {
    let first = Path::new("/sys/fs/cgroup").join(name).join("cgroup.procs");
    let second = std::fs::read_to_string("/sys/fs/cgroup/cgroup.controllers");
    first.exists() || second.is_ok_and(|all| all.split_whitespace().any(|word| word == name))
}

/// The first program of that name on the search path.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).map(|dir| dir.join(program));
    places.find(|place| place.is_file())
}

/// Python itself, not a script that looks for it.
pub(crate) fn python() -> Option<String> {
    let mut ask = Command::new("python3");
    let said = ask
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
        .ok()?;
    let path = String::from_utf8(said.stdout).ok()?;
    said.status.success().then(|| path.trim().to_owned())
}

fn runs(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
