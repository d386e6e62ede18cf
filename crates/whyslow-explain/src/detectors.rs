//! All detectors. A new one is a file in this folder and a line in [`ALL`].
//!
//! The order is that in which they claim time: more specific mechanisms come first. Time that an
//! earlier one explains is not explained again; later findings about the same time only add detail.

mod competing;
mod computed;
mod connections;
mod deadlock;
mod file_habits;
mod flooded;
mod full_pipe;
mod handed;
mod held_up;
mod kept_out;
mod looks;
mod many_calls;
mod meanwhile;
mod memory;
mod polled;
mod quota;
mod starts;
mod thread_starts;
mod turns;
mod waited;
mod worked;

use whyslow_findings::ranking::ranked;
use whyslow_story::story::Story;

use crate::detector::Detector;
use crate::finding::Finding;

pub(crate) use looks::say as looks_say;
pub(crate) use waited::{unexplained, waits_for_strangers};

/// Every detector, the most specific first.
pub(crate) const ALL: &[Detector] = &[
    starts::DETECTOR,
    thread_starts::DETECTOR,
    many_calls::DETECTOR,
    flooded::DETECTOR,
    full_pipe::DETECTOR,
    connections::DETECTOR,
    polled::DETECTOR,
    deadlock::DETECTOR,
    turns::DETECTOR,
    worked::DETECTOR,
    quota::DETECTOR,
    memory::DETECTOR,
    competing::DETECTOR,
    held_up::DETECTOR,
    handed::CHILD,
    computed::DETECTOR,
    looks::DETECTOR,
    waited::DETECTOR,
    handed::DETECTOR,
    kept_out::DETECTOR,
    meanwhile::DETECTOR,
];

/// Runs all detectors, and compares what they found.
pub(crate) fn findings(story: &Story<'_>) -> Vec<Finding> {
    let drafts = ALL.iter().flat_map(|detector| (detector.find)(story));
    let drafts = drafts.map(|draft| meanwhile::completed(story, draft));
    ranked(story, drafts.collect())
}
