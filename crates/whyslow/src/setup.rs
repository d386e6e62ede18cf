//! `setup`: who may record; and the rights of a copy that setup made.

use std::ffi::OsString;
use std::fs::File;

use whyslow_person::rights;
use whyslow_setup::{Copy, Error, Facts, NotHandedOver};

use crate::args::{Command, SetupArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Explains, sets up, or undoes.
pub(crate) fn setup(args: &SetupArgs) -> Result<Exit, Failure> {
    let copy = Copy::usual();
    let failed = |error: Error| Failure::cannot("set up", &error).hint(error.advice());
    if args.capabilities {
        let program = "/proc/self/exe";
        let opened = File::open(program);
        let mut opened = opened.map_err(|error| Failure::io(format!("open {program}"), &error))?;
        let made = copy.make(&mut opened, VERSION, args.group.as_deref());
        return Ok(output::print(made.map_err(failed)?.to_string()));
    }
    if args.undo {
        return Ok(output::print(copy.undo().map_err(failed)?.to_string()));
    }
    Ok(output::print(whyslow_setup::explain(&Facts::now(&copy))))
}

/// Continues as the copy with rights, if there is one for this user.
pub(crate) fn continue_as_copy(words: &[OsString]) -> NotHandedOver {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    whyslow_setup::hand_over(&Copy::usual(), words, VERSION, is_set)
}

/// Before a recording: continues as the copy with rights, if there is one for this user. Before everything else: gives up
/// rights that only a recording needs.
pub(crate) fn before(command: &Command, words: &[OsString], terminal: &Terminal) {
    if !matches!(
        command,
        Command::Run(_) | Command::Record(_) | Command::Now(_)
    ) {
        return rights::give_up();
    }
    if let Some(why) = continue_as_copy(words).why() {
        terminal.note("note", &format!("recording with your own rights: {why}"));
    }
}
