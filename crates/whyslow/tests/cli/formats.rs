//! CSV, JSON, Parquet, files.

use std::fs;

use crate::fixture;
use crate::harness::{Place, golden};

fn place() -> Place {
    let place = Place::new();
    fixture::write(&place.path("app.whyslow"), 1);
    place
}

#[test]
fn csv_and_json_hold_raw_values() {
    let place = place();
    golden(
        "csv",
        &place,
        &[
            &["processes", "app.whyslow", "--format", "csv"],
            &[
                "cpu",
                "app.whyslow",
                "--functions",
                "*",
                "--format",
                "csv",
                "--top",
                "4",
            ],
        ],
    );
    golden(
        "json",
        &place,
        &[
            &["processes", "app.whyslow", "--format", "json", "--totals"],
            &["problems", "app.whyslow", "--format", "json"],
        ],
    );
}

#[test]
fn a_suffix_says_the_format() {
    let place = place();
    let said = place.run(&["cpu", "app.whyslow", "-o", "cpu.csv"]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), ""));
    let file = fs::read_to_string(place.path("cpu.csv")).expect("a file");
    assert_eq!(
        file,
        place.run(&["cpu", "app.whyslow", "--format", "csv"]).out
    );
}

#[test]
fn nothing_is_overwritten_unasked() {
    let place = place();
    place.write("cpu.csv", b"mine");
    let said = place.run(&["cpu", "app.whyslow", "-o", "cpu.csv"]);
    said.fails(
        3,
        &[
            "whyslow: cannot write cpu.csv: it already exists",
            "hint: choose another name",
        ],
    );
    assert_eq!(fs::read(place.path("cpu.csv")).expect("a file"), b"mine");
    assert_eq!(
        place
            .run(&["cpu", "app.whyslow", "-o", "cpu.csv", "--force"])
            .code,
        Some(0)
    );
    assert_eq!(place.names(), ["app.whyslow", "cpu.csv"]);
}

#[test]
fn parquet_needs_a_file() {
    let place = place();
    assert_eq!(
        place
            .run(&["processes", "app.whyslow", "-o", "p.parquet"])
            .code,
        Some(0)
    );
    let bytes = fs::read(place.path("p.parquet")).expect("a file");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    let said = place.run(&["cpu", "app.whyslow", "--format", "parquet"]);
    said.fails(
        2,
        &[
            "whyslow: Parquet is not for a terminal",
            "hint: name a file",
        ],
    );
}

#[test]
fn a_reader_that_stops_is_no_failure() {
    let place = place();
    let mut command = place.whyslow(&["threads", "app.whyslow", "--format", "json"]);
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"");
}
