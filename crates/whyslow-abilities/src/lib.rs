//! What a user can find out on this machine now, and how to find out more.
//!
//! The kernel is asked, not the settings: an event is opened and closed again. [`Abilities::now`] asks, and
//! [`overview`] says it in ten lines.

#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
mod abilities;
#[cfg(target_os = "linux")]
mod overview;

#[cfg(target_os = "linux")]
pub use abilities::{Abilities, Recordable};
#[cfg(target_os = "linux")]
pub use overview::overview;
