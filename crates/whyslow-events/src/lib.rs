//! What is in a trace itself: any event of any provider, counted or one by one.
//!
//! ```text
//! etl ──┐                        ┌─ Counts ─► question ─► answer
//!       ├─ Seen ─ Filter ─ Sink ─┤
//! perf ─┘                        └─ List ─► written block by block
//! ```
//!
//! Traces are read as a stream: of an event only its count is kept, and of a list only a block of
//! rows. Both formats describe an event as [`Seen`] and its fields as [`Field`]s; counts, lists and
//! filters do not depend on a format.

#![forbid(unsafe_code)]

mod condition;
mod counts;
mod etl;
mod field;
mod field_names;
mod fields;
mod filter;
mod list;
mod perf;
mod remarks;
mod seen;
mod stacks;
mod time_unit;
mod walk;

pub use condition::BadCondition;
pub use counts::Counts;
pub use field::{Addresses, Field, Other, Step, Text, Time, Value};
pub use field_names::UnknownField;
pub use fields::{Style, write as write_fields};
pub use filter::{Filter, Wanted};
pub use list::{BlockWriter, List};
pub use seen::{FieldsOf, Seen, Sink, StackFor, Stop, What};
pub use walk::walk;
