//! What programs say at a moment: exceptions of .NET, and marks.
//!
//! The stack of an exception is part of its event if the session asked for that. The runtime can
//! also report it as an event of its own, which follows on the same thread.

use whyslow_etl::kernel::hooks::perf_info;
use whyslow_etl::{Descriptor, Extended, Pointers, Record, providers};
use whyslow_model::{ExceptionFlags, FastMap};
use whyslow_operations::{SetMark, ThrownException};
use whyslow_stacks::{HalfRef, Root, StackRef};

use super::emitter::Emitter;
use crate::event::{EventKind, OperationEvent};
use crate::payload::etw::Fields;
use whyslow_etl::kernel::KernelRecord;

/// Events of the .NET runtime: an exception is thrown; the stack of the thread's last event.
const THROWN: u16 = 80;
const STACK: u16 = 82;

pub(super) const RUNTIME_IDS: &[u16] = &[THROWN, STACK];

/// Most exceptions whose stack may still come.
const MOST_WAITING: usize = 1 << 12;
/// Most frames of a stack.
const MOST_FRAMES: usize = 4096;
/// First address of the kernel.
const KERNEL: u64 = 1 << 63;

/// What was said.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// By thread: the key of the user half of its last exception, for the stack that follows.
    waiting: FastMap<u32, u64>,
    pub(super) has_exceptions: bool,
    pub(super) has_marks: bool,
}

impl Notes {
    /// Takes an event of the .NET runtime.
    pub(super) fn runtime(&mut self, record: &Record<'_>, of: &Descriptor, out: &mut Emitter<'_>) {
        if of.id == STACK {
            return self.stack(record, out);
        }
        match Fields::of_provider(record, of) {
            Some(fields) => self.thrown(record, &fields, out),
            None => out.bad(record, "an exception"),
        }
    }

    fn thrown(&mut self, record: &Record<'_>, fields: &Fields<'_>, out: &mut Emitter<'_>) {
        let label = |name, out: &mut Emitter<'_>| {
            let text = fields.text(name)?;
            out.label(&harmless(&text))
        };
        let flags = fields.number("ExceptionFlags").unwrap_or(0);
        let code = fields.number("ExceptionHRESULT").unwrap_or(0);
        let exception = ThrownException {
            kind: label("ExceptionType", out),
            message: label("ExceptionMessage", out),
            code: u32::try_from(code & 0xffff_ffff).unwrap_or(0).cast_signed(),
            flags: ExceptionFlags(i32::try_from(flags & 0x0f).unwrap_or(0)),
        };
        self.has_exceptions = true;
        let tid = record.thread_id();
        let own = own_stack(record, out);
        let stack = own.unwrap_or_else(|| self.stack_to_come(tid, out));
        let event = OperationEvent {
            tid,
            pid: record.process_id(),
            stack,
            operation: exception.into(),
        };
        out.push(record, EventKind::Operation(event));
    }

    /// Returns a stack whose user half may still come as the runtime's own event.
    fn stack_to_come(&mut self, tid: Option<u32>, out: &mut Emitter<'_>) -> StackRef {
        let Some(tid) = tid else {
            return StackRef::NONE;
        };
        if let Some(key) = self.waiting.remove(&tid) {
            define(key, HalfRef::Absent, out);
        }
        if self.waiting.len() >= MOST_WAITING {
            return StackRef::NONE;
        }
        let key = out.new_key();
        self.waiting.insert(tid, key);
        StackRef {
            kernel: HalfRef::Impossible,
            user: HalfRef::Key(key),
        }
    }

    /// Takes the stack of the thread's last event.
    fn stack(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        let tid = record.thread_id();
        let Some(key) = tid.and_then(|tid| self.waiting.remove(&tid)) else {
            return;
        };
        let half = match providers::dotnet_stack(record.payload(), record.pointer_size()) {
            Some(frames) => {
                let frames: Vec<u64> = frames.iter().take(MOST_FRAMES).collect();
                HalfRef::of(out.stack_node(Root::User, &frames))
            }
            None => HalfRef::Absent,
        };
        define(key, half, out);
    }

    /// Takes a mark.
    pub(super) fn mark(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        debug_assert_eq!(of.hook, perf_info::MARK);
        let Some(text) = Fields::of(of.record).text("Text") else {
            return out.bad(of.record, "a mark");
        };
        self.has_marks = true;
        let mark = SetMark {
            text: out.label(&harmless(&text)),
        };
        let ids = (of.record.thread_id(), of.record.process_id());
        out.push_operation(of.record, ids, mark.into());
    }

    /// Ends the trace: stacks that did not come are absent.
    pub(super) fn finish(&mut self, out: &mut Emitter<'_>) {
        let mut waiting: Vec<_> = self.waiting.drain().collect();
        waiting.sort_unstable();
        for (_, key) in waiting {
            define(key, HalfRef::Absent, out);
        }
    }
}

/// Most characters that are kept of a text.
const MOST_CHARACTERS: usize = 1024;

/// Returns a text that cannot disturb a terminal.
pub(super) fn harmless(text: &str) -> String {
    let mut harmless = String::new();
    for character in text.chars().take(MOST_CHARACTERS) {
        match character.is_control() {
            true => harmless.extend(character.escape_default()),
            false => harmless.push(character),
        }
    }
    harmless
}

fn define(key: u64, half: HalfRef, out: &mut Emitter<'_>) {
    out.push_at_end(EventKind::StackDefinition { key, half });
}

/// Returns the stack that an event carries itself.
fn own_stack(record: &Record<'_>, out: &mut Emitter<'_>) -> Option<StackRef> {
    let frames: Pointers<'_> = record.extended().find_map(|item| match item {
        Extended::Stack { frames, .. } => Some(frames),
        _ => None,
    })?;
    let frames: Vec<u64> = frames.iter().take(MOST_FRAMES).collect();
    let inner = frames.iter().take_while(|&&frame| frame >= KERNEL).count();
    let (kernel, user) = frames.split_at(inner);
    let mut half = |root, frames: &[u64]| match frames {
        [] => HalfRef::Absent,
        frames => HalfRef::of(out.stack_node(root, frames)),
    };
    Some(StackRef {
        kernel: half(Root::Kernel, kernel),
        user: half(Root::User, user),
    })
}
