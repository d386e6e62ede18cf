//! Reads the fields of an event, whatever they are used for.

pub(crate) mod etw;
pub(crate) mod perf;
