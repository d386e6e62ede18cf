//! What the goroutines of a Go program did, as far as the path waited for them or kept them waiting.

use std::collections::BTreeMap;
use std::sync::Arc;

use whyslow_model::{ProcessId, StackId};
use whyslow_query::spans::Spans;
use whyslow_query::wait::ClassId;

use crate::place::Place;

/// The user's goroutines during waits of the path, as far as they matter; each counts by its time.
#[derive(Debug, Clone, Default)]
pub struct Crowd {
    /// Those that waited for the same thing as the path, goroutines times nanoseconds.
    pub waiting_ns: i64,
    /// All of them except those that waited for others to end, goroutines times nanoseconds.
    pub all_ns: i64,
    /// What the probable holders of the mutex did: those in the function that the others wait in.
    pub holders: BTreeMap<(Deed, Arc<Place>), i64>,
}

/// What a goroutine did that others waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// It slept.
    Slept,
    /// It waited for data from a connection, or room in it.
    Talked,
    /// It waited for another goroutine.
    Waited,
}

/// Goroutines that were kept out at one place.
#[derive(Debug, Clone)]
pub struct KeptOut {
    /// What they waited for.
    pub class: ClassId,
    /// Where.
    pub place: Arc<Place>,
    /// The stack of most of them.
    pub stack: StackId,
    /// Their process.
    pub process: ProcessId,
    /// When the path computed and at least as many of them waited as did something else.
    pub when: Spans,
    /// What all goroutines did meanwhile.
    pub crowd: Crowd,
}
