//! Operations: whatever has a start and an end and is one row, as a request to a disk.
//!
//! ```text
//! record ─decoder of its format→ Operation ─tracker: pairs start and end→ row
//! ```
//!
//! Each kind of operation is a file here, with its neutral event and its tracker, and beside it a
//! decoder for each format. The list below is all that the rest of the import knows of them; the row,
//! its codes and its capability are described in [`whyslow_model::tables::recorded`].

mod call_samples;
mod disks;
mod files;
mod pairs;
mod source;
mod system_calls;
mod tracker;

pub use call_samples::SampledCall;
pub use disks::{DiskEvent, DiskPhase, DiskRequest, RequestKey};
pub use files::CountedFileCalls;
pub(crate) use source::{Decoder, KernelEvents, Source, Tracepoint};
pub use system_calls::CountedCalls;
pub(crate) use tracker::{Scene, Tracker};

use crate::limits::Limits;

macro_rules! operations {
    ($($(#[doc = $doc:literal])* $name:ident($event:ident) $module:ident::$tracker:ident,)*) => {
        /// The start or the end of an operation.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Operation { $($(#[doc = $doc])* $name($event),)* }

        $(impl From<$event> for Operation {
            fn from(event: $event) -> Self {
                Self::$name(event)
            }
        })*

        /// The trackers of all operations.
        #[derive(Debug)]
        pub(crate) struct Operations { $($module: $module::$tracker,)* }

        impl Operations {
            /// Returns trackers that have seen nothing.
            pub(crate) fn new(limits: &Limits) -> Self {
                Self { $($module: Tracker::new(limits),)* }
            }

            /// Hands an event to its tracker.
            pub(crate) fn event(&mut self, operation: &Operation, scene: &mut dyn Scene) {
                match operation { $(Operation::$name(event) => self.$module.event(event, scene),)* }
            }

            /// Says that events were lost.
            pub(crate) fn loss(&mut self) {
                $(self.$module.loss();)*
            }

            /// Ends the trace.
            pub(crate) fn end(&mut self, scene: &mut dyn Scene) {
                $(self.$module.end(scene);)*
            }
        }

        /// Where operations are found in a recording.
        pub(crate) const SOURCES: &[Source] = &[$($module::SOURCE,)*];
    };
}

operations! {
    /// A request to a disk.
    Disk(DiskEvent) disks::Disks,
    /// System calls of a thread.
    SystemCalls(CountedCalls) system_calls::Calls,
    /// A system call with its place.
    CallSample(SampledCall) call_samples::CallSamples,
    /// Calls of a thread about a file.
    FileCalls(CountedFileCalls) files::FileCalls,
}
