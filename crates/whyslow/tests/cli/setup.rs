//! Who may record: what `setup` says, and what a copy with rights does for a user who is not root.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use whyslow_setup::{Copy, Error};
use whyslow_testenv::{Feature, has};

use crate::harness::{Place, Said};

/// Nobody has this number; a user needs no account.
const ANN: u32 = 54_321;

/// Runs a program as Ann.
fn by_ann(program: &Path, place: &Place, args: &[&str]) -> Said {
    let mut command = Command::new(program);
    command.args(args).current_dir(place.path("."));
    command.uid(ANN).gid(ANN).stdin(Stdio::null());
    command.env("SUDO_UID", "0").env("SUDO_GID", "0");
    Said::of(command.output().expect("the program runs"))
}

#[test]
fn what_is_possible_is_explained_and_nothing_is_changed() {
    let place = Place::new();
    let said = place.run(&["setup"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for part in [
        "This page changes nothing.",
        "sudo whyslow run -- make",
        "sudo sysctl kernel.perf_event_paranoid=1",
    ] {
        assert!(said.out.contains(part), "{part} is not in {said:?}");
    }
    assert_eq!(place.run(&["setup", "--group", "root"]).code, Some(2));
    if has(Feature::Root) {
        let program = Path::new(env!("CARGO_BIN_EXE_whyslow"));
        let open = Permissions::from_mode(0o777);
        fs::set_permissions(place.path("."), open).expect("a directory for everybody");
        let said = by_ann(program, &place, &["setup", "--capabilities"]);
        said.fails(
            3,
            &["whyslow: cannot set up: only root can do this", "hint: "],
        );
    }
}

#[test]
fn a_copy_with_rights_records_and_does_nothing_else_with_them() {
    if !has(Feature::Root) || !has(Feature::Bpf) || !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let open = Permissions::from_mode(0o777);
    fs::set_permissions(place.path("."), open).expect("a directory for everybody");
    let copy = Copy::at(&place.path("lib"));
    let mut program = File::open(env!("CARGO_BIN_EXE_whyslow")).expect("the program");
    let made = match copy.make(&mut program, env!("CARGO_PKG_VERSION"), None) {
        // The file system gives files no rights.
        Err(Error::NoRights(_) | Error::OldKernel) => return,
        made => made.expect("a copy"),
    };
    place.write("secret", b"root's alone");
    fs::set_permissions(place.path("secret"), Permissions::from_mode(0o600)).expect("a mode");
    fs::create_dir(place.path("roots")).expect("a directory");
    let by_ann = |args: &[&str]| by_ann(&made.path, &place, args);

    let script =
        "grep -E 'Cap(Inh|Prm|Eff|Amb)' /proc/self/status | grep -c '0000000000000000'; id -u";
    let said = by_ann(&["record", "-o", "t.data", "--", "sh", "-c", script]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "4\n54321\n"),
        "{said:?}"
    );
    assert!(!said.err.contains("not recorded: "), "{said:?}");
    assert_eq!(
        place.path("t.data").metadata().expect("it is there").uid(),
        ANN
    );
    let said = by_ann(&["extract", "secret"]);
    assert!(
        said.err.contains("cannot read secret: permission denied"),
        "{said:?}"
    );
    let said = by_ann(&["record", "-o", "roots/t.data", "--", "true"]);
    assert!(
        said.err.contains("roots/t.data: permission denied"),
        "{said:?}"
    );
    let said = by_ann(&["record", "-o", "u.data", "--user", "root", "--", "true"]);
    assert!(
        said.err.contains("only root can run a command as root"),
        "{said:?}"
    );
    let event = "../../../../../etc:x";
    let said = by_ann(&["record", "-o", "v.data", "--event", event, "--", "true"]);
    assert!(
        said.err.contains(&format!("not recorded: events {event}")),
        "{said:?}"
    );
    copy.undo().expect("it was there");
    assert!(!place.path("lib").exists());
}
