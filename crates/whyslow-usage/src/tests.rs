//! What the user reads about a command line that is not understood.

use clap::{ArgAction, value_parser};

use super::*;

fn program() -> Command {
    let duration = |text: &str| match text.ends_with('s') {
        true => Ok(text.to_owned()),
        false => Err("it does not end with a unit".to_owned()),
    };
    let cpu = Command::new("cpu")
        .arg(
            Arg::new("top")
                .long("top")
                .value_name("N")
                .value_parser(value_parser!(u16)),
        )
        .arg(
            Arg::new("for")
                .long("for")
                .value_name("TIME")
                .value_parser(duration),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(["table", "csv", "json"]),
        )
        .arg(
            Arg::new("all")
                .long("all")
                .action(ArgAction::SetTrue)
                .conflicts_with("top"),
        );
    let export = Command::new("export")
        .arg(
            Arg::new("output")
                .long("output")
                .value_name("DIR")
                .required(true),
        )
        .arg(
            Arg::new("extract")
                .value_name("EXTRACT")
                .required(true)
                .num_args(1..),
        );
    Command::new("whyslow").subcommand(cpu).subcommand(export)
}

fn said(line: &str) -> (String, String) {
    let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
    let error = program().try_get_matches_from(&words).unwrap_err();
    let Misunderstood { what, hint } = explain(&error, &program(), &words);
    (what, hint)
}

#[track_caller]
fn says(line: &str, what: &str, hint: &str) {
    assert_eq!(said(line), (what.to_owned(), hint.to_owned()), "{line}");
}

#[test]
fn what_is_not_known_is_named_with_what_may_be_meant() {
    says(
        "whyslow cpu --nonsense",
        "`whyslow cpu` has no option --nonsense",
        "`whyslow cpu --help` lists the options",
    );
    says(
        "whyslow cpu --fromat csv",
        "`whyslow cpu` has no option --fromat",
        "did you mean --format? `whyslow cpu --help` lists the options",
    );
    says(
        "whyslow cpu more",
        "`whyslow cpu` does not expect \"more\"",
        "`whyslow cpu --help` lists the options",
    );
    says(
        "whyslow cqu x",
        "there is no command \"cqu\"",
        "did you mean cpu? `whyslow --help` lists the commands",
    );
    says(
        "whyslow --nonsense",
        "`whyslow` has no option --nonsense",
        "`whyslow --help` lists the options",
    );
}

#[test]
fn what_is_missing_is_named_without_brackets() {
    let help = "see `whyslow export --help`";
    says(
        "whyslow export",
        "`whyslow export` needs --output DIR and EXTRACT",
        help,
    );
    says(
        "whyslow export --output d",
        "`whyslow export` needs EXTRACT",
        help,
    );
    says(
        "whyslow export --output",
        "--output needs a value: DIR",
        help,
    );
    says(
        "whyslow cpu --format",
        "--format needs a value: FORMAT",
        "it can be table, csv or json",
    );
}

#[test]
fn values_are_refused_with_the_reason() {
    let help = "see `whyslow cpu --help`";
    says(
        "whyslow cpu --format xml",
        "--format cannot be \"xml\"",
        "it can be table, csv or json",
    );
    says(
        "whyslow cpu --top many",
        "--top cannot be \"many\": it is not a whole number",
        help,
    );
    says(
        "whyslow cpu --for never",
        "--for cannot be \"never\": it does not end with a unit",
        help,
    );
    assert!(
        said("whyslow cpu --top 70000")
            .0
            .starts_with("--top: 70000 is ")
    );
}

#[test]
fn options_that_exclude_each_other_are_both_named() {
    let help = "see `whyslow cpu --help`";
    says(
        "whyslow cpu --all --top 3",
        "--all cannot be used with --top",
        help,
    );
    says(
        "whyslow cpu --top 3 --top 4",
        "--top may be given only once",
        help,
    );
}
