//! Stack records: which event they belong to, and which half they are.
//!
//! The kernel half is recorded with the event. If the thread was in the kernel, its user half is
//! recorded when the thread returns to its own code. That record names the first event since the
//! thread entered the kernel, and applies to all events since.
//!
//! Either half may be a key. The kernel defines the key later, when it drops the stack from its
//! cache, and then reuses it. *Folklore:* it may drop a key between an event and the record of that
//! event's stack; the key in the record then already means the next stack. So every use of a key
//! until its definition gets a key of our own when it is read ([`HalfRef::Key`]).

use whyslow_etl::Record;
use whyslow_etl::kernel::{StackDefinition, StackFrames, StackOf};
use whyslow_etl::{PointerSize, Pointers};
use whyslow_model::FastMap;

use super::emitter::Emitter;
use super::queue::Owner;
use crate::event::{EventKind, UserHalf, UserTarget};
use whyslow_etl::kernel::KernelRecord;
use whyslow_stacks::{HalfRef, Root};

/// First address of the kernel on 32-bit machines.
const KERNEL_32: u64 = 0x8000_0000;
/// Maximum number of frames read of one stack; the kernel writes at most 192.
const MOST_FRAMES: usize = 4096;

/// Records of stacks: the keys in use, and what became of the stacks.
#[derive(Debug)]
pub(super) struct StackRecords {
    halves: Halves,
    keys: Keys,
    /// Stacks of samples, switches and wake-ups.
    taken: u64,
    /// Stacks that came too late.
    late: u64,
}

/// The keys in use, and the trackers' keys for them.
#[derive(Debug)]
struct Keys {
    open: FastMap<u64, u64>,
    most: usize,
}

impl Keys {
    /// Returns an empty set of at most `most` keys.
    fn new(most: u32) -> Self {
        Self {
            open: FastMap::default(),
            most: usize::try_from(most).unwrap_or(usize::MAX),
        }
    }

    /// Returns what a key means until it is defined; `None` at the limit.
    fn used(&mut self, key: u64, out: &mut Emitter<'_>) -> Option<HalfRef> {
        if let Some(&number) = self.open.get(&key) {
            return Some(HalfRef::Key(number));
        }
        if self.open.len() >= self.most {
            return None;
        }
        let own = out.new_key();
        self.open.insert(key, own);
        Some(HalfRef::Key(own))
    }
}

/// The halves of one stack, leaf first.
#[derive(Debug, Default)]
struct Halves {
    kernel: Vec<u64>,
    user: Vec<u64>,
}

/// Returns whether code at `address` is the kernel's.
pub(super) fn is_kernel(address: u64, pointer: PointerSize) -> bool {
    match pointer {
        PointerSize::Four => address >= KERNEL_32,
        PointerSize::Eight => address >> 63 == 1,
    }
}

impl Halves {
    /// Splits frames into halves. Each frame but the innermost of a half is a return address, which
    /// points past its call; the address that is kept lies within the call.
    fn split(&mut self, frames: Pointers<'_>, pointer: PointerSize) {
        self.kernel.clear();
        self.user.clear();
        for address in frames
            .iter()
            .take(MOST_FRAMES)
            .filter(|&address| address != 0)
        {
            let is_user = !self.user.is_empty() || !is_kernel(address, pointer);
            let half = if is_user {
                &mut self.user
            } else {
                &mut self.kernel
            };
            let behind_call = u64::from(!half.is_empty());
            half.push(address.wrapping_sub(behind_call));
        }
    }
}

impl StackRecords {
    /// Returns a tracker of stack records, with at most `most_keys` keys in use.
    pub(super) fn new(most_keys: u32) -> Self {
        Self {
            halves: Halves::default(),
            keys: Keys::new(most_keys),
            taken: 0,
            late: 0,
        }
    }

    /// Returns whether any sample, switch or wake-up has a stack.
    pub(super) fn are_there(&self) -> bool {
        self.taken > 0
    }

    /// Returns how many came too late for their event.
    pub(super) fn late(&self) -> u64 {
        self.late
    }

    /// Takes a stack, or the key of one.
    pub(super) fn stack(&mut self, of: &KernelRecord<'_>, out: &mut Emitter<'_>) {
        let record = of.record;
        let pointer = record.pointer_size();
        let Some(stack) = StackOf::read(record.payload(), of.hook, pointer) else {
            return out.bad(record, "a stack");
        };
        let tid = stack.thread_id;
        let (kernel, user) = match stack.frames {
            StackFrames::KernelKey(key) => (self.key(key, out), HalfRef::Absent),
            StackFrames::UserKey(key) => (HalfRef::Absent, self.key(key, out)),
            StackFrames::Inline(frames) => {
                self.halves.split(frames, pointer);
                self.intern(out)
            }
        };
        let owner = Owner {
            raw_time: stack.event_time,
            pid: stack.process_id,
            tid,
            cpu: out.cpu(record),
        };
        let is_user_half = kernel == HalfRef::Absent && user != HalfRef::Absent;
        // The user half comes when the thread returns to its own code.
        let user_to_come = match user {
            HalfRef::Absent => HalfRef::Pending { tid },
            user => user,
        };
        // Its event has already gone on, or has the other half.
        let mut is_late = is_user_half;
        if let Some(slot) = out.stack(owner) {
            self.taken += 1;
            is_late &= slot.kernel != HalfRef::Absent;
            if slot.kernel == HalfRef::Absent {
                slot.kernel = kernel;
            }
            if slot.user == HalfRef::Absent {
                slot.user = user_to_come;
            }
        } else if let Some(keys) = out.late_keys(owner) {
            self.taken += 1;
            for (key, half) in [(keys.kernel, kernel), (keys.user, user_to_come)] {
                out.push(record, EventKind::StackDefinition { key, half });
            }
        } else if !is_user_half && out.has_gone(stack.event_time) {
            self.late += 1;
        }
        if is_late {
            let half = UserHalf {
                tid,
                target: UserTarget::Pending,
                half: user,
            };
            out.push(record, EventKind::UserHalf(half));
        }
    }

    /// Takes the stack that a key referred to.
    pub(super) fn definition(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        let pointer = record.pointer_size();
        let Some(definition) = StackDefinition::read(record.payload(), pointer) else {
            return out.bad(record, "a stack's definition");
        };
        let Some(key) = self.keys.open.remove(&definition.key) else {
            return;
        };
        self.halves.split(definition.frames, pointer);
        let node = match self.halves.kernel.as_slice() {
            [] => out.stack_node(Root::User, &self.halves.user),
            kernel => out.stack_node(Root::Kernel, kernel),
        };
        let half = HalfRef::of(node);
        out.push(record, EventKind::StackDefinition { key, half });
    }

    fn key(&mut self, key: u64, out: &mut Emitter<'_>) -> HalfRef {
        let half = self.keys.used(key, out);
        half.unwrap_or_else(|| {
            out.refuse("stacks left out: too many keys without definition");
            HalfRef::Absent
        })
    }

    fn intern(&self, out: &mut Emitter<'_>) -> (HalfRef, HalfRef) {
        let Halves { kernel, user } = &self.halves;
        let kernel = match kernel.as_slice() {
            [] => HalfRef::Absent,
            frames => HalfRef::of(out.stack_node(Root::Kernel, frames)),
        };
        let user = match user.as_slice() {
            [] => HalfRef::Absent,
            frames => HalfRef::of(out.stack_node(Root::User, frames)),
        };
        (kernel, user)
    }
}
