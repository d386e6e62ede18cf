//! Writing `perf.data`: what a recorder needs, and no more.
//!
//! The reader understands every dialect of the format; the writer writes one: a regular file in
//! this machine's byte order, attributes of version 7, every sample with an `IDENTIFIER`, every
//! other record with the trailer of `sample_id_all`. Perf 5.x and later open such files.
//!
//! [`EventAttr`] describes an event to the kernel and in the file, [`RecordBuffer`] makes records,
//! [`Features`] and [`TracingData`] make feature sections, and [`FileWriter`] writes the whole
//! file.

mod attr;
mod features;
mod file;
mod identity;
mod records;

#[cfg(test)]
mod tests;

pub use attr::{ATTR_BYTES, AttrFlag, EventAttr};
pub use features::{ClockReading, EventDescription, Features, ModuleBuildId, TracingData};
pub use file::FileWriter;
pub use identity::SampleIdentity;
pub use records::{MAX_RECORD_BYTES, MappedFile, MappingRecord, RecordBuffer};
