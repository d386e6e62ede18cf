//! The tables that questions return, and the words for what they hold.
//!
//! Values stay raw: nanoseconds, bytes, counts. A [`ResultColumn`] says what they are; from that a
//! renderer prints them, and a [`Range`] or a [`TimePoint`] that a user wrote is read as one of
//! them. Nothing here knows how an answer is found, and nothing how it is printed.

#![forbid(unsafe_code)]

mod chart;
mod column;
mod decimal;
mod error;
mod hidden;
mod marks;
mod range;
mod result;
mod schema;
mod shell;
mod time;

pub use chart::{Chart, Series};
pub use column::{Cell, Column, Columns, shown};
pub use decimal::{grouped, trace_seconds};
pub use error::TextError;
pub use hidden::is_hidden;
pub use marks::Marks;
pub use range::{Range, amount};
pub use result::{
    FileInfo, Kind, NotRecorded, Note, NoteLevel, Order, Outcome, ResultColumn, ResultTable,
    TreeStyle, Value,
};
pub use schema::ResultSchema;
pub use shell::shell_line;
pub use time::{Clock, TimeChoice, TimeFormat, TimePoint, wall_clock};
