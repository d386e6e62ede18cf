//! What the time of one command went into, and why.
//!
//! The wall time is followed along the thread that mattered at each moment: backwards
//! from the end of the command, through the waits, to whoever ended them, also into child
//! processes. So every nanosecond of it was spent computing, ready without a CPU, or waiting for
//! something outside the command, and the shares add up.
//!
//! ```text
//! tables ─► command ─► path ┬─► story ─► detectors ─► drafts ─► findings ─► answer ─► lines
//!                 samples ──┤                     (ranking: time is explained once)
//!     what others did ──────┘
//! ```
//!
//! * [`finding`], [`place`]: a finding is data: its cause, its time, how sure it is, its evidence;
//! * [`Answer`]: findings, and what the wall time is made of;
//! * [`words`]: the answer in sentences, each piece with its role, so that printing it is dull.
//!
//! A new cause is a file in `detectors` and a line in its list.

#![forbid(unsafe_code)]

pub mod affinities;
mod answer;
mod called;
mod calls;
mod code;
mod command;
mod detector;
mod detectors;
mod files;
pub mod finding;
pub mod gaps;
mod hot;
mod images;
mod limits;
mod meanwhile;
mod memory;
mod network;
mod path;
mod peers;
pub mod place;
mod priorities;
mod ranking;
mod recorded;
mod rivals;
mod story;
mod target;
#[cfg(test)]
mod tests;
mod walk;
pub mod words;
mod work;

use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::stacks::Stacks;

use code::Code;
use command::Command;
use meanwhile::Strangers;
use story::Story;

pub use answer::{Answer, Explained, READY_KINDS};
pub use finding::Finding;
pub use recorded::{processes_of, recorded_command};
pub use target::Target;

/// Explains what the time of the command in `view` went into.
///
/// # Errors
/// When a table cannot be read.
pub fn explain(view: View<'_>, target: &Target) -> Result<Answer, QueryError> {
    let facts = Facts::read(view)?;
    let Some(command) = Command::find(&facts, target) else {
        return Ok(Answer::not_found(&facts, target));
    };
    let stacks = Stacks::read(view)?;
    let code = Code::read(view, &facts, &command, &stacks)?;
    let (strangers, their_code);
    let mut story = Story::read(view, &facts, &command, &code)?;
    if let Some(found) = Strangers::find(view, &facts, &story)? {
        strangers = found;
        their_code = Code::read(view, &facts, &strangers.command, &stacks)?;
        let meanwhile = Story::of_strangers(view, &facts, &strangers, &their_code)?;
        story.meanwhile = Some(Box::new(meanwhile));
    }
    Ok(Answer::of(&story, target))
}

/// Returns the stable ids of the causes that a finding may have, with what each means.
///
/// Classes of waits are causes, too: their ids and meanings are in the rules for waits.
pub fn causes() -> impl Iterator<Item = (&'static str, &'static str)> {
    detectors::ALL
        .iter()
        .flat_map(|one| one.causes.iter().copied())
}
