//! The extract of a trace: a directory `NAME.whyslow` of Parquet files, one per table.
//!
//! [`ExtractWriter`] takes rows as import finds them, keeps them in sorted runs (in memory, then on
//! disk), and writes them settled and in order, so a trace of any length needs a fixed amount of
//! memory. [`Extract`] opens the directory again, reads only the files, row groups and columns that
//! a question needs, and is a [`TraceView`](whyslow_model::TraceView).

#![forbid(unsafe_code)]

mod absent;
mod copy;
mod error;
mod extract;
mod file;
mod find;
mod meta;
pub mod name;
mod raw_writer;
mod rewrite;
mod segment;
mod source;
mod spill;
mod table_reader;
mod thrift;
mod writer;

pub use error::{Error, ErrorKind};
pub use extract::Extract;
pub use find::find;
pub use rewrite::rewrite;
pub use writer::{ExtractWriter, Options};
