//! The committed eBPF object is what its source compiles to.
use std::path::Path;
use std::process::Command;

/// Other versions produce other bytes, which means nothing.
const CLANG: &str = "clang-16";

#[test]
fn object_and_source_agree() {
    let version = match Command::new(CLANG).arg("--version").output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
        Err(why) => return println!("skipped: no {CLANG} ({why})"),
    };
    if Command::new("llvm-strip-16")
        .arg("--version")
        .output()
        .is_err()
    {
        return println!("skipped: no llvm-strip-16");
    }
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
