//! What the time of one command went into, in about ten lines.
//!
//! The wall time is followed along the thread that mattered at each moment (`path.rs`): backwards
//! from the end of the command, through the waits, to whoever ended them, also into child
//! processes. So every nanosecond of it was spent computing, ready without a CPU, or waiting for
//! something outside the command, and the shares add up. What else happened on the machine
//! (`rivals.rs`) tells who took the CPUs meanwhile.
//!
//! The lines are made here (`words.rs`), word by word, with a role per span, so that printing them
//! is dull.

#![forbid(unsafe_code)]

mod command;
mod hot;
mod path;
mod rivals;
mod starts;
#[cfg(test)]
mod tests;
mod verdict;
mod words;

use whyslow_model::Capability;

use command::Command;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::result::Kind;
use whyslow_query::selection::View;
use whyslow_query::stacks::Stacks;
use whyslow_query::wait::{Classes, Rules};

/// Which command the answer is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// The operating system's pid of the command's first process.
    pub os_pid: Option<i32>,
    /// The command as the user typed it, for the headline.
    pub command: Option<String>,
    /// When the command was started, nanoseconds since the trace's start; `None` to take the
    /// process's own start.
    pub from_ns: Option<i64>,
    /// When it ended; `None` to take the process's own end.
    pub to_ns: Option<i64>,
    /// The extract's path, for the commands that dig deeper.
    pub extract: Option<String>,
}

/// What a span of text is, and so how it may be colored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Plain text.
    Plain,
    /// The point of the line.
    Strong,
    /// Of less interest.
    Faint,
    /// A figure.
    Figure,
    /// Name of a process or thread.
    Process,
    /// Name of a function.
    Function,
    /// What a thread waited for.
    WaitClass,
    /// Trouble with the data.
    Warning,
    /// A command to paste.
    Command,
}

/// What a span says.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Text as it is.
    Text(String),
    /// A figure the renderer gives its unit, as in a table.
    Quantity(Kind, i64),
    /// A share, 0 to 100.
    Percent(f64),
    /// A plain number with decimals.
    Ratio(f64),
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// What it is.
    pub role: Role,
    /// What it says.
    pub content: Content,
}

/// One line of the answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Line {
    /// A word at the left edge, as `waiting`; empty on lines that continue the one before.
    pub label: &'static str,
    /// How far the text is indented below the line it belongs to.
    pub indent: u8,
    /// The text, without spaces added between the spans.
    pub spans: Vec<Span>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// What to print, in order.
    pub lines: Vec<Line>,
    /// Wall time of the command.
    pub wall_ns: i64,
}

/// Explains what the time of the command in `view` went into.
///
/// # Errors
/// When a table cannot be read.
pub fn explain(view: View<'_>, target: &Target) -> Result<Answer, QueryError> {
    let facts = Facts::read(view)?;
    let Some(command) = Command::find(&facts, target) else {
        return Ok(words::not_found(&facts, target));
    };
    let stacks = Stacks::read(view)?;
    let classes = Classes::new(&stacks, Rules::shipped());
    let known = facts.has(Capability::Switches);
    let path = match known {
        true => path::follow(view, &facts, &command, &stacks, &classes)?,
        false => path::Path::default(),
    };
    let hot = hot::find(view, &command, &stacks, &path)?;
    let rivals = rivals::find(view, &facts, &command, &path)?;
    let story = Story {
        facts: &facts,
        command: &command,
        stacks: &stacks,
        classes: &classes,
        path: &path,
        hot: &hot,
        rivals: &rivals,
    };
    Ok(words::answer(&story, target))
}

/// Everything the words are made of.
struct Story<'a> {
    facts: &'a Facts,
    command: &'a Command,
    stacks: &'a Stacks,
    classes: &'a Classes<'a>,
    path: &'a path::Path,
    hot: &'a hot::Hot,
    rivals: &'a rivals::Rivals,
}
