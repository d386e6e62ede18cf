//! Questions about traces: from tables and a [`Selection`] to a typed [`ResultTable`].
//!
//! ```text
//! TraceView ─► facts, frames, stack tree ─► kernels over columns ─► rows ─shape─► ResultTable ─► renderer
//!                         Selection ────────────┘                     └─ ranges, sort, top, totals, columns
//! ```
//!
//! Everything here is a pure function of the tables and the selection: no files, no environment,
//! no clock. A question that needs data the recording lacks answers [`Outcome::NotRecorded`], and a
//! figure that cannot be known is [`Value::Null`], never zero.
//!
//! * [`questions`]: one file per question of the command line;
//! * [`selection`], [`pattern`], [`condition`]: the selection language that all questions share; ranges and times,
//!   and the tables that questions answer with, are in `whyslow-results`;
//! * [`rollup`]: the tables that answer the unfiltered questions, computed when an extract is made;
//! * [`facts`], [`stacks`], [`rows`], [`spans`], [`wait`]: the building blocks of questions, also
//!   for the crate that explains.

#![forbid(unsafe_code)]

pub mod file_calls;
pub mod goroutines;
#[cfg(test)]
mod literal;
pub mod memory;
mod methods;
pub mod nothing;
pub mod question;
pub mod questions;
pub(crate) mod rings;
pub mod rollup;
pub mod rows;
mod shape;
mod shown;
mod slices;
mod sums;
pub mod system_calls;
mod waits;
mod weight;
pub mod zero;

pub use argument::Arguments;
pub use error::QueryError;
pub use pattern::{FunctionPattern, NamePattern, Pattern};
pub use question::{Question, Request};
pub use rollup::RollUps;
pub use selection::{ColumnChoice, ColumnRange, Selection, Sort};
pub use shape::condition;
pub use view::View;
pub use whyslow_arguments::{argument, comparison, pattern};
pub use whyslow_model::spans;
pub use whyslow_results::{
    Chart, Clock, Column, Columns, FileInfo, Kind, Marks, NotRecorded, Note, NoteLevel, Order,
    Outcome, Range, ResultColumn, ResultSchema, ResultTable, Series, TextError, TimeChoice,
    TimeFormat, TimePoint, TreeStyle, Value, amount, wall_clock,
};
pub use whyslow_view::{
    call_tree, called, disks, error, facts, frames, groups, interval, language, marks, mounts,
    network, objects, overhead, own_stacks, parallel, peaks, process_memory, recorded, scope,
    selection, stacks, tree, view, wait,
};
