//! Pages made from the definitions: help, columns, completions, manual pages, `docs/commands.md`,
//! `docs/extract-format.md`.

use std::fs;

use clap::Command;
use clap_complete::Shell;

use whyslow_query::wait::Rules;

use crate::args::{ManArgs, Page};
use whyslow_render::{TextOptions, write_text};
use whyslow_usage::texts::MEANINGS;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// The tables of commands that are no questions.
#[cfg(target_os = "linux")]
static OTHERS: &[whyslow_query::ResultSchema] = &crate::lab::TABLES;
#[cfg(not(target_os = "linux"))]
static OTHERS: &[whyslow_query::ResultSchema] = &[];

/// Prints the columns of the question or table `name`, or lists all questions and tables.
pub(crate) fn columns(name: Option<&str>, terminal: &Terminal) -> Result<Exit, Failure> {
    let tables = whyslow_pages::columns::explained(name, OTHERS).ok_or_else(|| {
        let name = name.unwrap_or_default();
        Failure::usage(format!("there is no question or table {name:?}"))
            .hint("whyslow columns lists them")
    })?;
    let options = TextOptions {
        width: terminal.width,
        paint: terminal.paint,
        ..TextOptions::default()
    };
    output::write_to(None, false, |out| {
        for (at, table) in tables.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            write_text(table, &options, out)?;
        }
        Ok(())
    })?;
    Ok(Exit::Success)
}

/// Prints help on a topic, the same as with `--help`.
pub(crate) fn help(mut command: Command, topic: &[String]) -> Result<Exit, Failure> {
    let name = topic.first().map(String::as_str);
    match name {
        Some("exit-codes" | "exit-code" | "exit") => {
            return Ok(output::print(whyslow_usage::texts::exit_codes()));
        }
        Some("wait-rules") => return Ok(output::print(Rules::shipped_text())),
        Some(name) if command.find_subcommand(name).is_none() => {
            let failure = Failure::usage(format!("no help on {name:?}"));
            return Err(
                failure.hint("topics are the commands of whyslow --help, wait-rules, exit-codes")
            );
        }
        _ => {}
    }
    let words = ["whyslow"].into_iter().chain(name).chain(["--help"]);
    match command.try_get_matches_from_mut(words) {
        Err(help) => Ok(output::printed(help.print())),
        Ok(_) => Ok(Exit::Success),
    }
}

/// Returns a page of `docs/`.
pub(crate) fn page(page: Page, command: Command) -> String {
    match page {
        Page::Commands => whyslow_pages::markdown(command, OTHERS, &MEANINGS),
        Page::ExtractFormat => whyslow_render::extract_format(),
    }
}

/// Prints a completion script.
pub(crate) fn completions(mut command: Command, shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "whyslow", &mut script);
    output::print(&script)
}

/// Prints a manual page, or writes all of them.
pub(crate) fn manual(mut command: Command, args: &ManArgs) -> Result<Exit, Failure> {
    command.build();
    if let Some(dir) = &args.all {
        let written = fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(command, dir));
        written.map_err(|error| {
            Failure::io(format!("write manual pages to {}", dir.display()), &error)
        })?;
        return Ok(Exit::Success);
    }
    let page = match &args.command {
        None => command,
        Some(name) => {
            let sub = command.find_subcommand(name).cloned();
            let unknown = || Failure::usage(format!("there is no command {name:?}"));
            let full = format!("whyslow-{name}");
            sub.ok_or_else(unknown)?.display_name(full)
        }
    };
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(page).render(&mut text);
    rendered.map_err(|error| Failure::io("make the manual page", &error))?;
    Ok(output::print(&text))
}
