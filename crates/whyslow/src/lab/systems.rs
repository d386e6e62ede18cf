//! `lab systems`: the systems that an experiment can use here.

use whyslow_report::systems;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// Prints the systems and what the machine lacks for each.
pub(super) fn list(terminal: &Terminal) -> Result<Exit, Failure> {
    let page = super::page(terminal);
    output::write_to(None, false, |out| systems::list(page, out))?;
    Ok(Exit::Success)
}
