//! What the goroutines of a running Go program do, from the runtime's own structures.
//!
//! A goroutine that waits for a mutex, a channel or another goroutine waits in user space: the kernel only
//! sees threads of the runtime, which wait for something to do. But the runtime keeps a list of all its
//! goroutines (`runtime.allgs`), with the state of each and the end of its stack. [`Watcher`] looks at those
//! lists again and again; what it reads becomes [`Intervals`]: a goroutine was in one state at one place for
//! some time.
//!
//! ```text
//! file of the program ──GoImage──► version, places where the list may be
//! memory ──Runtime──► goroutines ──Observer──► changes ──Intervals──► what each did, and for how long
//!        a look, up to 100 times a second
//! ```
//!
//! Reading neither stops the program nor writes into it. What is read may change meanwhile, or be
//! damaged: inconsistent data are left out, and everything is bounded.

#![forbid(unsafe_code)]

mod change;
mod goroutine;
mod intervals;
mod layouts;
mod observer;
mod pace;
mod runtime;
#[cfg(unix)]
mod settings;
#[cfg(unix)]
mod watcher;

pub use change::{Change, Stack, State};
pub use intervals::{Ended, Intervals};
pub use observer::{Look, Observer};
pub use runtime::{NoRuntime, Runtime};
#[cfg(unix)]
pub use watcher::{Program, Programs, Report, Watcher};
