//! Switches of one processor in packed form (group 5, opcode 37), as in `ntwmi.h` of System
//! Informer (`PERFINFO_CCSWAP_BUFFER`): the time of the first switch, tables of 16 threads and
//! their base priorities, then packets with the thread that stops and the time since the switch
//! before.

use crate::bytes::Bytes;

/// Switches not written yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Batch {
    pub(crate) first: i64,
    last: i64,
    threads: Vec<u32>,
    packets: Bytes,
}

/// A thread that stops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop {
    pub(crate) time: i64,
    /// 0 for the idle thread.
    pub(crate) thread: u32,
    /// Priority above the base, which is 8 for every thread here.
    pub(crate) raise: u8,
    pub(crate) state_and_reason: u8,
    /// Ticks of the system timer that the next thread has waited.
    pub(crate) wait: u32,
}

const BASE_PRIORITY: u8 = 8;

impl Batch {
    pub(crate) fn is_empty(&self) -> bool {
        self.packets.0.is_empty()
    }

    /// Adds a switch if there is room.
    pub(crate) fn push(&mut self, stop: Stop) -> bool {
        if self.is_empty() {
            (self.first, self.last) = (stop.time, stop.time);
        }
        let delta = u64::try_from(stop.time - self.last).unwrap();
        if delta >= 1 << 30 || self.packets.0.len() > 1000 {
            return false;
        }
        let packets = std::mem::take(&mut self.packets);
        if stop.thread == 0 {
            self.packets = match u16::try_from(delta) {
                Ok(short) if short < 1 << 14 => packets.u16(short << 2),
                _ => packets.u32((delta as u32) << 2 | 1),
            };
        } else {
            let known = self.threads.iter().position(|known| *known == stop.thread);
            let place = known.unwrap_or(self.threads.len());
            if place == 16 {
                self.packets = packets;
                return false;
            }
            if known.is_none() {
                self.threads.push(stop.thread);
            }
            self.packets = thread_packet(packets, stop, place as u64, delta);
        }
        self.last = stop.time;
        true
    }

    /// Returns the payload and starts again.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        let batch = std::mem::take(self);
        let out = Bytes::default().i64(batch.first);
        let places = (0..16).map(|place| batch.threads.get(place).copied().unwrap_or(0));
        let out = places.fold(out, Bytes::u32);
        out.bytes(&[BASE_PRIORITY; 16]).bytes(&batch.packets.0).0
    }
}

fn thread_packet(packets: Bytes, stop: Stop, place: u64, delta: u64) -> Bytes {
    let code = u64::from(stop.state_and_reason);
    if delta < 1 << 17 && stop.wait == 0 && stop.raise < 8 {
        let packet = 2 | place << 2 | u64::from(stop.raise) << 6 | code << 9 | delta << 15;
        return packets.u32(u32::try_from(packet).unwrap());
    }
    let priority = u64::from(BASE_PRIORITY + stop.raise);
    let wait = u64::from(stop.wait.min((1 << 17) - 1));
    packets.u64(3 | delta << 2 | place << 32 | code << 36 | priority << 42 | wait << 47)
}
