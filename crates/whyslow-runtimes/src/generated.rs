//! Code that programs generate while they run, and its functions.
//!
//! A virtual machine or engine knows more about its code than any file. Each kind has a module of its own
//! (`java`, `node`); here is what they share.

use whyslow_perfdata::whyslow_events::CodeObject;
use whyslow_unwind::{FrameShape, GeneratedPlace, Runtime};

use crate::functions::Functions;
use crate::java::Java;
use crate::mapping::Mapping;
use crate::node::Node;

/// What is known about the programs of a recording that generate code.
#[derive(Debug, Default)]
pub struct Generated {
    java: Java,
    node: Node,
    functions: Functions,
    now_ns: u64,
}

impl Generated {
    /// A process mapped a file.
    pub fn mapping(&mut self, mapped: &dyn Mapping) {
        self.java.mapping(mapped);
        self.node.mapping(mapped);
    }

    /// Process `pid` begins, executes a new program, or ended; the stacks of before are all unwound, because
    /// records come in the order of time.
    pub fn forget(&mut self, pid: u32) {
        self.java.exec(pid);
        self.node.forget(pid);
    }

    /// The stacks that are unwound next are of this time.
    pub fn set_time(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
    }

    /// What Java virtual machines and JavaScript engines do not export about themselves.
    pub fn unknown(&self) -> (impl Iterator<Item = &str>, impl Iterator<Item = &str>) {
        (self.java.unknown(), self.node.unknown())
    }

    /// What there was no room for, as a sentence without its end, and how much.
    pub fn limits(&self) -> [(&'static str, u64); 3] {
        [
            (
                "frames of Java and JavaScript functions without a name: too many functions",
                self.functions.refused(),
            ),
            (
                "Java processes whose frames were not read: too many at once",
                self.java.refused(),
            ),
            (
                "Node.js processes whose frames were not read: too many at once",
                self.node.refused(),
            ),
        ]
    }

    /// Takes the functions that were met since the last time.
    pub fn take_new(&mut self) -> Vec<CodeObject> {
        self.functions.take_new()
    }
}

impl Runtime for Generated {
    fn frame(
        &mut self,
        place: &GeneratedPlace<'_>,
        functions: &mut Vec<u64>,
    ) -> Option<FrameShape> {
        let (now_ns, known) = (self.now_ns, &mut self.functions);
        if self.node.has(place.pid) {
            return self.node.frame(place, now_ns, known, functions);
        }
        if self.java.has(place.pid) {
            return self.java.frame(place, now_ns, known, functions);
        }
        None
    }
}
