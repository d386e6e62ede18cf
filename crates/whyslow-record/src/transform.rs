//! From the kernel's records to the file's: copied, rewritten or dropped, one at a time.
//!
//! Most records are copied. Samples with a stack dump become samples with a call chain; samples of
//! the bare duplicates become samples of the event with stack whose chain is empty; the output of eBPF
//! programs becomes the payloads of `whyslow_events`. On the way the side-band records teach the
//! unwinder which files are mapped, kernel addresses are collected, and everything is counted.

use std::ops::Range;

use whyslow_perfdata::whyslow_events::UserStack;
use whyslow_perfdata::writer::{RecordBuffer, SampleIdentity};

use crate::disk_layout::DiskLayouts;
use crate::duplicates::{Duplicates, Verdict};
use crate::event_index::EventIndex;
use crate::events::EventKind;
use crate::goroutines::Goroutines;
use crate::memory::Memory;
use crate::own_marks::OwnMarks;
use crate::python::Python;
use crate::raw_record::{
    Dump, Fields, HEADER_BYTES, SAMPLE_HEAD_BYTES, header, time_ns, u32_at, u64_at,
};
use crate::switch_chain::SwitchChain;
use crate::switch_layout::SwitchLayout;
use crate::waking_layout::WakingLayout;
use crate::walker::Walker;
use whyslow_perfdata::abi::{context, misc, record};
use whyslow_proc::addresses::KernelAddresses;

/// Counts of one event.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EventTally {
    /// Samples written.
    pub(crate) samples: u64,
    /// Samples written without a stack because stacks were limited.
    pub(crate) without_stack: u64,
    /// Samples written without a stack because other samples of their site have one.
    pub(crate) of_sample: u64,
}

/// State of the rewriting.
#[derive(Debug)]
pub(crate) struct Transform {
    index: EventIndex,
    pub(crate) tallies: Vec<EventTally>,
    pub(crate) walker: Walker,
    pub(crate) addresses: KernelAddresses,
    pub(crate) cpus: Vec<CpuState>,
    register_count: usize,
    pub(crate) lost_in_rings: u64,
    /// System calls that were counted together, without their kind.
    pub(crate) calls_of_others: u64,
    /// The process that ended with a code longer than the kernel keeps, and the code.
    pub(crate) long_code: Option<(u32, i32)>,
    /// The marks of the command.
    pub(crate) marks: OwnMarks,
    /// Output of eBPF programs that could not be understood; 0 unless programs and recorder differ.
    pub(crate) bad_outputs: u64,
    /// Follows the switches, to find those that are missing.
    pub(crate) switch_chain: Option<SwitchChain>,
    /// Switches from threads that the kernel hides, as reported by eBPF programs.
    pub(crate) unseen_switches: u64,
    /// How to write the switches that eBPF programs report.
    pub(crate) switch_layout: Option<SwitchLayout>,
    /// The same of wake-ups.
    pub(crate) waking_layout: Option<WakingLayout>,
    /// The same of requests to disks.
    pub(crate) disk_layouts: DiskLayouts,
    /// The functions that call eBPF programs; frames further in belong to the recorder.
    pub(crate) callers: Vec<Range<u64>>,
    /// The frames of Python programs.
    pub(crate) python: Option<Python>,
    /// What goroutines do.
    pub(crate) goroutines: Goroutines,
    /// How much memory processes have.
    pub(crate) memory: Memory,
    pub(crate) first_sample_ns: u64,
    pub(crate) last_sample_ns: u64,
    /// When the newest record was made.
    newest_ns: u64,
    /// The moment up to which all records were there when the last round ended.
    settled_ns: u64,
    out: RecordBuffer,
    chain: Vec<u64>,
    /// The kernel's user half of a CPU sample.
    pointers: Vec<u64>,
}

/// What is kept per ring.
#[derive(Debug, Default)]
pub(crate) struct CpuState {
    switches: Duplicates,
    wakeups: Duplicates,
    pub(crate) copied: CopiedHalf,
    /// User halves of one thread whose Python frames follow.
    pub(crate) halves: Vec<AwaitedHalf>,
}

/// A user half that is written once the frames of its Python program are there.
#[derive(Debug)]
pub(crate) struct AwaitedHalf {
    pub(crate) identity: SampleIdentity,
    pub(crate) user: UserStack,
    pub(crate) chain: Vec<u64>,
}

/// The user half that an eBPF program delivered for the next CPU sample of a thread.
#[derive(Debug, Default)]
pub(crate) struct CopiedHalf {
    tid: u32,
    chain: Vec<u64>,
}

impl CopiedHalf {
    /// Remembers a half.
    pub(crate) fn set(&mut self, tid: u32, chain: Vec<u64>) {
        *self = Self { tid, chain };
    }

    /// The half of a thread.
    pub(crate) fn of(&mut self, tid: u32) -> Option<&mut Vec<u64>> {
        (self.tid == tid && !self.chain.is_empty()).then_some(&mut self.chain)
    }

    fn take_of(&mut self, tid: u32) -> Option<Vec<u64>> {
        let chain = std::mem::take(&mut self.chain);
        (self.tid == tid && !chain.is_empty()).then_some(chain)
    }
}

impl Transform {
    /// Returns the state before the first record of `rings` rings.
    pub(crate) fn new(index: EventIndex, rings: usize, walker: Walker) -> Self {
        let cpus = (0..rings).map(|_| CpuState::default()).collect();
        Self {
            tallies: vec![EventTally::default(); index.len()],
            index,
            walker,
            addresses: KernelAddresses::default(),
            cpus,
            register_count: crate::walker::USER_REGISTERS.count_ones() as usize,
            lost_in_rings: 0,
            calls_of_others: 0,
            long_code: None,
            marks: OwnMarks::default(),
            bad_outputs: 0,
            switch_chain: None,
            unseen_switches: 0,
            switch_layout: None,
            disk_layouts: DiskLayouts::default(),
            callers: Vec::new(),
            waking_layout: None,
            python: None,
            goroutines: Goroutines::default(),
            memory: Memory::default(),
            first_sample_ns: 0,
            last_sample_ns: 0,
            newest_ns: 0,
            settled_ns: 0,
            out: RecordBuffer::new(),
            chain: Vec::new(),
            pointers: Vec::new(),
        }
    }

    /// The records for the file so far.
    pub(crate) fn output(&mut self) -> &mut RecordBuffer {
        &mut self.out
    }

    /// Takes one record of ring `ring`.
    pub(crate) fn record(&mut self, ring: usize, record: &[u8]) {
        let (kind, misc, _) = header(record);
        self.newest_ns = self.newest_ns.max(time_ns(record));
        match kind {
            record::SAMPLE => self.sample(ring, record),
            record::LOST | record::LOST_SAMPLES => {
                // LOST: id, count. LOST_SAMPLES: count.
                let offset = if kind == record::LOST { 16 } else { 8 };
                self.lost_in_rings += u64_at(record, offset);
                self.copy_other(kind, misc, record);
            }
            record::SWITCH_CPU_WIDE if self.is_note(record) => self.note(ring, misc, record),
            _ => {
                self.goroutine_side_band(kind, misc, record);
                self.walker.side_band(kind, misc, record);
                self.python_side_band(kind, misc, record);
                self.copy_other(kind, misc, record);
            }
        }
    }

    /// Whether a `SWITCH` record was asked for to find missing switches only.
    fn is_note(&self, record: &[u8]) -> bool {
        let id = u64_at(record, record.len().saturating_sub(8));
        matches!(self.index.find(id), Some((_, EventKind::SwitchNote)))
    }

    /// Takes a `SWITCH` record: it reports a switch that no tracepoint has reported, or it is
    /// dropped.
    fn note(&mut self, ring: usize, misc: u16, record: &[u8]) {
        if misc & misc::SWITCH_OUT != 0 {
            return;
        }
        // The record: process and thread that left; then, as in all trailers, those that came.
        let trailer = record.get(16..).unwrap_or_default();
        let leaver = (u32_at(record, 8), u32_at(record, 12));
        let chain = self.switch_chain.as_mut();
        let Some(switch) = chain.and_then(|chain| chain.comes(ring, u32_at(trailer, 4), leaver))
        else {
            return;
        };
        let identity = SampleIdentity {
            pid: switch.leaver_pid,
            tid: switch.leaver_tid,
            time_ns: u64_at(trailer, 8),
            cpu: u32_at(trailer, 16),
            id: 0,
        };
        self.release_held(ring, EventKind::Switch);
        self.own_sample(EventKind::Switch, identity, &[], &switch.payload);
    }

    /// Copies a non-sample record. Perf refuses ids that the file does not declare, so ids of
    /// hidden events become those of the event that their samples become.
    fn copy_other(&mut self, kind: u32, misc: u16, record: &[u8]) {
        let end = record.len().saturating_sub(8);
        let Some(shown) = self.index.shown_id(u64_at(record, end)) else {
            return self.out.copy(record);
        };
        let body = record.get(HEADER_BYTES..end).unwrap_or_default();
        self.out.record(kind, misc, |out| {
            if kind == record::LOST {
                out.u64(shown);
                out.bytes(body.get(8..).unwrap_or_default());
            } else {
                out.bytes(body);
            }
            out.u64(shown);
        });
    }

    /// Writes all records that were held back.
    pub(crate) fn release_all_held(&mut self) {
        for ring in 0..self.cpus.len() {
            self.release_held(ring, EventKind::Switch);
            self.release_held(ring, EventKind::Waking);
            self.release_halves(ring);
        }
    }

    /// The time for something that is written after everything else, and so must not be earlier.
    pub(crate) fn behind_all(&self, now_ns: u64) -> u64 {
        now_ns.max(self.newest_ns)
    }

    /// The time for something that became known late: not earlier than the last round.
    pub(crate) fn behind_round(&self, time_ns: u64) -> u64 {
        time_ns.max(self.settled_ns)
    }

    /// Ends a round at a moment up to which nothing is missing. Writes what was held back since the round
    /// before: what it waited for will not come.
    pub(crate) fn end_round(&mut self, settled_ns: u64) -> std::io::Result<()> {
        if let Some(chain) = &mut self.switch_chain {
            chain.adjust(settled_ns)?;
        }
        self.goroutine_changes(settled_ns);
        self.memory_readings(settled_ns);
        let before_ns = std::mem::replace(&mut self.settled_ns, settled_ns);
        for ring in 0..self.cpus.len() {
            let halves = self.cpus.get(ring).and_then(|cpu| cpu.halves.first());
            if halves.is_some_and(|half| half.identity.time_ns <= before_ns) {
                self.release_halves(ring);
            }
            for kind in [EventKind::Switch, EventKind::Waking] {
                self.held(ring, kind, |duplicates, write| {
                    duplicates.release_old(before_ns, write);
                });
            }
        }
        Ok(())
    }

    fn sample(&mut self, ring: usize, record: &[u8]) {
        let Some((event, kind)) = self.index.find(u64_at(record, 8)) else {
            return;
        };
        self.last_sample_ns = self.last_sample_ns.max(u64_at(record, 32));
        if self.first_sample_ns == 0 {
            self.first_sample_ns = u64_at(record, 32);
        }
        self.addresses.add(u64_at(record, 16));
        self.walker.generated.set_time(u64_at(record, 32));
        match kind {
            EventKind::CpuClock => self.unwound(ring, record, event, false),
            EventKind::MajorFault => self.unwound(ring, record, event, true),
            EventKind::BpfOutput => self.bpf_output(ring, record, false),
            EventKind::BpfChained => self.bpf_output(ring, record, true),
            EventKind::PythonOutput => self.python_output(ring, record),
            EventKind::Bell => {}
            EventKind::SystemCallOutput => self.system_call_output(record),
            EventKind::NetworkOutput => self.network_output(record),
            EventKind::DiskOutput => self.disk_output(record),
            EventKind::Switch | EventKind::Waking => self.with_stack(ring, record, event, kind),
            EventKind::SwitchBare => self.bare(ring, record, EventKind::Switch),
            EventKind::WakingBare => self.bare(ring, record, EventKind::Waking),
            EventKind::WakeupNew => {
                self.collect_chain(record);
                self.copy(record, event);
            }
            _ => self.copy(record, event),
        }
        self.tell_generated_code(SampleIdentity {
            pid: u32_at(record, 24),
            tid: u32_at(record, 28),
            time_ns: u64_at(record, 32),
            cpu: u32_at(record, 40),
            id: 0,
        });
    }

    fn copy(&mut self, record: &[u8], event: usize) {
        self.out.copy(record);
        self.count(event).samples += 1;
    }

    pub(crate) fn count(&mut self, event: usize) -> &mut EventTally {
        // The index gives no number beyond the table's end.
        if event >= self.tallies.len() {
            self.tallies.resize(event + 1, EventTally::default());
        }
        &mut self.tallies[event]
    }

    /// A sample with a chain, then registers and memory: both become one chain.
    fn unwound(&mut self, ring: usize, record: &[u8], event: usize, has_address: bool) {
        let mut fields = Fields::of_sample(record);
        let Some((chain, dump)) = chain_and_dump(
            &mut fields,
            has_address,
            self.index.has_dump(event).then_some(self.register_count),
        ) else {
            return;
        };
        self.chain.clear();
        self.chain
            .extend(chain.chunks_exact(8).map(|word| u64_at(word, 0)));
        // The entries after the kernel's are its own user half, which becomes part of ours.
        let user = self.chain.iter().position(|&ip| ip == context::USER);
        let user = user.unwrap_or(self.chain.len());
        self.pointers.clear();
        self.pointers.extend(self.chain.drain(user..).skip(1));
        for &ip in &self.chain {
            if ip < context::MAX {
                self.addresses.add(ip);
            }
        }
        let (pid, tid) = (u32_at(record, 24), u32_at(record, 28));
        let copied = self
            .cpus
            .get_mut(ring)
            .and_then(|cpu| cpu.copied.take_of(tid));
        match (dump, copied) {
            (Some(dump), _) => self.walker.append(pid, dump, &mut self.chain),
            (None, Some(half)) if !has_address => self.chain.extend_from_slice(&half),
            _ if self.walker.is_kernel_thread(pid) => {}
            _ => self.walker.append_absent(&mut self.chain),
        }
        self.walker
            .lengthen(pid, &self.pointers, user, &mut self.chain);
        let (_, misc, _) = header(record);
        let head = record.get(8..SAMPLE_HEAD_BYTES).unwrap_or_default();
        let chain = &self.chain;
        self.out.record(record::SAMPLE, misc, |out| {
            out.bytes(head);
            if has_address {
                // The address comes between time and CPU, so the CPU is still to come.
                out.bytes(
                    record
                        .get(SAMPLE_HEAD_BYTES..SAMPLE_HEAD_BYTES + 8)
                        .unwrap_or_default(),
                );
            }
            out.chain(chain);
        });
        self.count(event).samples += 1;
    }

    pub(crate) fn follow(&mut self, ring: usize, kind: EventKind, payload: &[u8]) {
        if kind == EventKind::Switch
            && let Some(chain) = &mut self.switch_chain
        {
            chain.switch(ring, payload);
        }
    }

    fn with_stack(&mut self, ring: usize, record: &[u8], event: usize, kind: EventKind) {
        self.follow(ring, kind, payload(record, true));
        let duplicates = self.cpus.get_mut(ring).and_then(|cpu| cpu.duplicates(kind));
        let is_new = duplicates
            .is_none_or(|duplicates| duplicates.full(payload(record, true), u64_at(record, 32)));
        if is_new {
            self.collect_chain(record);
            self.release_held(ring, kind);
            self.copy(record, event);
        }
    }

    fn bare(&mut self, ring: usize, record: &[u8], kind: EventKind) {
        let payload = payload(record, false);
        self.follow(ring, kind, payload);
        let Some(duplicates) = self.cpus.get_mut(ring).and_then(|cpu| cpu.duplicates(kind)) else {
            return;
        };
        if duplicates.bare(payload) == Verdict::Hold {
            self.release_held(ring, kind);
            if let Some(duplicates) = self.cpus.get_mut(ring).and_then(|cpu| cpu.duplicates(kind)) {
                duplicates.hold(record, payload, u64_at(record, 32));
            }
        }
    }

    /// Writes the bare record held back on this ring as one of the event with stack.
    fn release_held(&mut self, ring: usize, kind: EventKind) {
        self.held(ring, kind, |duplicates, write| duplicates.release(write));
    }

    fn held(
        &mut self,
        ring: usize,
        kind: EventKind,
        release: impl FnOnce(&mut Duplicates, &mut dyn FnMut(&[u8])),
    ) {
        let Some((event, id)) = self.index.of_kind(kind) else {
            return;
        };
        let Self {
            cpus, out, tallies, ..
        } = self;
        let Some(duplicates) = cpus.get_mut(ring).and_then(|cpu| cpu.duplicates(kind)) else {
            return;
        };
        release(duplicates, &mut |held| {
            write_bare(out, held, id);
            if let Some(tally) = tallies.get_mut(event) {
                tally.samples += 1;
                tally.without_stack += 1;
            }
        });
    }

    fn collect_chain(&mut self, record: &[u8]) {
        let Some(chain) = Fields::of_sample(record).chain() else {
            return;
        };
        for word in chain.chunks_exact(8) {
            let ip = u64_at(word, 0);
            if ip < context::MAX {
                self.addresses.add(ip);
            }
        }
    }

    /// The call chain that an eBPF program took, from where the scheduler calls the programs.
    pub(crate) fn chain_of_handler(&mut self, chain: &[u8]) -> Vec<u64> {
        let mut chain: Vec<u64> = chain.chunks_exact(8).map(|word| u64_at(word, 0)).collect();
        let is_caller = |ip: &u64| self.callers.iter().any(|caller| caller.contains(ip));
        if let Some(inner) = chain.iter().rposition(is_caller) {
            // The marker that opens the chain stays.
            chain.drain(1..=inner);
        }
        for &ip in chain.iter().filter(|&&ip| ip < context::MAX) {
            self.addresses.add(ip);
        }
        chain
    }

    /// Counts a sample that has no stack: because others of its site have one, or because there were
    /// too many.
    pub(crate) fn count_without_stack(&mut self, kind: EventKind, has_site: bool) {
        let Some((event, _)) = self.index.of_kind(kind) else {
            return;
        };
        let tally = self.count(event);
        if has_site {
            tally.of_sample += 1;
        } else {
            tally.without_stack += 1;
        }
    }

    /// Writes a sample of an event that the recorder feeds itself.
    pub(crate) fn own_sample(
        &mut self,
        kind: EventKind,
        mut identity: SampleIdentity,
        chain: &[u64],
        payload: &[u8],
    ) {
        let Some((event, id)) = self.index.of_kind(kind) else {
            return;
        };
        identity.id = id;
        let ip = chain
            .iter()
            .copied()
            .find(|&ip| ip < context::MAX)
            .unwrap_or(0);
        if self.out.raw_sample(&identity, ip, chain, payload) {
            self.count(event).samples += 1;
        }
    }
}

impl CpuState {
    fn duplicates(&mut self, kind: EventKind) -> Option<&mut Duplicates> {
        match kind {
            EventKind::Switch => Some(&mut self.switches),
            EventKind::Waking => Some(&mut self.wakeups),
            _ => None,
        }
    }
}

/// The kernel's chain and the user dump of a sample. `registers`: how many, if there is a dump.
fn chain_and_dump<'a>(
    fields: &mut Fields<'a>,
    has_address: bool,
    registers: Option<usize>,
) -> Option<(&'a [u8], Option<Dump<'a>>)> {
    if has_address {
        fields.u64()?;
    }
    let chain = fields.chain()?;
    let dump = registers.and_then(|count| fields.dump(count));
    Some((chain, dump))
}

/// The raw payload of a tracepoint's sample.
fn payload(record: &[u8], has_chain: bool) -> &[u8] {
    let mut fields = Fields::of_sample(record);
    if has_chain && fields.chain().is_none() {
        return &[];
    }
    fields.raw().unwrap_or_default()
}

/// A bare sample, as a sample of the event with stack whose chain is empty.
fn write_bare(out: &mut RecordBuffer, record: &[u8], id: u64) {
    let (_, misc, _) = header(record);
    out.record(record::SAMPLE, misc, |out| {
        out.u64(id);
        out.bytes(record.get(16..SAMPLE_HEAD_BYTES).unwrap_or_default());
        out.chain(&[]);
        out.bytes(record.get(SAMPLE_HEAD_BYTES..).unwrap_or_default());
    });
}
