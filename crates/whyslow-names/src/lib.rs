//! Names of functions as people write them, and which functions are only plumbing: what starts programs and
//! threads, what runs an interpreter, and the system's own modules.
//!
//! All of it is about text alone: names as symbols, demanglers and runtimes give them.

mod plain_name;
mod plumbing;

pub use plain_name::{c_library_name, plain_name};
pub use plumbing::{is_frame_of_interpreter, is_frame_of_start, is_system_module};
