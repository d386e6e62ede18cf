//! Commands beside each other, and experiments that were kept, from the command line. No time is asserted.

use std::fs;

use crate::harness::Place;
use crate::lab::column;

#[test]
fn commands_beside_each_other_have_names() {
    let place = Place::new();
    let first = [
        "lab", "command", "-n", "1..4", "--passes", "1", "--name", "up", "-f", "csv", "--", "seq",
        "{}",
    ];
    let second = ["--vs", "--name", "down", "--", "seq", "{}", "-1", "1"];
    let said = place.run(&[&first[..], &second].concat());
    assert_eq!(column(&said, "arm"), ["up", "down"]);
    assert_eq!(column(&said, "operations"), ["3", "3"]);
    let table: Vec<&str> = first
        .iter()
        .copied()
        .filter(|word| !["-f", "csv"].contains(word))
        .collect();
    let said = place.run(&[&table[..], &second].concat());
    for part in ["command, up", "command, down", "all runs together"] {
        assert!(said.out.contains(part), "{part}: {said:#?}");
    }
    let said = place.run(&[
        "lab", "command", "--count", "3", "--passes", "1", "-f", "csv", "--", "true",
    ]);
    assert_eq!(column(&said, "operations"), ["3"]);
    let missing = place.run(&[
        "lab", "command", "-n", "1", "--", "true", "{}", "--vs", "true",
    ]);
    missing.fails(
        2,
        &[
            "whyslow: the command after --vs is missing",
            "hint: for example: ",
        ],
    );
    let unused = place.run(&["lab", "command", "-n", "1..8", "--", "seq", "10"]);
    unused.fails(
        2,
        &[
            "whyslow: \"seq 10\" would run alike for every number: it has no {}",
            "hint: ",
        ],
    );
    let stray = place.run(&["lab", "create", "--name", "a"]);
    stray.fails(
        2,
        &["whyslow: the command after --name a is missing", "hint: "],
    );
}

#[test]
fn a_command_that_fails_is_told_with_its_number_and_fails_the_lab() {
    let place = Place::new();
    let fails = ["sh", "-c", "test {} -lt 4 || exit 7"];
    let one = [
        &[
            "lab", "command", "-n", "1..16", "--passes", "1", "--name", "a", "--",
        ][..],
        &fails,
    ]
    .concat();
    let said = place.run(&one);
    assert_eq!(said.code, Some(3), "{said:#?}");
    let told = "It failed after 2 of 5 runs: the command ended with exit code 7 at n = 4.";
    assert!(said.out.contains(told), "{said:#?}");
    let both = place.run(&[&one[..], &["--vs", "--name", "b", "--", "true", "{}"]].concat());
    assert_eq!(both.code, Some(3), "{both:#?}");
    assert!(
        both.out.contains("command, b") && both.out.contains(told),
        "{both:#?}"
    );
    let first = place.run(&[
        "lab",
        "command",
        "-n",
        "1..16",
        "--",
        "sh",
        "-c",
        "exit 7 # {}",
    ]);
    let why =
        "whyslow: cannot measure: A run of the command failed the first time: exit code 7 at n = 1";
    first.fails(3, &[why]);
    let suite = "[[case]]\ncase = \"command\"\nnumbers = \"1..16\"\npasses = 1\n\
        command = { a = [\"sh\", \"-c\", \"test {} -lt 4 || exit 7\"], b = [\"true\", \"{}\"] }\n";
    place.write("suite.toml", suite.as_bytes());
    let suite = place.run(&["lab", "suite", "suite.toml"]);
    assert_eq!(suite.code, Some(3), "{suite:#?}");
    assert!(
        suite.out.contains("command, a") && suite.out.contains("exit code 7"),
        "{suite:#?}"
    );
}

#[test]
fn numbers_are_taken_as_people_write_them() {
    let place = Place::new();
    for number in ["2k", "2e3", "2,000", "2_000"] {
        let said = place.run(&[
            "lab", "create", "--count", number, "--passes", "1", "-f", "csv",
        ]);
        assert_eq!(column(&said, "operations"), ["2000", "2000"], "{number}");
    }
    let said = place.run(&[
        "lab",
        "create",
        "--count",
        "20",
        "--prefill",
        "1,000",
        "-f",
        "csv",
    ]);
    assert_eq!(column(&said, "prefilled")[0], "1000");
    let odd = place.run(&["lab", "rename", "--jobs", "1,000"]);
    assert_eq!(odd.code, Some(2), "{odd:#?}");
    assert!(
        odd.err.contains("commas separate the numbers of a list"),
        "{odd:#?}"
    );
}

#[test]
fn kept_experiments_are_compared() {
    let place = Place::new();
    for kept in ["a", "b"] {
        let said = place.run(&[
            "lab", "create", "--count", "400", "--passes", "1", "-o", kept,
        ]);
        assert_eq!(said.code, Some(0), "{said:#?}");
    }
    let said = place.run(&["lab", "compare", "a", "b"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    for part in [
        "arguments: lab create",
        "-o a → ",
        "create, on ",
        "delete, on ",
        "Mean",
    ] {
        assert!(said.out.contains(part), "{part}: {said:#?}");
    }
    let said = place.run(&["lab", "compare", "a", "b/operations.parquet", "-f", "csv"]);
    assert_eq!(column(&said, "operation"), ["create", "delete"]);
    assert_eq!(column(&said, "before_operations"), ["400", "400"]);
    let same = place.run(&["lab", "compare", "a", "a"]);
    assert_eq!(
        same.out.matches("the same as before").count(),
        2,
        "nothing differs from itself: {same:#?}"
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let place = Place::new();
    for (kept, case) in [("a", "create"), ("b", "stat")] {
        let said = place.run(&["lab", case, "--count", "50", "--passes", "1", "-o", kept]);
        assert_eq!(said.code, Some(0), "{said:#?}");
    }
    place.run(&["lab", "compare", "a", "b"]).fails(
        3,
        &[
            "whyslow: cannot compare these experiments: they have no series in common",
            "hint: the first has: create, ",
        ],
    );
    place
        .run(&["lab", "compare", "a"])
        .fails(2, &["whyslow: compare needs two experiments", "hint: "]);
    place
        .run(&["lab", "compare", "a", "none"])
        .fails(3, &["whyslow: cannot read none: no such file", "hint: "]);
    fs::write(place.path("odd"), b"PAR1 it is not").expect("written");
    let odd = place.run(&["lab", "compare", "a", "odd"]);
    odd.fails(3, &["whyslow: cannot read odd: ", "hint: "]);
    place.run(&["lab", "create", "a", "b"]).fails(
        2,
        &["whyslow: only lab suite, lab compare and lab law take files"],
    );
    place
        .run(&["lab", "compare", "a", "b", "--count", "5"])
        .fails(2, &["whyslow: compare measures nothing", "hint: "]);
}
