//! The command line as people type it.

use super::*;

use whyslow_query::argument::{ArgumentValue, Arguments, Takes};

fn parse(line: &str) -> Result<Cli, clap::Error> {
    let words = std::iter::once("whyslow").chain(line.split_whitespace());
    Cli::try_parse_from(words)
}

#[test]
fn the_definition_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn every_command_and_option_is_explained() {
    let mut command = Cli::command();
    command.build();
    for sub in command.get_subcommands() {
        assert!(sub.get_about().is_some(), "{}", sub.get_name());
        for arg in sub.get_arguments() {
            let help = arg.get_help().map(ToString::to_string);
            let help = help.unwrap_or_default();
            assert!(!help.is_empty(), "{} {}", sub.get_name(), arg.get_id());
            assert!(
                !help.ends_with('.'),
                "{} {}: {help}",
                sub.get_name(),
                arg.get_id()
            );
        }
    }
}

#[test]
fn a_command_keeps_its_own_options() {
    let Ok(Cli {
        command: Some(Command::Run(args)),
        ..
    }) = parse("run --name x make -j2 --keep-trace")
    else {
        panic!("not understood");
    };
    assert_eq!(args.command, ["make", "-j2", "--keep-trace"]);
    assert!(!args.keep_trace);
    let Ok(Cli {
        command: Some(Command::Run(args)),
        ..
    }) = parse("run -- --odd")
    else {
        panic!("not understood");
    };
    assert_eq!(args.command, ["--odd"]);
}

#[test]
fn new_may_be_turned_around() {
    let new = |line: &str| match parse(line).map(|cli| cli.command) {
        Ok(Some(Command::Ask(args))) => args.selection.new,
        other => panic!("{other:?}"),
    };
    assert_eq!(new("processes x.whyslow"), None);
    assert_eq!(
        new("processes --new x.whyslow"),
        Some(selection::YesNo::Yes)
    );
    assert_eq!(
        new("processes --new=no x.whyslow"),
        Some(selection::YesNo::No)
    );
}

#[test]
fn functions_keep_their_old_name() {
    for line in ["cpu --functions *", "cpu --methods *", "cpu -m *"] {
        match parse(line).map(|cli| cli.command) {
            Ok(Some(Command::Ask(args))) => {
                assert_eq!(args.selection.functions.as_deref(), Some("*"), "{line}");
            }
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn every_question_takes_its_arguments_and_ranges() {
    for question in whyslow_query::questions::ALL {
        let mut line = question.name.to_owned();
        for argument in question.arguments {
            let value = match argument.takes {
                Takes::Nothing => "",
                Takes::Choice { choices, .. } => choices[0].word,
                Takes::Percent { .. } | Takes::Count { .. } => "7",
                Takes::Duration => "7ms",
                Takes::Pattern => "a*;!b",
            };
            line.push_str(&format!(" --{} {value}", argument.name));
        }
        match parse(&line).map(|cli| cli.command) {
            Ok(Some(Command::Ask(args))) => {
                assert_eq!(args.question.name, question.name);
                let mut expected = Arguments::default();
                for argument in question.arguments {
                    let value = match argument.takes {
                        Takes::Nothing => ArgumentValue::Given,
                        Takes::Choice { choices, .. } => {
                            ArgumentValue::Word(choices[0].word.to_owned())
                        }
                        Takes::Percent { .. } => ArgumentValue::Percent(7.0),
                        Takes::Count { .. } => ArgumentValue::Count(7),
                        Takes::Duration => ArgumentValue::DurationNs(7_000_000),
                        Takes::Pattern => ArgumentValue::Pattern("a*;!b".to_owned()),
                    };
                    expected.set(argument, value);
                }
                assert_eq!(args.arguments, expected, "{line}");
            }
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn a_format_follows_the_suffix_unless_named() {
    let format = |line: &str| match parse(line).map(|cli| cli.command) {
        Ok(Some(Command::Ask(args))) => args.output.format().data().map(|format| format.name),
        other => panic!("{other:?}"),
    };
    assert_eq!(format("cpu"), None);
    assert_eq!(format("cpu -o x.csv"), Some("csv"));
    assert_eq!(format("cpu -o x.parquet"), Some("parquet"));
    assert_eq!(format("cpu -o x.csv --format json"), Some("json"));
}

#[test]
fn what_does_not_go_together_is_refused() {
    assert!(parse("cpu --wide --width 80").is_err());
    assert!(parse("record --for 10s -- make").is_err());
    assert!(parse("extract").is_err());
    assert!(parse("run").is_err());
}

#[test]
fn paragraphs_of_help_fill_their_lines() {
    for sub in command_line().get_subcommands() {
        let text = sub.get_after_help().map(ToString::to_string);
        let text = text.unwrap_or_default();
        let is_word = |line: &str| line.starts_with(|c: char| c.is_alphanumeric() || c == '-');
        let lines: Vec<&str> = text.lines().collect();
        let broken = lines
            .windows(2)
            .find(|two| two.iter().all(|line| is_word(line)));
        assert_eq!(broken, None, "{}", sub.get_name());
    }
}
