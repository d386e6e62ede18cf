//! Files and directories that appear complete or not at all, and names and errors for them.
//!
//! * [`PartFile`]: a file under a temporary name beside its final one;
//! * [`private`]: files and directories that only their owner can read;
//! * [`cause`]: the system's error message for a failure, for a person;
//! * [`owner`]: whose new files are;
//! * [`name`]: text as part of a file's name, and names that are not taken yet.

#![forbid(unsafe_code)]

pub mod cause;
pub mod name;
pub mod owner;
mod part_file;
pub mod private;

pub use part_file::{Access, PartFile};
