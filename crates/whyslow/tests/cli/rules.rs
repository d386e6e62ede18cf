//! Rules of a user: `why --rules`, `now --rules`, `why --check`, and `--where` of the questions they ask.

use std::process::Command;

use whyslow_testenv::{Feature, has};

use crate::fixture;
use crate::harness::{Place, Said, golden};

const RULES: &str = r#"# Rules of the team.
[[rule]]
name = "pool"
question = "waits"
when = ["process=work*", "class=lock"]
total = ["waits>=1"]
time = "wait"
about = "process"
text = "{process} waited for its pool: {share} of the time"
advice = "Give it more workers."
tags = ["team"]

[[rule.example]]
finds = true
rows = [{ process = "worker", class = "lock", wait = "300ms", waits = 1 }]

[[rule]]
name = "others"
question = "processes"
scope = "machine"
when = ["process=bash"]
text = "{process} ran on the machine"
"#;

fn place() -> Place {
    let place = Place::new();
    fixture::write(&place.path("app.whyslow"), 1);
    place.write("team.toml", RULES.as_bytes());
    place.write(
        "bad.toml",
        RULES
            .replace("waits>=1", "wait>=1h\", \"wits>=1")
            .replace("class=lock", "class>5")
            .as_bytes(),
    );
    place.write("bytes.toml", b"[[rule]]\nname = \"\xff\"\n");
    place
}

#[test]
fn rules_are_checked_and_make_findings() {
    let of_100 = [
        "why",
        "app.whyslow",
        "--process",
        "100",
        "--rules",
        "team.toml",
    ];
    let with = |more: &[&'static str]| {
        of_100
            .iter()
            .copied()
            .chain(more.iter().copied())
            .collect::<Vec<_>>()
    };
    golden(
        "rules",
        &place(),
        &[
            &["why", "--check", "team.toml"],
            &with(&[]),
            &with(&["--finding", "rule:pool"]),
            &[
                "waits",
                "app.whyslow",
                "--width",
                "80",
                "--process",
                "100",
                "--with-children",
                "--where",
                "process=work*",
                "--where",
                "class=lock",
                "--sort",
                "wait",
            ],
            &["why", "app.whyslow", "--rules", "team.toml"],
            &["why", "--check", "bad.toml"],
            &["why", "app.whyslow", "--rules", "bad.toml"],
            &["why", "--check", "bytes.toml"],
            &["why", "--check", "missing.toml"],
            &with(&["--finding", "rule:pool", "--share", "--redact"]),
            &["waits", "app.whyslow", "--where", "class>5"],
            &["waits", "app.whyslow", "--where", "clas=lock"],
            &["waits", "app.whyslow", "--where", "class=none"],
            &["waits", "app.whyslow", "--with-children"],
        ],
    );
}

#[test]
fn findings_of_rules_are_in_the_json() {
    let place = place();
    let args = [
        "why",
        "app.whyslow",
        "--process",
        "100",
        "--rules",
        "team.toml",
        "-f",
        "json",
    ];
    let said = place.run(&args);
    let parts = [
        r#"{"id":"rule:pool","key":"rule:pool-"#,
        r#""cause":"rule:pool","confidence":"possible","share":0.3,"wall_ns":300000000,"explained_ns":0,"below":null,"#,
        r#""facts":{"rows":1,"tags":"team"}"#,
        r#""rule":{"file":"team.toml","line":2}"#,
    ];
    for part in parts {
        assert!(said.out.contains(part), "{part} is not in {}", said.out);
    }
    // What was not recorded is said.
    fixture::write_without_switches(&place.path("other.whyslow"));
    let other: Vec<&str> = args
        .iter()
        .map(|word| {
            if *word == "app.whyslow" {
                "other.whyslow"
            } else {
                word
            }
        })
        .collect();
    let said = place.run(&other);
    let untried = "Your rule pool (team.toml, line 2) was not tried: the recording does not hold switch stacks";
    assert!(said.out.contains(untried), "{said:?}");
    // What is accepted is not shown.
    place.write("known", b"rule:pool work* 9999-01-01 It is known.\n");
    let said = place.run(&[
        "why",
        "app.whyslow",
        "--process",
        "100",
        "--rules",
        "team.toml",
        "--ignore",
        "known",
    ]);
    assert!(
        said.out
            .contains("rule:pool (until 9999-01-01: It is known)"),
        "{said:?}"
    );
    assert!(!said.out.contains("waited for its pool"), "{said:?}");
}

/// Finds that threads of a program ran, and that the machine has a shell.
const OF_NOW: &str = r#"[[rule]]
name = "ran"
question = "threads"
text = "its threads ran: {rows}"

[[rule]]
name = "any"
question = "processes"
scope = "machine"
when = ["process=sh"]
text = "a shell is there"
"#;

#[test]
fn what_runs_now_is_tried_with_rules() {
    if !has(Feature::Recording) || !has(Feature::Root) {
        return;
    }
    let place = Place::new();
    place.write("now.toml", OF_NOW.as_bytes());
    let mut shell = Command::new("sh")
        .args(["-c", "while :; do :; done"])
        .spawn()
        .expect("a shell");
    let pid = shell.id().to_string();
    let args = ["now", "--for", "300ms", "--rules", "now.toml"];
    let machine = place.run(&args);
    let one = place.run(&[&args[..], &["--process", &pid]].concat());
    place.write("known", b"rule:ran * 9999-01-01 It is known.\n");
    let known = ["--process", &pid, "--ignore", "known"];
    let known = place.run(&[&args[..], &known].concat());
    let _ended = shell.kill().and_then(|()| shell.wait());
    let says = |said: &Said, words: &str| said.sentences().contains(words);
    assert!(says(&machine, "a shell is there"), "{machine:?}");
    assert!(says(&one, "its threads ran: 1"), "{one:?}");
    assert!(!says(&known, "its threads ran"), "{known:?}");
}

#[test]
fn now_refuses_rules_with_mistakes_before_anything_is_recorded() {
    let place = place();
    let before = place.names();
    let said = place.run(&["now", "--rules", "bad.toml"]);
    let hint = "hint: whyslow why --check bad.toml lists all that is wrong";
    said.fails(3, &["whyslow: cannot use bad.toml: ", hint]);
    assert_eq!(place.names(), before);
}
