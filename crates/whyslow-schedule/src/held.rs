//! Stretches off the CPU that wait for the user halves of their stacks.
//!
//! ```text
//!   out       wake   in             user half        out
//! ───┤ waiting ┤ ready ├─ running ──────┼──── running ──┤
//!                      └── held back ───┘
//! ```
//!
//! A wait's user stack is taken when its system call returns, and belongs to all waits of that
//! call. Waits too short for a stack each are sampled: every so often one of them gets a user half
//! and represents those before it. So a thread's waits are held back until a user half comes. The
//! waits it was taken for get it; earlier ones with the same kernel half get it too, flagged
//! approximate; the others wait for a later sample, even if long waits come in between.
//!
//! Holding rows back only delays them, so any bound is correct: the oldest goes first.

use std::collections::VecDeque;

use super::rows::Away;

/// Maximum number of stretches held back per thread: at the usual threshold of 1 ms, enough for
/// waits of a microsecond each.
pub(crate) const MAX_PER_THREAD: usize = 1024;
/// Maximum number of stretches held back over all threads. Beyond it all are released, so that
/// threads without further events do not keep others from being held.
pub(crate) const MAX_TOTAL: usize = 1 << 16;
/// Spare capacity that a thread keeps although it holds no stretches.
pub(crate) const MOST_SPARE: usize = 16;

/// The stretches held back for one thread, oldest first.
pub(crate) type Held = VecDeque<Away>;
