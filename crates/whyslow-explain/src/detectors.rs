//! All detectors. A new one is a file in this folder and a line in [`ALL`].
//!
//! The order is that of claiming time: what comes earlier is the more particular mechanism. Time that
//! an earlier one explains is not explained again; what is about the same time then says more about
//! it.

mod call_cost;
mod competing;
mod computed;
mod deadlock;
mod file_habits;
mod handed;
mod many_calls;
mod polled;
mod quota;
mod starts;
mod waited;
mod worked;

use crate::detector::Detector;

pub(crate) use waited::unexplained;

/// Every detector, the most particular first.
pub(crate) const ALL: &[Detector] = &[
    starts::DETECTOR,
    many_calls::DETECTOR,
    polled::DETECTOR,
    deadlock::DETECTOR,
    worked::DETECTOR,
    computed::DETECTOR,
    quota::DETECTOR,
    competing::DETECTOR,
    waited::DETECTOR,
    handed::DETECTOR,
];
