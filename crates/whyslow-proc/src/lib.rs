//! What a Linux machine says of itself in `/proc` and `/sys`: which processes there are and what they execute, which file
//! systems are mounted and who serves them, who holds locks on files, what a process may use at most, which CPUs there
//! are, which calls threads are in and what their arguments lead to, what descriptors lead to, which kernel it is, and
//! where things are in its text.
//!
//! All of it may change or vanish between two looks, so these functions answer less instead of failing. But for
//! [`build_ids`] they open no file outside of `/proc` and `/sys`: one on a server that is gone would hold up the caller.

#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
pub mod addresses;
pub mod arguments;
#[cfg(target_os = "linux")]
pub mod build_ids;
#[cfg(target_os = "linux")]
pub mod calls;
#[cfg(target_os = "linux")]
pub mod cpus;
#[cfg(target_os = "linux")]
pub mod descriptors;
#[cfg(target_os = "linux")]
pub mod disks;
#[cfg(target_os = "linux")]
pub mod file_locks;
#[cfg(target_os = "linux")]
pub mod kernel_text;
#[cfg(target_os = "linux")]
pub mod limits;
#[cfg(target_os = "linux")]
pub mod memory;
#[cfg(target_os = "linux")]
pub mod mountinfo;
#[cfg(target_os = "linux")]
pub mod mounts;
#[cfg(target_os = "linux")]
pub mod processes;
#[cfg(target_os = "linux")]
pub mod release;
#[cfg(target_os = "linux")]
pub mod sockets;
