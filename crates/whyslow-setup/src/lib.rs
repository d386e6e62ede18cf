//! How ordinary users may be allowed to record.
//!
//! Recording a machine takes rights that only root has. An administrator can lend the few that matter to a copy of the
//! program, for everybody or for the members of a group:
//!
//! ```text
//! setup ─► explain (Facts: what is so now)        whyslow run ─► hand_over ─► the copy, if this user may execute it
//!       ├► Copy::make  ─► /usr/local/lib/whyslow: the copy, and a note of what was made
//!       └► Copy::undo  ─► takes back what the note says, and nothing else
//! ```
//!
//! What the copy does with these rights, and when it gives them up, is in `whyslow_person::rights`.

#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
mod copy;
#[cfg(target_os = "linux")]
mod error;
#[cfg(target_os = "linux")]
mod explain;
#[cfg(target_os = "linux")]
mod file_rights;
#[cfg(target_os = "linux")]
mod hand_over;
#[cfg(target_os = "linux")]
mod note;

#[cfg(target_os = "linux")]
pub use copy::{Copy, Made, Undone};
#[cfg(target_os = "linux")]
pub use error::Error;
#[cfg(target_os = "linux")]
pub use explain::{Facts, explain};
#[cfg(target_os = "linux")]
pub use hand_over::{NotHandedOver, hand_over};
