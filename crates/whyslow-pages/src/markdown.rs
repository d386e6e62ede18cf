//! `docs/commands.md`: every command with its options and examples, every question's columns, the
//! exit codes. A test compares the file with what is made here.

use clap::{Arg, Command};

use whyslow_query::ResultSchema;

use crate::columns::{all, holds};

const INTRODUCTION: &str = "\
# Commands

This page is made from the program's own definitions (`whyslow markdown`); a test keeps it current.

Questions about the same thing have the same options everywhere. Patterns: `;` separates
alternatives, `!` excludes, `*` stands for any text, `?` for one character; case does not matter and
a pattern matches whole names. Ranges: `10ms..`, `..1s`, `10-20ms`; a number without a unit is in
the column's usual one. The largest row comes first, right below the heading, so that `--top` and
`| head` show the same rows. In tables `-` is unknown or not recorded, `0` is zero. CSV (RFC 4180,
with CRLF line ends), JSON and Parquet hold raw integers with the unit in the column's name, and all
columns; output to a pipe has no colors, and nothing is truncated.
";

/// Returns the page of a program with these exit codes; `others` are the tables of commands that are no questions.
#[must_use]
pub fn markdown(
    mut command: Command,
    others: &'static [ResultSchema],
    exit_codes: &[(&str, &str)],
) -> String {
    command.build();
    let mut page = INTRODUCTION.to_owned();
    page.push_str("\n| command | does |\n|---|---|\n");
    let subcommands = || command.get_subcommands().filter(|sub| !sub.is_hide_set());
    for sub in subcommands() {
        page.push_str(&format!(
            "| [`{0}`](#{0}) | {1} |\n",
            sub.get_name(),
            about(sub)
        ));
    }
    for sub in subcommands() {
        page.push_str(&section(sub));
    }
    page.push_str("\n## Columns of the questions\n");
    for question in all(others) {
        page.push_str(&format!(
            "\n### {}\n\n{}\n\n",
            question.name, question.summary
        ));
        page.push_str(
            "| option | column in CSV, JSON, Parquet | holds | meaning |\n|---|---|---|---|\n",
        );
        for column in question.columns {
            let (key, name) = (column.key, column.name);
            let (holds, doc) = (holds(column.kind), cell(column.doc));
            page.push_str(&format!("| `{key}` | `{name}` | {holds} | {doc} |\n"));
        }
    }
    page.push_str("\n## Exit codes\n\n| code | meaning |\n|---|---|\n");
    for (code, meaning) in exit_codes {
        page.push_str(&format!("| {code} | {meaning} |\n"));
    }
    page
}

fn section(sub: &Command) -> String {
    let mut text = format!("\n## {}\n\n{}\n\n", sub.get_name(), about(sub));
    let usage = sub.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    text.push_str(&format!("```text\n{usage}\n```\n"));
    let shown = |arg: &&Arg| !arg.is_hide_set() && arg.get_id() != "help";
    let mut heading = None;
    let mut args: Vec<&Arg> = sub.get_arguments().filter(shown).collect();
    // Options of one heading are listed together, headings in the order of first use.
    let mut headings: Vec<Option<&str>> = Vec::new();
    for arg in &args {
        if !headings.contains(&arg.get_help_heading()) {
            headings.push(arg.get_help_heading());
        }
    }
    args.sort_by_key(|arg| headings.iter().position(|h| *h == arg.get_help_heading()));
    for arg in args {
        if heading != Some(arg.get_help_heading()) {
            heading = Some(arg.get_help_heading());
            let title = arg.get_help_heading().unwrap_or("Arguments and options");
            text.push_str(&format!("\n{title}:\n\n| option | |\n|---|---|\n"));
        }
        text.push_str(&format!("| `{}` | {} |\n", name(arg), help(arg)));
    }
    if let Some(examples) = sub.get_after_help() {
        text.push_str(&format!("\n```text\n{examples}\n```\n"));
    }
    text
}

fn about(sub: &Command) -> String {
    sub.get_about()
        .map(|about| cell(&about.to_string()))
        .unwrap_or_default()
}

fn name(arg: &Arg) -> String {
    let values = arg.get_value_names().unwrap_or_default();
    let values: Vec<String> = values.iter().map(|value| format!("{value}")).collect();
    let value = values.join(" ");
    let takes = arg.get_action().takes_values();
    match (arg.get_long(), arg.get_short()) {
        (Some(long), short) => {
            let short = short.map_or(String::new(), |short| format!("-{short}, "));
            let value = if takes {
                format!(" {value}")
            } else {
                String::new()
            };
            format!("{short}--{long}{value}")
        }
        _ => value,
    }
}

fn help(arg: &Arg) -> String {
    let help = arg
        .get_help()
        .map(|help| help.to_string())
        .unwrap_or_default();
    let defaults: Vec<String> = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    let shown = !defaults.is_empty() && !arg.is_hide_default_value_set();
    let shown = shown && arg.get_action().takes_values();
    let default = if shown {
        format!(" (default {})", defaults.join(", "))
    } else {
        String::new()
    };
    cell(&help) + &default
}

fn cell(text: &str) -> String {
    text.trim()
        .replace('\n', " ")
        .replace('|', "\\|")
        .replace('<', "&lt;")
}
