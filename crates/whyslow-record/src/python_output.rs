//! Puts what the eBPF programs report about Python programs into the stacks that it belongs to.
//!
//! The frames of a thread come right after its stack, in the same ring: the half of a CPU sample is
//! kept anyway until its sample comes, and a user half that is written separately is kept until its
//! frames are there, or something else comes instead.

use whyslow_perfdata::abi::{misc, record};
use whyslow_perfdata::writer::SampleIdentity;
use whyslow_runtimes::interpreted::payload::{Event, Payload};

use crate::mapped::Mapped;
use crate::raw_record::{Fields, u32_at, u64_at};
use crate::transform::{AwaitedHalf, Transform};

/// Stacks that one program takes at a time: of a wait, and of the call that it was in.
const MOST_AWAITED: usize = 2;

impl Transform {
    /// Learns from a non-sample record.
    pub(crate) fn python_side_band(&mut self, kind: u32, misc: u16, record: &[u8]) {
        let Some(python) = &mut self.python else {
            return;
        };
        let (pid, second) = (u32_at(record, 8), u32_at(record, 12));
        match kind {
            record::MMAP2 => {
                if let Some(mapped) = Mapped::of_record(record) {
                    python.mapping(&mapped);
                }
            }
            record::COMM if misc & misc::COMM_EXEC != 0 => python.exec(pid),
            // pid, parent pid, tid, parent tid.
            record::FORK => python.fork(second, pid),
            record::EXIT if pid == u32_at(record, 16) => python.exit(pid),
            _ => {}
        }
    }

    /// Takes one sample of what the programs write.
    pub(crate) fn python_output(&mut self, ring: usize, record: &[u8]) {
        let payload = Fields::of_sample(record).raw().and_then(Payload::parse);
        let (Some(Payload { pid, tid, event }), Some(python)) = (payload, &mut self.python) else {
            self.bad_outputs += 1;
            return;
        };
        let identity = SampleIdentity {
            pid,
            tid,
            time_ns: u64_at(record, 32),
            cpu: u32_at(record, 40),
            id: 0,
        };
        match event {
            Event::Code(code) => {
                let Some(object) = python.code(pid, &code) else {
                    return;
                };
                self.tell_code(identity, &[object]);
            }
            Event::Script(code) => {
                let Some(object) = python.script_code(pid, &code) else {
                    return;
                };
                self.tell_code(identity, &[object]);
            }
            Event::Frames(frames) => {
                let Some(cpu) = self.cpus.get_mut(ring) else {
                    return;
                };
                let awaited = cpu.halves.iter_mut();
                let mut awaited = awaited.filter(|half| half.identity.tid == tid).peekable();
                if awaited.peek().is_some() {
                    awaited.for_each(|half| python.splice(pid, &frames, &mut half.chain));
                } else if let Some(chain) = cpu.copied.of(tid) {
                    python.splice(pid, &frames, chain);
                }
                let untold = python.take_untold();
                self.tell_code(identity, &untold);
                self.release_halves(ring);
            }
        }
    }

    /// Keeps a user half until its Python frames are there.
    pub(crate) fn await_frames(&mut self, ring: usize, half: AwaitedHalf) {
        let halves = self.cpus.get(ring).map(|cpu| cpu.halves.as_slice());
        let halves = halves.unwrap_or_default();
        let is_other = |other: &AwaitedHalf| other.identity.tid != half.identity.tid;
        // Threads of a Python process may have no Python frames, which then never come.
        if halves.len() >= MOST_AWAITED || halves.iter().any(is_other) {
            self.release_halves(ring);
        }
        if let Some(cpu) = self.cpus.get_mut(ring) {
            cpu.halves.push(half);
        }
    }

    /// Writes the user halves that were kept.
    pub(crate) fn release_halves(&mut self, ring: usize) {
        let halves = self.cpus.get_mut(ring).map(|cpu| &mut cpu.halves);
        for half in halves.map(std::mem::take).unwrap_or_default() {
            self.write_half(half.identity, &half.user, &half.chain);
        }
    }
}
