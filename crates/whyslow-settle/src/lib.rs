//! What an import keeps of a trace, and how it becomes final once the whole trace has been read.
//!
//! Trackers fill these tables while a trace is read: [`Mappings`] of modules, [`Processes`] and
//! [`Threads`] by lifetime, [`Texts`]; and stacks as addresses, which are in `whyslow-stacks`. Rows
//! of events carry numbers of their entries. [`Settled`] gives processes and threads their final
//! order, looks up which module an address was in, and rewrites the rows, one by one, in the order
//! in which they are written.

#![forbid(unsafe_code)]

mod files;
mod groups;
mod id_map;
mod labels;
mod mappings;
mod objects;
mod processes;
mod settled;
mod text;
mod threads;

pub use files::{FILE_BYTES, File, Files};
pub use groups::{Groups, Member, Resource};
pub use labels::Labels;
pub use mappings::{Mapped, Mappings, Module, ModuleId, ModuleKind};
pub use objects::Objects;
pub use processes::{Process, Processes};
pub use settled::{FINAL_NODE_BYTES, Parts, Settled, Summary, TraceFacts};
pub use text::{TextId, Texts};
pub use threads::{Affinity, Slot, Thread, Threads};

/// The number that means no thread, process or CPU.
pub const NONE: u32 = u32::MAX;
