//! The questions: one file each, all with the same selection and the same kind of answer.
//!
//! A question's file holds everything about it: help, arguments, columns with their accessors, and
//! the function that answers. [`ALL`] is the only list; command line, help, manual pages,
//! completion, `columns` and the tests follow from it.

mod costs;
mod cpu;
mod disk;
mod dns;
mod events;
mod exceptions;
mod files;
mod filters;
mod functions;
mod handles;
mod limits;
mod marks;
mod memory;
mod missing;
mod problems;
mod processes;
mod registry;
mod stacks;
mod stats;
mod syscalls;
mod tcp;
mod threads;
mod timeline;
mod udp;
mod waits;

pub use events::{EVENT_TABLES, EVENTS, EventCount, EventCounts, EventLine, EventList, events};

use crate::question::Question;

/// Every question, in the order of the help.
pub static ALL: &[&Question] = &[
    &processes::QUESTION,
    &threads::QUESTION,
    &cpu::QUESTION,
    &waits::QUESTION,
    &disk::QUESTION,
    &files::QUESTION,
    &filters::QUESTION,
    &registry::QUESTION,
    &tcp::QUESTION,
    &udp::QUESTION,
    &dns::QUESTION,
    &exceptions::QUESTION,
    &marks::QUESTION,
    &syscalls::QUESTION,
    &limits::QUESTION,
    &memory::QUESTION,
    &handles::QUESTION,
    &stacks::QUESTION,
    &timeline::QUESTION,
    &stats::QUESTION,
    &problems::QUESTION,
    &missing::QUESTION,
];

/// Returns the question called `name`.
pub fn find(name: &str) -> Option<&'static Question> {
    ALL.iter().copied().find(|question| question.name == name)
}

#[cfg(test)]
mod tests;
