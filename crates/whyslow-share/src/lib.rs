//! Network file systems without a kernel client: private servers, and small clients of SMB and NFS that
//! count their round trips, with a longer way between them where one is asked for.
//!
//! ```text
//!  this program                              network, process and mount namespaces of its own
//! ┌──────────────────────────────┐          ┌─────────────────────────────┐
//! │ Access::connect ─► Remote ───┼─ delay ──┼─► smbd or ganesha ─► tmpfs  │
//! └──────────────────────────────┘          └─────────────────────────────┘
//! ```
//!
//! * [`Server`]: a server of a [`Share`], which ends with it;
//! * [`Access`]: how to get to the share, for this process or another one;
//! * [`Remote`]: what a client can do; it caches nothing, so its round trips are known;
//! * [`Fault`] and [`Error`]: what goes wrong between the two, and around a server;
//! * [`script`]: servers that say what they are given, for tests and fuzzing.
//!
//! Nothing is put on a disk, unless the server is given a directory, and no port of the machine is used:
//! everything of a server lives in its namespaces and goes with them, however the program ends.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

mod client;
mod delay;
mod error;
mod fault;
mod line;
mod nfs;
pub mod script;
mod server;
mod share;
mod smb;
#[cfg(test)]
mod tests;
mod wire;

pub use client::{MOST_CONTENT, Remote};
pub use error::Error;
pub use fault::Fault;
pub use server::{Inside, Server};
pub use share::{Access, Protocol, Share};
pub use smb::Dialect;
