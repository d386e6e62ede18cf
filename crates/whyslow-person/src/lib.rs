//! The person a program runs for, on Linux.
//!
//! Recording a whole machine takes the rights of root, so people call `sudo whyslow run -- make`. The build is still
//! theirs: run as root it would find another home, other settings, and leave files behind that they cannot remove.
//!
//! ```text
//! what sudo left in the environment ─► Caller ─► Person ─► environment ─► become, between fork and exec
//! ```
//!
//! * [`caller`]: who called sudo, doas, pkexec or run0;
//! * [`owner_of_command`]: whose a command is, and the variables that it gets;
//! * [`HeldCommand`]: a command that waits until the recording has begun, and then becomes theirs;
//! * [`Person`]: the numbers of a user and their groups, and the account if there is one;
//! * [`rights`]: what the program's file lends to everybody who executes it.

#[cfg(target_os = "linux")]
mod accounts;
#[cfg(target_os = "linux")]
mod ancestors;
#[cfg(target_os = "linux")]
mod caller;
#[cfg(target_os = "linux")]
mod choice;
#[cfg(target_os = "linux")]
mod environment;
#[cfg(target_os = "linux")]
mod held;
#[cfg(target_os = "linux")]
mod person;
#[cfg(target_os = "linux")]
pub mod rights;
#[cfg(target_os = "linux")]
mod terminal;

#[cfg(target_os = "linux")]
pub use accounts::{Account, group_named};
#[cfg(target_os = "linux")]
pub use choice::{Owner, Refused, caller, owner_of_command};
#[cfg(target_os = "linux")]
pub use environment::Variable;
#[cfg(target_os = "linux")]
pub use held::{ChildState, Ended, HANDLED, HeldCommand};
#[cfg(target_os = "linux")]
pub use person::{Person, Unknown};
