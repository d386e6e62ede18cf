//! The committed eBPF object is what its source compiles to.
use std::path::Path;
use std::process::Command;

/// Other versions produce other bytes, which means nothing.
const CLANG: &str = "clang-16";

#[test]
fn object_and_source_agree() {
    if !whyslow_testenv::has(whyslow_testenv::Feature::Clang) {
        return;
    }
    let version = Command::new(CLANG).arg("--version").output().unwrap();
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bpf");
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("whyslow.bpf.o");
    let status = Command::new(folder.join("build"))
        .arg(&built)
        .status()
        .unwrap();
    assert!(status.success());
    let same =
        std::fs::read(&built).unwrap() == std::fs::read(folder.join("whyslow.bpf.o")).unwrap();
    assert!(same, "run bpf/build and commit whyslow.bpf.o ({version})");
}
