//! What is told of the functions of Java programs.

use whyslow_perfdata::writer::SampleIdentity;

use crate::events::EventKind;
use crate::raw_record::{u32_at, u64_at};
use crate::transform::Transform;

impl Transform {
    /// Writes the functions that were met in the sample `record`.
    pub(crate) fn tell_java_code(&mut self, record: &[u8]) {
        for object in self.walker.java.take_new() {
            let identity = SampleIdentity {
                pid: u32_at(record, 24),
                tid: u32_at(record, 28),
                time_ns: u64_at(record, 32),
                cpu: u32_at(record, 40),
                id: 0,
            };
            let mut bytes = Vec::new();
            object.encode(&mut bytes);
            self.own_sample(EventKind::Code, identity, &[], &bytes);
        }
    }
}
