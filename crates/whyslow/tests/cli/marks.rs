//! `mark`, and the time of a test case that its program measured itself.

use whyslow_testenv::{Feature, has};

use crate::fixture;
use crate::harness::Place;

#[test]
fn a_mark_is_set_whether_somebody_records_or_not() {
    let place = Place::new();
    for args in [
        &["mark", "warm-up done"][..],
        &["mark", "--value", "requests=17", "--value", "p99=1.5"],
        &["mark", "--", "-n"],
    ] {
        let said = place.run(args);
        let all = (said.code, said.out.as_str(), said.err.as_str());
        assert_eq!(all, (Some(0), "", ""), "{args:?}");
    }
    let long = "x".repeat(3000);
    for (args, wrong) in [
        (&["mark"][..], "whyslow: "),
        (&["mark", ""], "has no text"),
        (&["mark", &long], "too long"),
        (&["mark", "--value", "requests"], "a name and a number"),
    ] {
        let said = place.run(args);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(wrong), "{said:?}");
    }
}

/// The names of what `run` left, without the part that is the machine's and the time's.
fn test_case(place: &Place) -> String {
    let names = place.names();
    let name = names.iter().find(|name| name.ends_with(".whyslow"));
    let name = name.expect("an extract");
    name.split_once("ms")
        .map_or_else(|| "none".to_owned(), |(case, _)| case.to_owned())
}

#[test]
fn the_time_of_a_test_case_may_be_what_its_program_prints() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let script = "echo warm 5 s; printf 'took 1.234 s'; exit 3";
    let said = place.run(&[
        "run",
        "--name",
        "load",
        "--measured",
        "stdout:took (.*)",
        "--",
        "sh",
        "-c",
        script,
    ]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(3), "warm 5 s\ntook 1.234 s")
    );
    assert_eq!(test_case(&place), "load_1234");
}

#[test]
fn the_time_of_a_test_case_may_be_its_exit_code() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let said = place.run(&[
        "run",
        "--name",
        "load",
        "--measured",
        "exit-code",
        "--",
        "sh",
        "-c",
        "exit 77",
    ]);
    assert_eq!(said.code, Some(77), "{said:?}");
    assert_eq!(test_case(&place), "load_77");
}

#[test]
fn a_program_that_measured_nothing_is_no_test_case() {
    if !has(Feature::Recording) {
        return;
    }
    let place = Place::new();
    let said = place.run(&[
        "run",
        "--name",
        "load",
        "--measured",
        "stdout:took (.*)",
        "--",
        "echo",
        "hello",
    ]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "hello\n"),
        "{said:?}"
    );
    assert!(
        said.err
            .contains("not measured: nothing that the command printed"),
        "{said:?}"
    );
    assert_eq!(test_case(&place), "none");
}

#[test]
fn how_a_time_is_measured_is_checked_before_anything_runs() {
    let place = Place::new();
    for how in ["clock", "stdout:took", "stdout:("] {
        let said = place.run(&[
            "run",
            "--name",
            "load",
            "--measured",
            how,
            "--",
            "touch",
            "ran",
        ]);
        assert_eq!(said.code, Some(125), "{said:?}");
    }
    let said = place.run(&["run", "--measured", "mark", "--", "touch", "ran"]);
    assert_eq!(said.code, Some(125), "{said:?}");
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn marks_are_rows_and_measure_a_test_case() {
    if !has(Feature::Bpf) {
        return;
    }
    let place = Place::new();
    let whyslow = env!("CARGO_BIN_EXE_whyslow");
    let script = format!(
        "'{whyslow}' mark 'a/b 100%'; test -e /dev/null/whyslow-mark/by%20hand%0a; \
         '{whyslow}' mark --value requests=17.5 --value measured=4321"
    );
    let said = place.run(&[
        "run",
        "--name",
        "load",
        "--measured",
        "mark",
        "--",
        "sh",
        "-c",
        &script,
    ]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(test_case(&place), "load_4321");
    let names = place.names();
    let extract = names
        .iter()
        .find(|name| name.ends_with(".whyslow"))
        .expect("an extract");
    let marks = place.run(&[
        "marks",
        extract,
        "--format",
        "csv",
        "--columns",
        "process,text,name,value",
    ]);
    let wanted = "whyslow,a/b 100%,,\nsh,by hand\\n,,\nwhyslow,requests=17.5,requests,17.5\n\
                  whyslow,measured=4321,measured,4321";
    // Marks are those of the whole machine: another test may set some meanwhile.
    let is_wanted = |row: &&str| wanted.lines().any(|one| one == *row);
    let rows: Vec<_> = marks.out.lines().skip(1).filter(is_wanted).collect();
    assert_eq!(rows.join("\n"), wanted, "{marks:?}");
    let timeline = place.run(&["timeline", extract]);
    assert!(
        [timeline.out.as_str(), &timeline.err]
            .concat()
            .contains(" by hand\\n; "),
        "{timeline:?}"
    );
    let files = place.run(&["files", extract, "--format", "csv"]);
    assert!(!files.out.contains("whyslow-mark/"), "{files:?}");
}

/// The convention of test programs whose exit code is their time: it need not fit into 8 bits.
#[test]
fn an_exit_code_may_be_longer_than_the_kernel_keeps() {
    if !has(Feature::Bpf) || !has(Feature::Perl) {
        return;
    }
    let place = Place::new();
    let said = place.run(&[
        "run",
        "--name",
        "load",
        "--measured",
        "exit-code",
        "--",
        "perl",
        "-e",
        "exit 1234",
    ]);
    assert_eq!(said.code, Some(1234 & 0xff), "{said:?}");
    assert_eq!(test_case(&place), "load_1234");
}

#[test]
fn marks_are_times_for_questions_and_explanations() {
    let place = Place::new();
    let marks = [
        (20, "load begins"),
        (60, "pass"),
        (70, "pass"),
        (80, "load ends"),
    ];
    fixture::write_marked(&place.path("a.whyslow"), 1, &marks);
    let same = |args: &[&str], by_mark: [&str; 4], by_time: [&str; 4]| {
        let said = |window: [&str; 4]| {
            let said = place.run(&[args, &window[..]].concat());
            assert_eq!(said.code, Some(0), "{said:?}");
            said.out
        };
        assert_eq!(said(by_mark), said(by_time), "{args:?}");
    };
    let load = ["--from", "load begins", "--to", "load ends"];
    same(
        &["threads", "a.whyslow"],
        load,
        ["--from", "20ms", "--to", "80ms"],
    );
    let load = ["--from", "load b", "--to", "pass#2+5ms"];
    same(
        &["why", "a.whyslow", "-f", "json"],
        load,
        ["--from", "20ms", "--to", "75ms"],
    );
    let fails = |args: &[&str], why: &str| {
        let said = place.run(args);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(why), "{said:?}");
    };
    let known = "its marks are 'load begins', 'pass', 'load ends'";
    fails(&["cpu", "a.whyslow", "--from", "lunch"], known);
    fails(&["why", "a.whyslow", "--from", "lunch"], known);
    fails(
        &["cpu", "a.whyslow", "--to", "pass"],
        "choose one with 'pass#1' to 'pass#2'",
    );
    fails(
        &["marks", "a.whyslow", "--time-format", "mark:lunch"],
        known,
    );
    fails(
        &["marks", "a.whyslow", "--time-format", "noon"],
        "mark:NAME",
    );
    let said = place.run(&[
        "marks",
        "a.whyslow",
        "--time-format",
        "mark:pass#1",
        "-c",
        "at,text",
    ]);
    let rows: Vec<String> = said
        .out
        .lines()
        .skip(1)
        .map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let wanted = [
        "-0.040 load begins",
        "0.000 pass",
        "0.010 pass",
        "0.020 load ends",
    ];
    assert_eq!(rows, wanted, "{said:?}");
    assert!(
        said.err
            .contains("times count from the mark 'pass#1', 0.060 s after the start"),
        "{said:?}"
    );
}
