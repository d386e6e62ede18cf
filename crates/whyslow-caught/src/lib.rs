//! Panics of other people's readers: some check the bounds of damaged files in that way.
//!
//! Such a panic becomes an error of the caller, and nothing is printed about it. Any other panic is
//! printed as usual.

#![forbid(unsafe_code)]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A reader panicked: what it reads is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Panicked;

thread_local! {
    /// How many calls of [`caught`] this thread is in.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
}

/// Runs a reader; what it leaves half done must not be used after a panic.
///
/// # Errors
/// When it panicked.
pub fn caught<T>(read: impl FnOnce() -> T) -> Result<T, Panicked> {
    let count = |by: fn(u32, u32) -> u32| INSIDE.with(|inside| inside.set(by(inside.get(), 1)));
    count(u32::saturating_add);
    let read = catch_unwind(AssertUnwindSafe(read));
    count(u32::saturating_sub);
    read.map_err(|_| Panicked)
}

/// Prints nothing about panics that [`caught`] catches, from now on.
pub fn keep_quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if INSIDE.try_with(Cell::get).unwrap_or(0) == 0 {
            usual(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, set_hook};
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn only_what_is_not_caught_is_printed() {
        static PRINTED: AtomicU32 = AtomicU32::new(0);
        set_hook(Box::new(|_| {
            PRINTED.fetch_add(1, Ordering::Relaxed);
        }));
        keep_quiet();
        let panics = || -> u32 { panic!("damaged") };
        assert_eq!(caught(|| 7), Ok(7));
        assert_eq!(caught(panics), Err(Panicked));
        assert_eq!(caught(|| caught(panics)), Ok(Err(Panicked)));
        assert_eq!(PRINTED.load(Ordering::Relaxed), 0);
        let other = catch_unwind(panics);
        assert!(other.is_err());
        assert_eq!(PRINTED.load(Ordering::Relaxed), 1);
    }
}
