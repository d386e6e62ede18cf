//! Where the members of the interpreter's structures are, by version.
//!
//! [`LAYOUTS`] is printed by `layouts/generate` from the headers of the versions listed there:
//! `include/internal/pycore_*.h`, `cpython/*.h`, compiled on x86-64.

/// Offsets in bytes; the first part of the name says in which structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The version's second number.
    pub minor: u32,
    /// The first interpreter, in `_PyRuntime`.
    pub interpreters: u32,
    /// The interpreter's first thread.
    pub interpreter_threads: u32,
    /// The next interpreter.
    pub interpreter_next: u32,
    /// The next thread.
    pub thread_next: u32,
    /// The thread's interpreter.
    pub thread_interpreter: u32,
    /// What `pthread_self` gives in it.
    pub thread_id: u32,
    /// Its frame, or what leads to it.
    pub thread_frame: u32,
    /// The frame, in what `thread_frame` leads to; `None`: it leads to the frame.
    pub c_frame: Option<u32>,
    /// What leads to the outermost frame, which belongs to no call; `None`: there is none.
    pub thread_base: Option<u32>,
    /// The lock of the interpreter (GIL), or in the interpreter's state what leads to it.
    pub gil: Within,
    /// Whether garbage is being collected.
    pub collecting: Within,
    /// How runs of frames end.
    pub runs: Runs,
    /// The frame's code object.
    pub frame_code: u32,
    /// The caller's frame.
    pub frame_previous: u32,
    /// Where in the code it is.
    pub frame_place: u32,
    /// Its kind, a byte.
    pub frame_kind: u32,
    /// The code object's file.
    pub code_file: u32,
    /// Its name; the qualified one where it exists.
    pub code_name: u32,
    /// Its first line.
    pub code_first_line: u32,
    /// Its table of lines.
    pub code_lines: u32,
    /// Its first instruction.
    pub code_instructions: u32,
    /// The type of any object.
    pub object_type: u32,
    /// Letters of a text.
    pub text_length: u32,
    /// Its kind.
    pub text_state: u32,
    /// The first letter of one that is ASCII.
    pub text_ascii: u32,
    /// The first letter of another one.
    pub text_other: u32,
    /// The number of bytes of an object of bytes.
    pub bytes_size: u32,
    /// The first of them.
    pub bytes_data: u32,
}

/// Where something that belongs to an interpreter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Within {
    /// In `_PyRuntime`: all interpreters of a process share it.
    Runtime(u32),
    /// In the interpreter's own state.
    Interpreter(u32),
}

/// Which frames share one call of the interpreter's evaluation function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Runs {
    /// None: every frame has one of its own. The place is a number of instructions.
    OfOne,
    /// Those up to one that is marked as the first. The place is an address.
    ByEntry,
    /// Those up to one without Python code. The place is an address.
    AfterForeign,
}

impl Layout {
    /// Returns the layout of version 3.`minor`, if the interpreter does not describe it itself.
    pub(super) fn of(minor: u32) -> Option<Self> {
        LAYOUTS.into_iter().find(|layout| layout.minor == minor)
    }
}

const LAYOUTS: [Layout; 5] = [
    // Headers of 3.8.18.
    Layout {
        minor: 8,
        interpreters: 32,
        interpreter_threads: 8,
        interpreter_next: 0,
        thread_next: 8,
        thread_interpreter: 16,
        thread_id: 176,
        thread_frame: 24,
        c_frame: None,
        thread_base: None,
        gil: Within::Runtime(1152),
        collecting: Within::Runtime(544),
        runs: Runs::OfOne,
        frame_code: 32,
        frame_previous: 24,
        frame_place: 104,
        frame_kind: 0,
        code_file: 104,
        code_name: 112,
        code_first_line: 40,
        code_lines: 120,
        code_instructions: 0,
        object_type: 8,
        text_length: 16,
        text_state: 32,
        text_ascii: 48,
        text_other: 72,
        bytes_size: 16,
        bytes_data: 32,
    },
    // Headers of 3.9.18.
    Layout {
        minor: 9,
        interpreters: 32,
        interpreter_threads: 8,
        interpreter_next: 0,
        thread_next: 8,
        thread_interpreter: 16,
        thread_id: 176,
        thread_frame: 24,
        c_frame: None,
        thread_base: None,
        gil: Within::Runtime(352),
        collecting: Within::Interpreter(816),
        runs: Runs::OfOne,
        frame_code: 32,
        frame_previous: 24,
        frame_place: 104,
        frame_kind: 0,
        code_file: 104,
        code_name: 112,
        code_first_line: 40,
        code_lines: 120,
        code_instructions: 0,
        object_type: 8,
        text_length: 16,
        text_state: 32,
        text_ascii: 48,
        text_other: 72,
        bytes_size: 16,
        bytes_data: 32,
    },
    // Headers of 3.10.13.
    Layout {
        minor: 10,
        interpreters: 32,
        interpreter_threads: 8,
        interpreter_next: 0,
        thread_next: 8,
        thread_interpreter: 16,
        thread_id: 176,
        thread_frame: 24,
        c_frame: None,
        thread_base: None,
        gil: Within::Runtime(352),
        collecting: Within::Interpreter(816),
        runs: Runs::OfOne,
        frame_code: 32,
        frame_previous: 24,
        frame_place: 96,
        frame_kind: 0,
        code_file: 104,
        code_name: 112,
        code_first_line: 40,
        code_lines: 120,
        code_instructions: 0,
        object_type: 8,
        text_length: 16,
        text_state: 32,
        text_ascii: 48,
        text_other: 72,
        bytes_size: 16,
        bytes_data: 32,
    },
    // Headers of 3.11.7.
    Layout {
        minor: 11,
        interpreters: 40,
        interpreter_threads: 16,
        interpreter_next: 0,
        thread_next: 8,
        thread_interpreter: 16,
        thread_id: 152,
        thread_frame: 56,
        c_frame: Some(8),
        thread_base: None,
        gil: Within::Runtime(360),
        collecting: Within::Interpreter(848),
        runs: Runs::ByEntry,
        frame_code: 32,
        frame_previous: 48,
        frame_place: 56,
        frame_kind: 68,
        code_file: 112,
        code_name: 128,
        code_first_line: 72,
        code_lines: 136,
        code_instructions: 184,
        object_type: 8,
        text_length: 16,
        text_state: 32,
        text_ascii: 48,
        text_other: 72,
        bytes_size: 16,
        bytes_data: 32,
    },
    // Headers of 3.12.1.
    Layout {
        minor: 12,
        interpreters: 40,
        interpreter_threads: 72,
        interpreter_next: 0,
        thread_next: 8,
        thread_interpreter: 16,
        thread_id: 136,
        thread_frame: 56,
        c_frame: Some(0),
        thread_base: None,
        gil: Within::Interpreter(384),
        collecting: Within::Interpreter(312),
        runs: Runs::AfterForeign,
        frame_code: 0,
        frame_previous: 8,
        frame_place: 56,
        frame_kind: 70,
        code_file: 112,
        code_name: 128,
        code_first_line: 68,
        code_lines: 136,
        code_instructions: 192,
        object_type: 8,
        text_length: 16,
        text_state: 32,
        text_ascii: 40,
        text_other: 56,
        bytes_size: 16,
        bytes_data: 32,
    },
];
