//! What may have made a command slow: each detector looks for one mechanism in a [`Story`], and drafts findings.
//!
//! A new one is a file here and a line in [`ALL`]. The order is that in which they claim time: more specific mechanisms come first. Time that an
//! earlier one explains is not explained again; later findings about the same time only add detail.

#![forbid(unsafe_code)]

mod busy_disk;
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
mod traced;
mod turns;
mod waited;
mod worked;

use whyslow_findings::ranking::ranked;
use whyslow_story::story::Story;

use whyslow_findings::{Finding, detector, finding};

use crate::detector::Detector;

pub use looks::say as looks_say;
pub use waited::{unexplained, waits_for_strangers};

/// Every detector, the most specific first.
pub const ALL: &[Detector] = &[
    starts::DETECTOR,
    thread_starts::DETECTOR,
    many_calls::DETECTOR,
    flooded::DETECTOR,
    full_pipe::DETECTOR,
    connections::DETECTOR,
    polled::DETECTOR,
    deadlock::DETECTOR,
    traced::DETECTOR,
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
    busy_disk::DETECTOR,
    handed::DETECTOR,
    kept_out::DETECTOR,
    meanwhile::DETECTOR,
];

/// Runs all detectors, and compares what they found.
pub fn findings(story: &Story<'_>) -> Vec<Finding> {
    let drafts = ALL.iter().flat_map(|detector| (detector.find)(story));
    let drafts = drafts.map(|draft| meanwhile::completed(story, draft));
    ranked(story, drafts.collect())
}
