//! Names of functions as people write them, and which functions are only plumbing: those that start
//! programs and threads, run an interpreter, or belong to the system's own modules.
//!
//! All of this works on text alone: names as symbols, demanglers and runtimes provide them.

mod plain_name;
mod plumbing;

pub use plain_name::{c_library_name, plain_name};
pub use plumbing::{
    is_c_library, is_frame_of_interpreter, is_frame_of_java, is_frame_of_start, is_system_module,
};
