//! How frames of generated code look.

/// How the frames of a piece of code look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeFrame {
    /// Of this size, including the return address and the saved frame pointer at the end.
    Sized {
        /// Bytes.
        bytes: u64,
    },
    /// A frame of the interpreter: the method and more lie at known places below the frame pointer.
    Interpreted,
    /// Nothing but the return address.
    Bare,
    /// By the frame pointer.
    FramePointer,
}

impl CodeFrame {
    /// Where an interpreter's frame has its method, the bytecode that runs, and its caller's stack
    /// pointer: bytes below the frame pointer (`frame_x86.hpp`).
    pub const METHOD: u64 = 24;
    /// See [`METHOD`](Self::METHOD).
    pub const BYTECODE: u64 = 64;
    /// See [`METHOD`](Self::METHOD).
    pub const CALLER_STACK: u64 = 8;
}
