//! Functions of programs that generate code while they run: which one a frame belongs to.
//!
//! ```text
//! mapping of a file with a runtime ─► what that runtime tells about its structures
//! address in generated code ─► the process's memory ─► functions, lines, how to get to the caller
//! ```
//!
//! [`Generated`] is asked while stacks are unwound. Each runtime has a module of its own. A function becomes an address that no process can have
//! (`whyslow_perfdata::whyslow_events`). The programs do not cooperate, and are never stopped; whatever their memory
//! holds, reading it is bounded.

#![cfg(unix)]

mod functions;
mod generated;
pub mod interpreted;
mod java;
mod mapping;
mod node;
mod process_memory;

pub use generated::Generated;
pub use mapping::{FileKey, Mapping};
pub use process_memory::ProcessMemory;
