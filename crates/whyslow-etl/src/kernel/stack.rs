//! Stacks: group 24. They come after the event they belong to, which they name by its time stamp
//! and thread; if one event has several, they are halves, kernel and user.
//!
//! With stack compression, an event has a *key*, and the frames of a key come later, when the
//! kernel drops it from its cache (opcode 35) or at the end (36).
//!
//! *Folklore:* keys are recycled. A key means the first definition at or after the time of its use.
//! In a real trace (Windows 8), using the last definition left 30 % of all frames without a module;
//! using the first left 0.2 %.

use super::hooks::{Hook, stack_walk};
use crate::cursor::Cursor;
use crate::pointer::{PointerSize, Pointers};

/// The stack of an event, or its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StackOf<'a> {
    /// Raw time stamp of the event that it belongs to.
    pub event_time: i64,
    /// The process.
    pub process_id: u32,
    /// The thread.
    pub thread_id: u32,
    /// The frames themselves or their key.
    pub frames: StackFrames<'a>,
}

/// Frames, innermost first, or the key of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StackFrames<'a> {
    /// Frames (opcode 32) of the kernel, the user or both.
    Inline(Pointers<'a>),
    /// Key of the kernel half (opcode 37).
    KernelKey(u64),
    /// Key of the user half (opcode 38).
    UserKey(u64),
}

impl<'a> StackOf<'a> {
    /// Reads the payload of a stack or of its key; `None` for other events, or if it is too short.
    #[inline]
    pub fn read(payload: &'a [u8], hook: Hook, pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let event_time = cursor.i64()?;
        let (process_id, thread_id) = (cursor.u32()?, cursor.u32()?);
        let frames = match hook {
            stack_walk::STACK => StackFrames::Inline(cursor.pointers()),
            stack_walk::KERNEL_KEY => StackFrames::KernelKey(cursor.pointer()?),
            stack_walk::USER_KEY => StackFrames::UserKey(cursor.pointer()?),
            _ => return None,
        };
        Some(Self {
            event_time,
            process_id,
            thread_id,
            frames,
        })
    }
}

/// The frames of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StackDefinition<'a> {
    /// The key.
    pub key: u64,
    /// The frames, innermost first.
    pub frames: Pointers<'a>,
}

impl<'a> StackDefinition<'a> {
    /// Reads a payload of group 24, opcodes 34 to 36; `None` if it is too short.
    #[inline]
    pub fn read(payload: &'a [u8], pointer: PointerSize) -> Option<Self> {
        let mut cursor = Cursor::new(payload, pointer);
        let key = cursor.pointer()?;
        let frames = cursor.pointers();
        Some(Self { key, frames })
    }
}
