//! Pages made from the definitions: help, columns, completions, manual pages, `docs/commands.md`,
//! `docs/extract-format.md`.

mod columns;
mod markdown;

use std::fs;

use clap::Command;
use clap_complete::Shell;

use whyslow_query::wait::Rules;

use crate::args::{ManArgs, Page};
use crate::exit::{Exit, MEANINGS};
use crate::failure::Failure;
use crate::output;

pub(crate) use columns::columns;

/// Prints help on a topic, the same as with `--help`.
pub(crate) fn help(mut command: Command, topic: &[String]) -> Result<Exit, Failure> {
    let name = topic.first().map(String::as_str);
    match name {
        Some("exit-codes" | "exit-code" | "exit") => return Ok(output::print(exit_codes())),
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

/// Returns the exit codes with their meanings.
fn exit_codes() -> String {
    let lines = MEANINGS
        .iter()
        .map(|(code, meaning)| format!("{code:>5}  {meaning}\n"));
    let lines: String = lines.collect();
    format!("Exit codes\n\n{lines}")
}

/// Returns a page of `docs/`.
pub(crate) fn page(page: Page, command: Command) -> String {
    match page {
        Page::Commands => markdown::markdown(command),
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
