//! Whom the program works for: the person who called sudo, if somebody did.

use whyslow_files::owner::give_to;
use whyslow_person::{Owner, Refused, Variable, caller, owner_of_command};

use crate::args::{Command, OwnerArgs};
use crate::failure::Failure;
use crate::terminal::Terminal;

fn environment() -> Vec<Variable> {
    std::env::vars_os().collect()
}

/// Gives all files that are written from now on to the person who called sudo.
pub(crate) fn of_files(command: &Command) {
    let as_root = match command {
        Command::Run(args) => args.owner.as_root,
        Command::Record(args) => args.owner.as_root,
        _ => false,
    };
    if let Some(person) = caller(&environment()).filter(|_| !as_root) {
        give_to(person.uid, person.gid);
    }
}

/// Returns whose the recorded command is; `None` if it is ours.
pub(crate) fn of_command(args: &OwnerArgs, terminal: &Terminal) -> Result<Option<Owner>, Failure> {
    if args.as_root {
        return Ok(None);
    }
    let owner = owner_of_command(args.user.as_deref(), &environment()).map_err(|why| {
        let failure = Failure::usage(&why);
        match why {
            Refused::Unknown(_) => failure.hint("--user takes the name or the number of a user"),
            Refused::NotRoot(_) => failure.hint("begin the command line with sudo"),
        }
    })?;
    if let Some(owner) = owner.as_ref().filter(|owner| owner.is_unexpected) {
        let name = owner.person.name();
        let text = format!("the command runs as {name}, who called sudo; as root with --as-root");
        terminal.note("note", &text);
    }
    Ok(owner)
}
