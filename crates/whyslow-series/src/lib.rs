//! Series of operations that were timed one by one: what they say, how they are kept, what changed between two.
//!
//! ```text
//! operations ─► Run (setup, passes) ─► law, bursts ─► Summary ─► table, sentences
//!                  └─ operations.parquet ─► Kept ─► Changes
//! ```
//!
//! * [`operation`], [`run`]: what was measured, operation by operation, pass by pass;
//! * [`setup`], [`words`]: how it was made, and what sentences call it;
//! * [`spent`]: what a pass spent its time on;
//! * [`limit`], [`failure`]: what ended a series, in words;
//! * [`summary`]: the figures of a run, what it says in a sentence, and the table of all;
//! * [`throughput`]: bytes per second of operations that write;
//! * [`operation_table`], [`kept`], [`changes`]: every operation in a file, such files read again, and what changed from
//!   one to the other;
//! * [`imported`]: series that others measured.
//!
//! Nothing here measures or touches the machine: whoever does hands over a [`Run`].

#![forbid(unsafe_code)]

pub mod changes;
pub mod failure;
pub mod imported;
pub mod kept;
pub mod limit;
pub mod operation;
pub mod operation_table;
pub mod run;
pub mod setup;
pub mod spent;
pub mod summary;
pub mod throughput;
pub mod words;

pub use limit::Limit;
pub use operation::{Ending, Measured};
pub use run::{Pass, Run};
pub use setup::Setup;
pub use spent::Spent;
pub use summary::{Summary, table};
pub use words::Words;
