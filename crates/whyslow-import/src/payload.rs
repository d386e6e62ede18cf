//! Reading the fields of an event, whatever is made of it.

pub(crate) mod etw;
pub(crate) mod perf;
