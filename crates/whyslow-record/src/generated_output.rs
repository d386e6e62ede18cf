//! What is reported about the functions of programs that generate code.

use whyslow_perfdata::writer::SampleIdentity;

use crate::events::EventKind;
use crate::transform::Transform;

impl Transform {
    /// Writes the functions that were met in the stacks of a sample.
    pub(crate) fn tell_generated_code(&mut self, identity: SampleIdentity) {
        for object in self.walker.generated.take_new() {
            let mut bytes = Vec::new();
            object.encode(&mut bytes);
            self.own_sample(EventKind::Code, identity, &[], &bytes);
        }
    }
}
