//! Stretches off the CPU that wait for the user halves of their stacks.
//!
//! ```text
//!   out       wake   in             user half        out
//! ───┤ waiting ┤ ready ├─ running ──────┼──── running ──┤
//!                      └── held back ───┘
//! ```
//!
//! A wait's user stack is taken when its system call returns, and belongs to all waits of that
//! call. Waits too short to be worth one are sampled: every so often one of them gets a user half
//! and stands for those before it. So a thread's waits are held back until a user half comes. The
//! ones it was taken for get it; earlier ones with the same kernel half get it too, flagged
//! approximate; the others wait for a later sample, whatever long waits come between.
//!
//! Rows are not lost by holding them back, only late, so any bound is right: the oldest goes first.

use std::collections::VecDeque;

use super::rows::Away;

/// Stretches held back per thread: at the usual threshold of 1 ms, waits of a microsecond each.
pub(crate) const MAX_PER_THREAD: usize = 1024;
/// Stretches held back over all threads; beyond it all are let go, so that those of threads that
/// nothing happens to any more do not keep others from being held.
pub(crate) const MAX_TOTAL: usize = 1 << 16;
/// Room for stretches that a thread keeps though it holds none.
pub(crate) const MOST_SPARE: usize = 16;

/// What is held back of one thread, oldest first.
pub(crate) type Held = VecDeque<Away>;
