//! The committed eBPF objects are what their sources compile to.
use std::path::Path;
use std::process::Command;

/// Other versions produce other bytes, which means nothing.
const CLANG: &str = "clang-16";

#[test]
fn objects_and_sources_agree() {
    if !whyslow_testenv::has(whyslow_testenv::Feature::Clang) {
        return;
    }
    let version = Command::new(CLANG).arg("--version").output().unwrap();
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bpf");
    let built = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let status = Command::new(folder.join("build"))
        .arg(built)
        .status()
        .unwrap();
    assert!(status.success());
    for object in [
        "whyslow.bpf.o",
        "syscalls.bpf.o",
        "python.bpf.o",
        "net.bpf.o",
        "symbols.bpf.o",
        "disks.bpf.o",
    ] {
        let new = std::fs::read(built.join(object)).unwrap();
        let same = new == std::fs::read(folder.join(object)).unwrap();
        assert!(same, "run bpf/build and commit {object} ({version})");
    }
}
