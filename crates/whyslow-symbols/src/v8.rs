//! What V8, the engine of Node.js, reveals about the JavaScript that it runs.
//!
//! Builds of V8 for Node.js export constants for debuggers that look at core files (`v8dbg_…`, made by
//! `gen-postmortem-metadata.py`): offsets of fields, kinds of objects, places in frames. With them another
//! process finds, for a frame of a running program, its function, its script, and the line. The program
//! does not cooperate, and is never stopped.
//!
//! What is read may be newer than the frame. Functions move when garbage is collected; their code rarely
//! does. So a frame's function is accepted only if its code agrees: the bytecodes that an
//! interpreted frame holds must be those of the function, and compiled code names its function itself.
//!
//! Sources: V8 10.2 to 13.6, `frame-constants.h`, `scope-info.tq`, `shared-function-info.tq`,
//! `script.tq`, `string.tq`, `instruction-stream.h`, `code.h`, `deoptimization-data.h`.

mod budget;
mod code;
mod frames;
mod function;
mod heap;
mod inlined;
mod layout;
mod scope;
mod script;
mod strings;
#[cfg(test)]
mod tests;

pub use crate::process_memory::Memory;
pub use frames::{Frame, FrameAt, Frames, Running};
pub use function::Function;
pub use layout::{Layout, NoLayout};
