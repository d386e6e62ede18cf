//! What a command waits for, and how much memory processes have, by looking into `/proc` again and again.
//!
//! Who is not root cannot record when threads wait and why. But everybody may ask the kernel what their own processes
//! are doing at this moment: the state of each thread, the system call that it is in, and the kernel function in which
//! it sleeps. A hundred looks per second say what most of the time was spent on; short waits escape.
//!
//! ```text
//! main thread of the command ─► waits for a child? ─► the child ─► waits for a thread? ─► the thread that is busy
//! ```
//!
//! Each look follows the thread that matters, as the analysis of a full recording does, and counts what it is doing.

#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
mod look;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod sampler;

#[cfg(target_os = "linux")]
pub use look::{Seen, look};
#[cfg(target_os = "linux")]
pub use memory::{MemoryReading, MemoryReadings, MemorySampler};
#[cfg(target_os = "linux")]
pub use sampler::{Looks, Sampler};
