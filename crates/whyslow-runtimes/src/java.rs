//! The frames of Java programs, between the native ones.
//!
//! A HotSpot virtual machine describes its own structures ([`whyslow_symbols::jvm`]). While stacks are
//! unwound, soon after they were copied, the process's memory says which method an address in its code
//! cache belongs to, what is inlined there, and how large the frame is. Nothing is asked of the virtual
//! machine, and it is never stopped. What the memory says may be newer than the stack: code is moved or thrown
//! away rarely, and a frame that does not fit ends the stack there.
//!
//! A frame becomes an address like those of Python's functions (`whyslow_perfdata::whyslow_events`).

mod machines;
mod methods;

use whyslow_symbols::jvm::{CodeFrame, Inlined};
use whyslow_unwind::{FrameShape, GeneratedPlace};

use crate::functions::Functions;
use crate::mapping::Mapping;
use machines::{JavaMachine, Machines};
use methods::{Methods, of_machine};

/// What is known about the Java programs of a recording.
#[derive(Debug, Default)]
pub(crate) struct Java {
    machines: Machines,
    methods: Methods,
}

impl Java {
    /// A process mapped a file.
    pub(crate) fn mapping(&mut self, mapped: &dyn Mapping) {
        self.machines.mapping(mapped);
    }

    /// Process `pid` executes a new program.
    pub(crate) fn exec(&mut self, pid: u32) {
        self.machines.remove(pid);
        self.methods.exit(pid);
    }

    /// Processes that there was no room for.
    pub(crate) fn refused(&self) -> u64 {
        self.machines.refused()
    }

    /// What is not known about virtual machines of other versions.
    pub(crate) fn unknown(&self) -> impl Iterator<Item = &str> {
        self.machines.unknown()
    }

    /// Whether process `pid` runs a virtual machine.
    pub(crate) fn has(&self, pid: u32) -> bool {
        self.machines.has(pid)
    }

    /// Finds the methods of a frame; see `whyslow_unwind::Runtime`.
    pub(crate) fn frame(
        &mut self,
        place: &GeneratedPlace<'_>,
        now_ns: u64,
        known: &mut Functions,
        functions: &mut Vec<u64>,
    ) -> Option<FrameShape> {
        if place.is_in_file {
            return None;
        }
        let machine = self.machines.of(place.pid, now_ns)?;
        let (address, is_leaf) = (place.regs.ip(), place.is_leaf);
        let code = machine
            .cache
            .code(&machine.memory, now_ns, address, is_leaf)?;
        if code.frame == CodeFrame::Interpreted {
            return interpreted(place, machine, (&mut self.methods, known), functions);
        }
        if let Some(name) = &code.name {
            functions.extend(of_machine(name, known));
        }
        for inlined in code.methods.iter() {
            let methods = &mut self.methods;
            let address = methods.address(place.pid, machine, *inlined, known);
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
    machine: &mut JavaMachine,
    (methods, known): (&mut Methods, &mut Functions),
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
    let inlined = Inlined { method, bytecode };
    functions.extend(methods.address(place.pid, machine, inlined, known));
    let caller_stack = below(CodeFrame::CALLER_STACK);
    Some(FrameShape::FramePointer { caller_stack })
}
