//! What a Java virtual machine (HotSpot) reveals about the code that it generates.
//!
//! HotSpot describes its own structures for debuggers: `gHotSpotVMStructs` and `gHotSpotVMTypes` are
//! exported tables of field offsets, sizes and static addresses (`vmStructs.cpp` in OpenJDK; the
//! serviceability agent works by the same tables). With them another process finds, for an address in the
//! code cache, the method that was compiled there, the methods inlined at that place, and how large the
//! frame is; and for a frame of the interpreter its method. The virtual machine does not cooperate, nothing
//! is written into it, and it is never stopped. What is read may change meanwhile, so inconsistent data
//! count as unknown.
//!
//! Sources: OpenJDK 11 to 25, `codeBlob.hpp`, `nmethod.hpp`, `heap.cpp` (segment map), `scopeDesc.cpp`,
//! `compressedStream.hpp` and `unsigned5.hpp`, `constMethod.hpp`, `frame_x86.hpp`.

mod blob;
mod code_cache;
mod code_frame;
mod image;
mod layout;
mod method;
mod packed;
mod scopes;
#[cfg(test)]
mod tests;

pub use crate::process_memory::Memory;
pub use code_cache::{Code, CodeCache, Inlined};
pub use code_frame::CodeFrame;
pub use image::JvmImage;
pub use layout::{Layout, NoLayout};
pub use method::Method;
