//! Reports functions of programs that generate code, or that an interpreter runs.

use whyslow_perfdata::whyslow_events::CodeObject;
use whyslow_perfdata::writer::SampleIdentity;

use crate::events::EventKind;
use crate::transform::Transform;

impl Transform {
    /// Writes the functions that were met in the stacks of a sample.
    pub(crate) fn tell_generated_code(&mut self, identity: SampleIdentity) {
        let new = self.walker.generated.take_new();
        self.tell_code(identity, &new);
    }

    /// Writes functions.
    pub(crate) fn tell_code(&mut self, identity: SampleIdentity, functions: &[CodeObject]) {
        for object in functions {
            let mut bytes = Vec::new();
            object.encode(&mut bytes);
            self.own_sample(EventKind::Code, identity, &[], &bytes);
        }
    }
}
