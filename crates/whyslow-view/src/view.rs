//! The input of a question.

use whyslow_model::TraceView;

/// A trace a question reads; several are read in parallel.
pub type View<'a> = &'a (dyn TraceView + Sync);
