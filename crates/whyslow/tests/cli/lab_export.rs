//! Experiments as programs for other machines: they are built and run where something here can do that, and
//! their logs have a row for every operation, or for every block of them.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use whyslow_testenv::{Feature, has};

use crate::harness::{Place, Said};

/// The cases that there are programs for, and the logs that each writes.
const CASES: [(&str, &[&str]); 7] = [
    ("create", &["create", "delete"]),
    ("rename", &["rename"]),
    ("stat", &["stat"]),
    ("open", &["open"]),
    ("list", &["list"]),
    ("reopen", &["reopen"]),
    ("write", &["write"]),
];

const COUNT: u64 = 300;

/// Writes the program of `case` in a language into the place; returns the name of its file.
fn exported(place: &Place, case: &str, language: &str) -> String {
    let mut args = vec!["lab", "export", case, "--count", "300", "--as", language];
    if ["create", "rename", "stat", "open"].contains(&case) {
        args.extend(["--prefill", "20"]);
    }
    if case == "write" {
        args.extend(["--size", "5k"]);
    }
    let said = place.run(&args);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(
        !said.out.contains("@if ") && !said.out.contains("@end"),
        "{said:#?}"
    );
    assert!(
        said.out
            .contains(&format!("whyslow lab {case} --count 300")),
        "{said:#?}"
    );
    let file = format!("{case}.{language}");
    place.write(&file, said.out.as_bytes());
    file
}

fn run(place: &Place, program: &str, args: &[&str], environment: &[(&str, &str)]) {
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(place.path(""))
        .stdin(Stdio::null());
    command.envs(environment.iter().copied());
    let mut said = Said::of(command.output().expect("it runs"));
    // On a busy machine, Wine may give up before its own services are there; then nothing has run.
    for _ in 0..5 {
        if !said.out.contains("Application could not be started") {
            break;
        }
        std::thread::sleep(Duration::from_secs(2));
        said = Said::of(command.output().expect("it runs"));
    }
    assert_eq!(said.code, Some(0), "{program} {args:?}: {said:#?}");
}

/// Asserts what the logs of a case hold, and that nothing else stayed.
fn logged(place: &Place, logs: &[&str], every_one: bool, files: &[&str]) {
    for log in logs {
        let text = std::fs::read_to_string(place.path(&format!("{log}.csv"))).expect("the log");
        let mut lines = text.lines();
        let header = lines.next();
        assert!(
            matches!(header, Some("n,duration_ns" | "n,duration_us")),
            "{log}: {header:?}"
        );
        let rows: Vec<(f64, f64)> = lines
            .map(|line| {
                let (n, ns) = line.split_once(',').expect("two columns");
                (n.parse().expect("a size"), ns.parse().expect("a duration"))
            })
            .collect();
        assert!(
            rows.windows(2).all(|pair| pair[0].0 <= pair[1].0),
            "{log}: sizes do not fall: {text}"
        );
        let (last, _) = *rows.last().expect("rows");
        let before = match *log {
            "create" | "rename" | "stat" | "open" => 20.0,
            _ => 0.0,
        };
        // Files of which only some are looked at are made at once, as many as go into a block.
        let most = before
            + if *log == "stat" || *log == "open" {
                600.0
            } else {
                300.0
            };
        assert!(
            (before + 300.0..=most).contains(&last),
            "{log} ends at {last}"
        );
        let step = if *log == "list" { 2 } else { 1 };
        if every_one {
            assert_eq!(
                rows.len(),
                usize::try_from(COUNT / step).expect("few"),
                "{log}"
            );
        }
        std::fs::remove_file(place.path(&format!("{log}.csv"))).expect("removed");
    }
    let mut files = files.to_vec();
    files.sort_unstable();
    assert_eq!(place.names(), files, "the directory and its files are gone");
}

#[test]
fn a_c_program_is_built_and_times_every_operation() {
    if !has(Feature::Cc) {
        return;
    }
    for (case, logs) in CASES {
        let place = Place::new();
        let source = exported(&place, case, "c");
        let warnings = [
            "-Wall", "-Wextra", "-Werror", "-std=c11", "-O1", "-o", "program",
        ];
        run(
            &place,
            "cc",
            &[&warnings[..], &[source.as_str()]].concat(),
            &[],
        );
        run(&place, "./program", &["files"], &[]);
        logged(&place, logs, true, &[source.as_str(), "program"]);
    }
}

#[test]
fn two_workers_share_a_directory() {
    if !has(Feature::Cc) {
        return;
    }
    let place = Place::new();
    let source = exported(&place, "rename", "c");
    run(&place, "cc", &["-o", "program", &source], &[]);
    let start = |worker: &str| {
        let mut command = Command::new("./program");
        command
            .args(["files", worker])
            .current_dir(place.path(""))
            .stdout(Stdio::null());
        command.spawn().expect("it runs")
    };
    let both = [start("0"), start("1")];
    for mut one in both {
        assert!(one.wait().expect("it ends").success());
    }
    let names = place.names();
    let logs = ["rename-1.csv", "rename.csv"];
    assert!(
        logs.iter().all(|log| names.iter().any(|name| name == log)),
        "{names:?}"
    );
    assert!(!names.iter().any(|name| name == "files"), "{names:?}");
}

#[test]
fn a_shell_script_runs() {
    // That of Android counts to 2^31 only.
    for shell in ["sh", "mksh"] {
        if shell != "sh" && Command::new(shell).args(["-c", ":"]).output().is_err() {
            continue;
        }
        for (case, logs) in CASES {
            let place = Place::new();
            let script = exported(&place, case, "sh");
            run(&place, shell, &[&script, "a file's place"], &[]);
            logged(&place, logs, false, &[&script]);
        }
    }
}

#[test]
fn scripts_of_windows_run() {
    if !has(Feature::Wine) {
        return;
    }
    let wine = "/usr/lib/wine/wine64";
    let home = Place::new();
    let prefix = home.path("wine");
    let prefix = prefix.to_str().expect("a path");
    // Wine writes the time of day without seconds; a clock that stands still is good enough here.
    let environment = [
        ("WINEPREFIX", prefix),
        ("WINEDEBUG", "-all"),
        ("WINEDLLOVERRIDES", "mscoree,mshtml="),
        ("TIME", "12:00:00.00"),
    ];
    for (case, logs) in CASES {
        let place = Place::new();
        let script = exported(&place, case, "vbs");
        run(
            &place,
            wine,
            &["cscript", "//nologo", &script, "files"],
            &environment,
        );
        logged(&place, logs, false, &[&script]);
        let place = Place::new();
        let script = exported(&place, case, "cmd");
        run(
            &place,
            wine,
            &["cmd", "/c", &format!("./{script}"), "files"],
            &environment,
        );
        logged(&place, logs, false, &[&script]);
    }
    run(&home, "/usr/lib/wine/wineserver64", &["-w"], &environment);
}

#[test]
fn a_powershell_script_runs() {
    if !has(Feature::PowerShell) {
        return;
    }
    for (case, logs) in CASES {
        let place = Place::new();
        let script = exported(&place, case, "ps1");
        run(
            &place,
            "pwsh",
            &["-NoProfile", "-File", &script, "files"],
            &[],
        );
        logged(&place, logs, true, &[&script]);
    }
}

#[test]
fn what_cannot_be_exported_is_refused() {
    let place = Place::new();
    let refused = |args: &[&str], lines: &[&str]| {
        place
            .run(&[&["lab", "export"][..], args].concat())
            .fails(2, lines);
    };
    refused(
        &[],
        &[
            "whyslow: export needs the name of a case",
            "hint: for example",
        ],
    );
    refused(
        &["dance", "--as", "c"],
        &[
            "whyslow: export needs the name of a case",
            "hint: for example",
        ],
    );
    refused(
        &["create"],
        &[
            "whyslow: export needs a language",
            "hint: --as takes c, ps1, cmd, vbs, sh",
        ],
    );
    refused(
        &["spawn", "--as", "c"],
        &[
            "whyslow: there is no program for the case spawn",
            "hint: there are create, ",
        ],
    );
    refused(
        &["rename", "--as", "c", "--jobs", "5"],
        &[
            "whyslow: --jobs cannot be exported",
            "hint: start the program",
        ],
    );
    refused(
        &["create", "--as", "c", "--on", "tmpfs"],
        &[
            "whyslow: an exported program works in its own directory",
            "hint: leave out --on",
        ],
    );
    refused(
        &["create", "--as", "cmd", "--dir", "D:\\\"x"],
        &[
            "whyslow: D:\\\"x cannot be written in a program",
            "hint: leave out --dir",
        ],
    );
    assert_eq!(
        place
            .run(&["lab", "export", "create", "--as", "cobol"])
            .code,
        Some(2)
    );
    let said = place.run(&["lab", "create", "--count", "5", "--as", "c"]);
    said.fails(2, &["whyslow: --as belongs to lab export"]);
}

#[test]
fn a_directory_cannot_become_a_command() {
    let place = Place::new();
    let dir = "it's $(touch gone) `touch gone`";
    let said = place.run(&[
        "lab", "export", "create", "--count", "20", "--as", "sh", "--dir", dir,
    ]);
    place.write("create.sh", said.out.as_bytes());
    run(&place, "sh", &["create.sh"], &[]);
    assert!(!place.path("gone").exists(), "{:?}", place.names());
    assert!(Path::new(&place.path("create.csv")).exists());
}
