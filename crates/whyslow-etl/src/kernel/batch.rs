//! Context switches of one processor in packed form (group 5, opcode 37): the kernel writes them in
//! this form if the session asks for it, in buffers of their own.
//!
//! `i64` time of the first switch, 16 `u32` threads, 16 `i8` base priorities, then packets of 2, 4
//! or 8 bytes, whose lowest two bits give their kind. Each names the thread that stops, by its
//! place in the table, and the time since the switch before. Which thread continues is known from
//! the next switch, where that thread stops. From `ntwmi.h` of System Informer
//! (`PERFINFO_CCSWAP_BUFFER`). No real trace with such batches was available: this is tested on
//! synthetic traces only.

use crate::cursor::Cursor;
use crate::pointer::PointerSize;

/// Number of threads in the table.
const THREADS: usize = 16;

/// The switches of a batch, in order of time. The iterator ends with the payload, or before a
/// packet that the payload does not hold whole.
#[derive(Debug, Clone)]
pub struct SwitchBatch<'a> {
    time: i64,
    threads: [u32; THREADS],
    priorities: [i8; THREADS],
    packets: Cursor<'a>,
}

/// A thread stops running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackedSwitch {
    /// When, in raw time like that of records.
    pub time: i64,
    /// The thread that ran until now; 0 is the idle thread.
    pub old_thread_id: u32,
    /// Its priority; 0 for the idle thread.
    pub old_priority: i8,
    /// Its state and the reason of its wait, packed in 6 bits; 0 for the idle thread. What the bits
    /// mean is not public.
    pub old_state_and_reason: u8,
    /// How long the new thread has waited, in ticks of the system timer.
    pub new_wait_ticks: u32,
}

impl<'a> SwitchBatch<'a> {
    /// Reads a payload of group 5, opcode 37; `None` if it is too short for its tables.
    pub fn read(payload: &'a [u8]) -> Option<Self> {
        let mut packets = Cursor::new(payload, PointerSize::Eight);
        let time = packets.i64()?;
        let (mut threads, mut priorities) = ([0; THREADS], [0; THREADS]);
        for thread in &mut threads {
            *thread = packets.u32()?;
        }
        for priority in &mut priorities {
            *priority = packets.i8()?;
        }
        Some(Self {
            time,
            threads,
            priorities,
            packets,
        })
    }

    /// Returns the bytes of the payload after the switches returned so far.
    pub fn rest(&self) -> &'a [u8] {
        self.packets.rest()
    }

    /// Thread and base priority at a place in the tables.
    fn thread(&self, place: u64) -> Option<(u32, i8)> {
        let place = usize::try_from(place).ok()?;
        Some((*self.threads.get(place)?, *self.priorities.get(place)?))
    }

    /// A switch from the idle thread.
    fn idle(&mut self, delta: u64) -> PackedSwitch {
        self.time = self.time.wrapping_add_unsigned(delta);
        PackedSwitch {
            time: self.time,
            old_thread_id: 0,
            old_priority: 0,
            old_state_and_reason: 0,
            new_wait_ticks: 0,
        }
    }

    /// A switch from a thread with a priority close to its base priority, to one that has not
    /// waited.
    fn lite(&mut self, packet: u64) -> Option<PackedSwitch> {
        let (old_thread_id, base) = self.thread(bits(packet, 2, 4))?;
        let raise = i8::try_from(bits(packet, 6, 3)).ok()?;
        Some(PackedSwitch {
            old_thread_id,
            old_priority: base.wrapping_add(raise),
            old_state_and_reason: u8::try_from(bits(packet, 9, 6)).ok()?,
            ..self.idle(bits(packet, 15, 17))
        })
    }

    fn full(&mut self, packet: u64) -> Option<PackedSwitch> {
        let (old_thread_id, _) = self.thread(bits(packet, 32, 4))?;
        Some(PackedSwitch {
            old_thread_id,
            old_state_and_reason: u8::try_from(bits(packet, 36, 6)).ok()?,
            old_priority: i8::try_from(bits(packet, 42, 5)).ok()?,
            new_wait_ticks: u32::try_from(bits(packet, 47, 17)).ok()?,
            ..self.idle(bits(packet, 2, 30))
        })
    }
}

impl Iterator for SwitchBatch<'_> {
    type Item = PackedSwitch;

    fn next(&mut self) -> Option<PackedSwitch> {
        const IDLE_SHORT: u8 = 0;
        const IDLE: u8 = 1;
        const LITE: u8 = 2;
        let kind = self.packets.rest().first()? & 3;
        match kind {
            IDLE_SHORT => {
                let packet = self.packets.u16()?.into();
                Some(self.idle(bits(packet, 2, 14)))
            }
            IDLE => {
                let packet = self.packets.u32()?.into();
                Some(self.idle(bits(packet, 2, 30)))
            }
            LITE => {
                let packet = self.packets.u32()?.into();
                self.lite(packet)
            }
            _ => {
                let packet = self.packets.u64()?;
                self.full(packet)
            }
        }
    }
}

/// Returns `count` bits of a packet.
fn bits(packet: u64, from: u32, count: u32) -> u64 {
    packet >> from & ((1 << count) - 1)
}
