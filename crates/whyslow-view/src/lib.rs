//! What questions see of a trace: the part that a selection counts, its processes and threads, the names of its
//! functions, its stacks as a tree, its connections, the classes of its waits, and what they were for.
//!
//! Everything here reads a [`View`](view::View) and computes from its tables alone. `whyslow-query` asks questions
//! with it.

#![forbid(unsafe_code)]

pub mod call_tree;
pub mod called;
pub mod disks;
pub mod error;
pub mod facts;
pub mod frames;
pub mod groups;
pub mod interval;
pub mod language;
pub mod marks;
pub mod mounts;
pub mod network;
pub mod objects;
pub mod overhead;
pub mod own_stacks;
pub mod parallel;
pub mod peaks;
pub mod process_memory;
pub mod recorded;
pub mod scope;
pub mod selection;
pub mod stacks;
pub mod tree;
pub mod view;
pub mod wait;

pub use whyslow_arguments::pattern;
