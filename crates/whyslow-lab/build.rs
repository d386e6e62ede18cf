//! Compiles the small program that `probe` starts, `src/child/start.c`.
//!
//! Where no C compiler makes a program for the target, the file is empty, and `probe` does without.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const SOURCE: &str = "src/child/start.c";

fn main() {
    println!("cargo::rerun-if-changed={SOURCE}");
    println!("cargo::rerun-if-env-changed=CC");
    let Some(out) = env::var_os("OUT_DIR") else {
        return;
    };
    let program = PathBuf::from(out).join("start");
    let here = env::var_os("TARGET") == env::var_os("HOST");
    let linux = env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|system| system == "linux");
    if !(here && linux && is_compiled(&program)) {
        println!(
            "cargo::warning=no C compiler for this target: `lab probe` leaves out the small program"
        );
        // A file that cannot be written stops the compiler of this crate, which says why.
        let _missing = fs::write(&program, []);
    }
}

fn is_compiled(program: &Path) -> bool {
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-Os", "-static", "-nostdlib", "-ffreestanding", "-fno-pic"]);
    command.args(["-fno-stack-protector", "-Wl,--build-id=none", "-s", "-o"]);
    command.arg(program).arg(SOURCE);
    command.status().is_ok_and(|status| status.success())
}
