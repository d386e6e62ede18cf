//! What is known about one command: its processes, the path that mattered, and what it called, computed
//! and
//! waited for along this path.
//!
//! The wall time is followed along the thread that mattered at each moment: backwards from the end of
//! the command, through the waits, to the threads that ended them, also into child processes. So every
//! nanosecond
//! of it was spent computing, ready without a CPU, or waiting for something outside the command, and the
//! shares add up.
//!
//! ```text
//! tables ─► command ─► path ──────────┬─► story
//!              samples, calls, files ─┤
//!               what others did ──────┘
//! ```
//!
//! Nothing here claims a cause: that is up to `whyslow-explain`.

#![forbid(unsafe_code)]

pub mod affinities;
pub mod amount;
mod answering;
mod budget;
pub mod call_cost;
pub mod callees;
pub mod calls;
pub mod code;
pub mod command;
mod copies;
pub mod crowd;
pub mod disks;
pub mod file_names;
pub mod files;
pub mod goroutines;
pub mod held_up;
pub mod hot;
mod images;
pub mod limits;
pub mod looked_for;
pub mod looks;
pub mod meanwhile;
pub mod memory;
pub mod network;
pub mod path;
pub mod peers;
pub mod place;
pub mod priorities;
pub mod recorded;
pub mod requests;
pub mod rivals;
pub mod rounds;
pub mod single_calls;
pub mod story;
pub mod talks;
mod target;
pub mod tries;
pub mod unit;
pub mod walk;
pub mod work;
pub mod written;

pub use story::Story;
pub use target::Target;
