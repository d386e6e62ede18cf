//! Scheduling, samples, interrupts and stacks.

use crate::bytes::Bytes;

/// A processor changes its thread (group 5, opcode 36), versions 2 to 5.
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct Switch {
    pub new_thread: u32,
    pub old_thread: u32,
    pub new_priority: i8,
    pub old_priority: i8,
    pub previous_c_state: u8,
    pub spare: i8,
    pub old_wait_reason: u8,
    /// 0 kernel, 1 user.
    pub old_wait_mode: u8,
    /// 1 ready, 2 running, 4 terminated, 5 waiting.
    pub old_state: u8,
    pub old_ideal_cpu: u8,
    /// In ticks of the system timer.
    pub new_wait_time: u32,
    pub reserved: u32,
}

impl Switch {
    /// Returns the payload.
    pub fn payload(&self) -> Vec<u8> {
        let out = Bytes::default().u32(self.new_thread).u32(self.old_thread);
        let out = out.i8(self.new_priority).i8(self.old_priority);
        let out = out.u8(self.previous_c_state).i8(self.spare);
        let out = out.u8(self.old_wait_reason).u8(self.old_wait_mode);
        let out = out.u8(self.old_state).u8(self.old_ideal_cpu);
        out.u32(self.new_wait_time).u32(self.reserved).0
    }
}

/// A thread becomes ready (group 5, opcode 50).
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct Ready {
    pub thread: u32,
    pub adjust_reason: i8,
    pub adjust_increment: i8,
    /// 1: made ready by a deferred procedure call, 2: its stack is swapped out, 4: its process is
    /// swapped out.
    pub flags: u8,
}

impl Ready {
    /// Returns the payload.
    pub fn payload(&self) -> Vec<u8> {
        let out = Bytes::default().u32(self.thread).i8(self.adjust_reason);
        out.i8(self.adjust_increment).u8(self.flags).u8(0).0
    }
}

/// A CPU sample (group 15, opcode 46); `flags`: 1 in a deferred call, 2 in an interrupt, the priority
/// from bit 3 on.
pub fn sample(wide: bool, instruction: u64, thread: u32, count: u16, flags: u8) -> Vec<u8> {
    let out = Bytes::default().pointer(wide, instruction).u32(thread);
    out.u16(count).u8(flags).u8(0).0
}

/// A deferred procedure call (group 15, opcodes 66, 68 and 69) since a raw time.
pub fn deferred_call(wide: bool, since: i64, routine: u64) -> Vec<u8> {
    Bytes::default().i64(since).pointer(wide, routine).0
}

/// An interrupt (group 15, opcodes 67 and, with the number of a message, 50) since a raw time.
pub fn interrupt(
    wide: bool,
    since: i64,
    routine: u64,
    (returned, vector): (u8, u16),
    message: Option<u32>,
) -> Vec<u8> {
    let out = Bytes::default().i64(since).pointer(wide, routine);
    let out = out.u8(returned).u16(vector).u8(0);
    match message {
        Some(message) => out.u32(message).0,
        None => out.0,
    }
}

/// The stack of an event (group 24, opcode 32), innermost first.
pub fn stack(wide: bool, event_time: i64, (pid, tid): (u32, u32), frames: &[u64]) -> Vec<u8> {
    let out = Bytes::default().i64(event_time).u32(pid).u32(tid);
    out.pointers(wide, frames).0
}

/// The key of a half of an event's stack (group 24, opcodes 37 kernel and 38 user).
pub fn stack_of_key(wide: bool, event_time: i64, ids: (u32, u32), key: u64) -> Vec<u8> {
    stack(wide, event_time, ids, &[key])
}

/// The frames of a key (group 24, opcodes 34 to 36).
pub fn stack_key(wide: bool, key: u64, frames: &[u64]) -> Vec<u8> {
    Bytes::default().pointer(wide, key).pointers(wide, frames).0
}
