//! Questions asked of a small extract, as tables.

use crate::fixture;
use crate::harness::{Place, golden};

fn place() -> Place {
    let place = Place::new();
    fixture::write(&place.path("app.whyslow"), 1);
    place
}

#[test]
fn every_question_at_eighty_columns() {
    let place = place();
    for question in [
        "processes",
        "threads",
        "cpu",
        "waits",
        "stacks",
        "timeline",
        "stats",
        "problems",
        "missing",
    ] {
        let args = [question, "app.whyslow", "--width", "80"];
        golden(&format!("ask-{question}"), &place, &[&args]);
    }
}

#[test]
fn why_explains_a_process_or_the_recorded_command() {
    golden(
        "why",
        &place(),
        &[
            &["why", "app.whyslow", "--process", "100"],
            &[
                "why",
                "app.whyslow",
                "--process",
                "worker",
                "--from",
                "50ms",
                "--to",
                "150ms",
            ],
            &["why", "app.whyslow"],
            &["why", "app.whyslow", "--process", "nobody"],
        ],
    );
}

#[test]
fn methods_at_several_widths() {
    let ask = |more: &'static [&'static str]| {
        let mut args = vec!["cpu", "app.whyslow", "--functions", "*"];
        args.extend(more);
        args
    };
    let asked = [
        ask(&["--width", "80"]),
        ask(&["--width", "120", "--totals"]),
        ask(&["--wide"]),
        ask(&[
            "--columns",
            "method,cpu,exclusive",
            "--top",
            "3",
            "--sort",
            "exclusive",
        ]),
    ];
    let asked: Vec<&[&str]> = asked.iter().map(Vec::as_slice).collect();
    golden("methods", &place(), &asked);
}

#[test]
fn selections() {
    golden(
        "selections",
        &place(),
        &[
            &[
                "processes",
                "app.whyslow",
                "--process",
                "wor*;!300",
                "--width",
                "100",
            ],
            &["processes", "--new", "--width", "100"],
            &[
                "threads",
                "app.whyslow",
                "--wait",
                "400ms..",
                "--columns",
                "thread,tid,wait",
            ],
            &[
                "cpu",
                "app.whyslow",
                "--cpu",
                "10-100ms",
                "--columns",
                "process,cpu",
            ],
            &[
                "cpu",
                "app.whyslow",
                "--from",
                "0.2s",
                "--to",
                "+100ms",
                "--columns",
                "process,cpu",
            ],
            &["cpu", "app.whyslow", "--process", "nobody"],
            &[
                "stacks",
                "app.whyslow",
                "--functions",
                "parse",
                "--callers",
                "--columns",
                "inclusive,function",
            ],
        ],
    );
}

#[test]
fn nothing_matches_and_why() {
    let asked: [&[&str]; 13] = [
        &["processes", "--process", "work"],
        &["processes", "--process", "4711"],
        &["threads", "--cmdline", "input"],
        &["threads", "--thread", "nobody"],
        &["cpu", "--functions", "pars;nothing"],
        &["stacks", "--functions", "parse", "--process", "bash"],
        &["cpu", "--cpu", "1h.."],
        &["cpu", "--top", "0"],
        &["timeline", "--from", "10s"],
        &["timeline", "--from", "2020-01-01T00:00:00Z", "--to", "+5s"],
        &["threads", "--from", "0.5s", "--to", "500ms"],
        &["timeline", "--rows", "--slice", "1ns"],
        &["stats", "--process", "bash", "--top", "1"],
    ];
    golden("nothing", &place(), &asked);
}

#[test]
fn times_in_every_zone() {
    let ask = |word| {
        [
            "processes",
            "app.whyslow",
            "--columns",
            "process,start",
            "--time-format",
            word,
        ]
    };
    let words = [
        "trace",
        "local",
        "local-time",
        "utc",
        "utc-time",
        "here",
        "here-time",
    ];
    let asked = words.map(ask);
    let asked: Vec<&[&str]> = asked.iter().map(|args| &args[..]).collect();
    golden("times", &place(), &asked);
}

#[test]
fn several_extracts_in_the_order_of_their_test_runs() {
    let place = Place::new();
    fixture::write(&place.path("open_20msbox.20261121-101500.whyslow"), 2);
    fixture::write(&place.path("open_10msbox.20261120-101500.whyslow"), 1);
    golden(
        "several",
        &place,
        &[
            &["cpu", ".", "--columns", "file,process,cpu", "--top", "4"],
            &[
                "cpu",
                "*.whyslow",
                "--columns",
                "file,process,cpu",
                "--totals",
                "--width",
                "80",
            ],
            &["timeline", ".", "--width", "80", "--lines", "2"],
        ],
    );
}

#[test]
fn what_is_not_recorded_is_not_zero() {
    let place = Place::new();
    fixture::write_without_switches(&place.path("app.whyslow"));
    place.run(&["waits", "app.whyslow"]).fails(
        4,
        &[
            "whyslow: cannot answer: the recording does not hold switch stacks",
            "hint: ",
        ],
    );
    let columns = "process,tid,cpu,wait,switches";
    let threads = place.run(&[
        "threads",
        "app.whyslow",
        "--format",
        "csv",
        "--columns",
        columns,
    ]);
    let mut lines = threads.out.lines();
    assert!(lines.next().is_some(), "{threads:?}");
    assert!(lines.all(|line| line.ends_with(",,,")), "{threads:?}");
}

#[test]
fn the_largest_row_is_the_first() {
    let place = place();
    let top = place.run(&[
        "cpu",
        "app.whyslow",
        "--top",
        "1",
        "--columns",
        "process,cpu",
    ]);
    let all = place.run(&["cpu", "app.whyslow", "--columns", "process,cpu"]);
    assert_eq!(top.out.lines().nth(1), all.out.lines().nth(1));
    assert!(
        all.out
            .lines()
            .nth(1)
            .is_some_and(|line| line.contains("worker")),
        "{all:?}"
    );
}

#[test]
fn colors_where_they_are_wanted() {
    let place = place();
    let args = ["cpu", "app.whyslow"];
    let colored = |command: &mut std::process::Command| {
        let output = command.output().expect("the program runs");
        output.stdout.contains(&0x1b)
    };
    assert!(!colored(&mut place.whyslow(&args)), "a pipe");
    assert!(colored(place.whyslow(&args).env("CLICOLOR_FORCE", "1")));
    assert!(!colored(
        place
            .whyslow(&args)
            .env("CLICOLOR_FORCE", "1")
            .env("NO_COLOR", "1")
    ));
    let no_color = ["cpu", "app.whyslow", "--no-color"];
    assert!(!colored(
        place.whyslow(&no_color).env("CLICOLOR_FORCE", "1")
    ));
}

#[test]
fn names_that_are_known_stay_where_a_new_look_up_finds_nothing() {
    let place = place();
    let args = ["cpu", "app.whyslow", "--functions", "*", "--format", "csv"];
    let before = place.run(&args).out;
    std::fs::create_dir(place.path("empty")).expect("a directory");
    let said = place.run(&["symbolize", "app.whyslow", "--from", "empty"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.err.contains("8 of 9 code addresses have a name"),
        "{said:?}"
    );
    let after = place.run(&args).out;
    // What had no name may have another reason now.
    let named = |text: &str| {
        text.lines()
            .filter(|line| !line.contains("[unresolved]"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(named(&before), named(&after));
    let problems = place
        .run(&["problems", "app.whyslow", "--format", "csv"])
        .out;
    assert!(
        problems.contains("1 of 9 code addresses have no name"),
        "{problems}"
    );
    place
        .run(&["symbolize", "app.whyslow", "--from", "nowhere"])
        .fails(3, &["whyslow: cannot look for symbols in nowhere"]);
}

/// The fixture's recording is 1 s long, and its worker runs from 0.1 s to 0.9 s.
#[test]
fn a_time_outside_of_the_recording_is_no_answer() {
    let place = Place::new();
    fixture::write(&place.path("a.whyslow"), 1);
    let long = "outside the recording, which is 1.000 s long";
    let windows: [(&[&str], &str); 3] = [
        (&["--from", "100s"], "--from lies"),
        (&["--to", "-1s"], "--to lies"),
        (&["--from", "2s", "--to", "3s"], "--from and --to lie"),
    ];
    for (window, options) in windows {
        let ask = |words: &[&str]| place.run(&[words, window].concat());
        let why = format!("whyslow: cannot answer: {options} {long}");
        ask(&["why", "a.whyslow"]).fails(1, &[&why]);
        ask(&["why", "a.whyslow", "-p", "worker"]).fails(1, &[&why]);
        for question in whyslow_query::questions::ALL {
            let said = ask(&[question.name, "a.whyslow"]);
            let about_all = question.about_what == whyslow_query::question::Subject::Recording;
            match about_all {
                true => assert!(said.err.contains("is not used"), "{said:#?}"),
                false => {
                    assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:#?}");
                    let note = format!("note: {options} {long}");
                    assert!(said.err.contains(&note), "{}: {said:#?}", question.name);
                }
            }
        }
    }
    let said = place.run(&["why", "a.whyslow", "-p", "worker", "--from", "950ms"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(
        said.out.replace('\n', " ").contains(
            "It did not run in the selected time: it started 100 ms and ended 900 ms after the recording began."
        ),
        "{said:#?}"
    );
}
