//! Where the time of one command went, and why.
//!
//! What is known about the command is a [`Story`]: the path that mattered, and what was
//! called, computed and waited for along it. Detectors read it and draft findings.
//!
//! ```text
//! tables ─► story ─► detectors ─► drafts ─► findings ─► answer ─► lines
//!                                (ranking: time is explained once)
//! ```
//!
//! * [`finding`]: a finding is data: its cause, its time, how sure it is, its evidence;
//! * [`Answer`]: findings, and what the wall time is made of;
//! * [`words`]: the answer in sentences, each piece with its role, so that printing it is trivial.
//!
//! For a whole machine, the same is done for each busy program: [`machine`].
//!
//! A new cause is a file in `whyslow-detectors` and a line in its list.

#![forbid(unsafe_code)]

mod answer;
pub mod gaps;
pub mod machine;
mod selection;
#[cfg(test)]
mod tests;
pub mod words;

use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::stacks::Stacks;

use whyslow_story::code::Code;
use whyslow_story::command::Command;
use whyslow_story::file_names::Names;
use whyslow_story::meanwhile::Strangers;
use whyslow_story::story::Story;

pub use answer::{Accepted, Answer, Explained, Failed, READY_KINDS, Suppressed};
pub use machine::{Machine, UnitAsked, explain_machine, explain_unit};
pub use whyslow_findings::{Finding, finding};
pub use whyslow_story::Target;
pub use whyslow_story::recorded::{processes_of, recorded_command, recorded_line, subject};

/// Explains where the time of the command in `view` went.
///
/// # Errors
/// When a table cannot be read.
pub fn explain(view: View<'_>, target: &Target) -> Result<Answer, QueryError> {
    let facts = Facts::read(view)?;
    let stacks = Stacks::read(view)?;
    explain_with(view, &facts, &stacks, target)
}

/// As [`explain`], with data that was read before.
fn explain_with(
    view: View<'_>,
    facts: &Facts,
    stacks: &Stacks,
    target: &Target,
) -> Result<Answer, QueryError> {
    let Some(command) = Command::find(facts, target, recorded_command(view)?) else {
        return Ok(Answer::not_found(facts, target));
    };
    let code = Code::read(view, facts, &command, stacks)?;
    let names = Names::of(view);
    let (strangers, their_code);
    let mut story = Story::read(view, facts, &command, &code, &names)?;
    let followed = whyslow_detectors::waits_for_strangers(&story).collect();
    if let Some(found) = Strangers::find(view, facts, &story, &followed)? {
        strangers = found;
        their_code = Code::read(view, facts, &strangers.command, stacks)?;
        let meanwhile = Story::of_strangers(view, facts, &strangers, &their_code, &names)?;
        story.meanwhile = Some(Box::new(meanwhile));
    }
    Ok(Answer::of(&story, target))
}

/// Returns the stable ids of the causes that a finding may have, with what each means.
///
/// Classes of waits are causes, too: their ids and meanings are in the rules for waits.
pub fn causes() -> impl Iterator<Item = (&'static str, &'static str)> {
    whyslow_detectors::ALL
        .iter()
        .flat_map(|one| one.causes.iter().copied())
}
