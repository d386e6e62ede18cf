//! Whose a recorded command is, and whose the files are: those of the person who called sudo.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use whyslow_testenv::{Feature, has};

use crate::harness::{Place, Said};

/// Nobody has this number; a user needs no account.
const ANN: u32 = 54_321;
const ANNS_GROUP: u32 = 54_322;

/// Says who it is, with which groups, where, and in which environment.
const WHO: &str =
    "id -u; id -g; id -G; pwd; echo $HOME $USER; echo $FOR_THIS; env | grep -c SUDO; touch made";

fn place() -> Place {
    let place = Place::new();
    let open = fs::Permissions::from_mode(0o777);
    fs::set_permissions(place.path("."), open).expect("a directory for everybody");
    place
}

/// Runs the program as if `sudo` had started it for Ann.
fn by_sudo(place: &Place, args: &[&str]) -> Said {
    let mut command = place.whyslow(args);
    command.env("SUDO_UID", ANN.to_string());
    command.env("SUDO_GID", ANNS_GROUP.to_string());
    command.env("SUDO_USER", "ann").env("HOME", "/root");
    command.env("FOR_THIS", "kept");
    Said::of(command.output().expect("the program runs"))
}

fn owners(place: &Place) -> Vec<(String, u32, u32)> {
    let mut found = Vec::new();
    for name in place.names() {
        let path = place.path(&name);
        let mut all = vec![path.clone()];
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("the directory");
            all.extend(entries.map(|entry| entry.expect("an entry").path()));
        }
        for path in all {
            let meta = path.symlink_metadata().expect("it is there");
            found.push((name.clone(), meta.uid(), meta.gid()));
        }
    }
    found
}

#[test]
fn a_command_of_sudo_is_its_callers_and_so_are_the_files() {
    if !has(Feature::Root) || !has(Feature::Recording) {
        return;
    }
    let place = place();
    let args = [
        "run",
        "--keep-trace",
        "--output-dir",
        "new/runs",
        "-o",
        "why.txt",
        "--",
    ];
    let said = by_sudo(&place, &[&args[..], &["sh", "-c", WHO]].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    let folder = fs::canonicalize(place.path(".")).expect("a path");
    let expected = format!(
        "54321\n54322\n54322\n{}\n/ ann\nkept\n0\n",
        folder.display()
    );
    assert_eq!(said.out, expected);
    // No call of sudo is there, so the user may have expected root.
    assert!(
        said.err
            .contains("the command runs as ann, who called sudo"),
        "{said:?}"
    );
    let found = owners(&place);
    assert!(found.len() > 3, "{found:?}");
    let runs = fs::read_dir(place.path("new/runs"))
        .expect("the directory")
        .count();
    assert_eq!(runs, 2);
    for (name, user, group) in found {
        assert_eq!((user, group), (ANN, ANNS_GROUP), "{name}");
    }
}

#[test]
fn it_is_roots_if_that_is_wanted() {
    if !has(Feature::Root) || !has(Feature::Recording) {
        return;
    }
    let place = place();
    let said = by_sudo(&place, &["run", "--as-root", "--", "sh", "-c", WHO]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.starts_with("0\n0\n"), "{said:?}");
    assert!(
        owners(&place).iter().all(|(_, user, _)| *user == 0),
        "{said:?}"
    );
}

#[test]
fn a_command_can_be_any_users() {
    if !has(Feature::Root) || !has(Feature::Recording) {
        return;
    }
    let place = place();
    let said = place.run(&[
        "record", "-o", "x.data", "--user", "54321", "--", "id", "-u",
    ]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "54321\n"),
        "{said:?}"
    );
    // The recording holds what everybody did.
    assert!(
        owners(&place).iter().all(|(_, user, _)| *user == 0),
        "{said:?}"
    );
    let said = place.run(&["run", "--user", "no such user", "--", "true"]);
    assert_eq!(said.code, Some(125), "{said:?}");
    assert!(
        said.err.contains("there is no account \"no such user\""),
        "{said:?}"
    );
    let said = place.run(&["run", "--user", "54321", "--", "/root/no-such-program"]);
    assert!(
        said.err.contains("cannot run /root/no-such-program"),
        "{said:?}"
    );
}
