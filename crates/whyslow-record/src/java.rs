//! The frames of Java programs, between the native ones.
//!
//! A HotSpot virtual machine describes its own structures ([`whyslow_symbols::jvm`]). While stacks are
//! unwound, soon after they were copied, the process's memory says which method an address in its code
//! cache belongs to, what is inlined there, and how large the frame is. Nothing is asked of the virtual
//! machine, and it is never stopped. What the memory says may be newer than the stack: code is moved or thrown
//! away rarely, and a frame that does not fit ends the stack there.
//!
//! A frame becomes an address like those of Python's functions (`whyslow_perfdata::whyslow_events`).

mod functions;
mod machines;

use whyslow_perfdata::whyslow_events::CodeObject;
use whyslow_symbols::jvm::{CodeFrame, Inlined};
use whyslow_symbols::unwind::{FrameShape, GeneratedPlace, Runtime};

use crate::mapped::Mapped;
use functions::Functions;
use machines::{Machine, Machines};

/// What is known of the Java programs of a recording.
#[derive(Debug, Default)]
pub(crate) struct Java {
    machines: Machines,
    functions: Functions,
    now_ns: u64,
}

impl Java {
    /// A process mapped a file.
    pub(crate) fn mapping(&mut self, mapped: &Mapped<'_>) {
        self.machines.mapping(mapped);
    }

    /// Process `pid` executes a new program.
    pub(crate) fn exec(&mut self, pid: u32) {
        self.machines.remove(pid);
        self.functions.exit(pid);
    }

    /// Process `pid` ended; its stacks are all unwound, because records come in the order of time.
    pub(crate) fn exit(&mut self, pid: u32) {
        self.exec(pid);
    }

    /// The stacks that are unwound next are of this time.
    pub(crate) fn set_time(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
    }

    /// Takes the functions that were met since the last time.
    pub(crate) fn take_new(&mut self) -> Vec<CodeObject> {
        self.functions.take_new()
    }

    /// What is not known of virtual machines of other versions.
    pub(crate) fn unknown(&self) -> impl Iterator<Item = &str> {
        self.machines.unknown()
    }
}

impl Runtime for Java {
    fn frame(
        &mut self,
        place: &GeneratedPlace<'_>,
        functions: &mut Vec<u64>,
    ) -> Option<FrameShape> {
        let machine = self.machines.of(place.pid, self.now_ns)?;
        let (address, is_leaf) = (place.regs.ip(), place.is_leaf);
        let code = machine
            .cache
            .code(&machine.memory, self.now_ns, address, is_leaf)?;
        if code.frame == CodeFrame::Interpreted {
            return interpreted(place, machine, &mut self.functions, functions);
        }
        if let Some(name) = &code.name {
            functions.extend(self.functions.of_machine(name));
        }
        for inlined in code.methods.iter() {
            let address = self.functions.address(place.pid, machine, *inlined);
            functions.extend(address);
        }
        match code.frame {
            CodeFrame::Sized { .. } if !code.is_complete => Some(FrameShape::Begun),
            CodeFrame::Sized { bytes } => Some(FrameShape::Sized { bytes }),
            CodeFrame::Bare => Some(FrameShape::Begun),
            CodeFrame::Interpreted | CodeFrame::FramePointer => None,
        }
    }
}

/// A frame of the interpreter, unless there is no method where it should be: then it is code of the
/// interpreter without a frame of its own.
fn interpreted(
    place: &GeneratedPlace<'_>,
    machine: &mut Machine,
    known: &mut Functions,
    functions: &mut Vec<u64>,
) -> Option<FrameShape> {
    let frame = place.regs.frame_pointer()?;
    let below = |bytes: u64| (place.read)(frame.wrapping_sub(bytes));
    let method = below(CodeFrame::METHOD)?;
    // What runs at the leaf is in a register.
    let bytecode = match place.is_leaf {
        true => place.regs.r13(),
        false => below(CodeFrame::BYTECODE),
    };
    let told = machine
        .cache
        .method(&machine.memory, machine.now_ns, method)?;
    let bytecode = bytecode.and_then(|address| told.bytecode_at(address));
    functions.extend(known.address(place.pid, machine, Inlined { method, bytecode }));
    let caller_stack = below(CodeFrame::CALLER_STACK);
    Some(FrameShape::FramePointer { caller_stack })
}
