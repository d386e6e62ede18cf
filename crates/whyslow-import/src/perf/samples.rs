//! Samples: the scheduler's tracepoints and CPU samples.

use whyslow_model::WaitReason;
use whyslow_perfdata::whyslow_events::{
    IDLE_CLASS_STATE, THROTTLED_STATE, accounted_ns, recorder_ns, sites,
};
use whyslow_perfdata::{Endian, Record, Sample};

use super::Frontend;
use super::plan::{Plan, Weight};
use super::scheduler::{SwitchFields, WakingFields};
use crate::error::Error;
use crate::event::{
    EventKind, OperationEvent, ProcessFacts, Sample as CpuSample, Site, Switch, Waker, Waking,
};
use crate::payload::perf::{Place, Tracepoint, lossy};
use whyslow_schedule::MAX_CPUS;
use whyslow_stacks::StackRef;

/// Bits of `common_flags`: the event happened in an interrupt or an NMI.
const IN_INTERRUPT: i64 = 0x08 | 0x40;

/// Bit of `common_flags`: the event happened in the deferred work of an interrupt.
const IN_SOFTIRQ: i64 = 0x10;

/// The record's CPU mode: the sample hit user code.
const MODE_USER: u16 = 2;
/// Longest time one sample may represent where it is only measured by time.
const MOST_MEASURED_NS: i64 = 10_000_000;

impl Frontend<'_> {
    pub(super) fn sample(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        plan: &Plan,
    ) -> Result<(), Error> {
        match plan {
            Plan::Cpu(weight) => self.cpu_sample(record, sample, *weight),
            Plan::Switch(fields) => self.switch(record, sample, fields),
            Plan::Waking(fields) => self.waking(record, sample, fields, false),
            Plan::FirstWaking(fields) => self.waking(record, sample, fields, true),
            Plan::Queued(fields) => self.queued(record, sample, fields),
            Plan::Exec(fields) => {
                let path = fields.filename.text(sample.raw, self.session.endian);
                let path = path.and_then(|path| self.importer.text(&path));
                let pid = sample.pid().and_then(|pid| u32::try_from(pid).ok());
                let Some(pid) = pid else {
                    return Ok(());
                };
                let facts = ProcessFacts {
                    pid,
                    path,
                    ..ProcessFacts::default()
                };
                self.event(record, EventKind::Process(facts))
            }
            Plan::GroupMove(fields) => self.group_move(record, sample, fields),
            Plan::Operation(found) => self.operation(record, sample, found.decoder),
            Plan::Own(own) => self.own(record, sample, *own),
            Plan::Counted => Ok(()),
        }
    }

    fn cpu_sample(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        weight: Weight,
    ) -> Result<(), Error> {
        let is_user = record.misc & 7 == MODE_USER;
        let mut stack = self.chains.of_sample(&mut self.importer, sample, is_user);
        self.add_dump(sample, &mut stack);
        let weight_ns = match weight {
            Weight::PeriodNs(default) => {
                let period = sample
                    .period()
                    .and_then(|period| i64::try_from(period).ok());
                period.filter(|&period| period > 0).unwrap_or(default)
            }
            Weight::AimedNs(aimed) => aimed,
            Weight::Measured => self.measure(record),
        };
        // A thread that has ended has no id left; it is the thread that runs there.
        let id = |id: Option<i32>| id.and_then(|id| u32::try_from(id).ok());
        let kind = EventKind::Sample(CpuSample {
            pid: id(sample.pid()),
            tid: id(sample.tid()),
            weight_ns,
            stack,
            priority: None,
        });
        self.event(record, kind)
    }

    /// Takes the user half from the copy of the user stack, if there is one.
    fn add_dump(&mut self, sample: &Sample<'_>, stack: &mut StackRef) {
        if self.session.has_dumps
            && let Some(half) = self.dumps.walk(&mut self.importer, sample)
        {
            stack.user = half;
        }
    }

    /// Returns the time since the last sample on the record's CPU, up to a limit.
    fn measure(&mut self, record: &Record<'_>) -> i64 {
        let cpu = record.cpu.filter(|&cpu| cpu < MAX_CPUS).unwrap_or(0);
        let now = super::time(record).unwrap_or(0);
        let last = self.session.last_sample_ns.insert(cpu, now);
        last.map_or(0, |last| {
            now.saturating_sub(last).clamp(0, MOST_MEASURED_NS)
        })
    }

    fn switch(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        fields: &SwitchFields,
    ) -> Result<(), Error> {
        let endian = self.session.endian;
        let read = |place: Place| place.read(sample.raw, endian);
        let id = |place| read(place).and_then(|id| u32::try_from(id).ok());
        let (Some(out_tid), Some(in_tid), Some(state)) = (
            id(fields.prev_pid),
            id(fields.next_pid),
            read(fields.prev_state),
        ) else {
            return self.bad_payload(record);
        };
        let (own, state) = self.own_state(state);
        let is_own = sample
            .tid()
            .is_some_and(|tid| tid.cast_unsigned() == out_tid);
        let mut out_stack = self.chains.stack(&mut self.importer, sample.callchain);
        self.add_dump(sample, &mut out_stack);
        let [out_site, in_waker_site] = self.sites(sample.raw, fields.end);
        let switch = Switch {
            out_tid,
            out_pid: sample
                .pid()
                .and_then(|pid| u32::try_from(pid).ok())
                .filter(|_| is_own),
            reason: match own & THROTTLED_STATE {
                0 => fields.states.reason(state),
                _ => WaitReason::Throttled,
            },
            reason_raw: i32::try_from(state).unwrap_or(-1),
            priority: read(fields.prev_prio).and_then(|priority| i32::try_from(priority).ok()),
            is_idle_class: own & IDLE_CLASS_STATE != 0,
            out_stack,
            in_tid,
            in_pid: None,
            in_stack: StackRef::NONE,
            out_site,
            in_waker_site,
            out_accounted_ns: self.account(accounted_ns, sample.raw, fields.end),
            out_recorder_ns: self.account(recorder_ns, sample.raw, fields.end),
        };
        self.event(record, EventKind::Switch(switch))?;
        if self.has_nameless() {
            self.suggest(out_tid, fields.prev_comm.read(sample.raw));
            self.suggest(in_tid, fields.next_comm.read(sample.raw));
        }
        Ok(())
    }

    fn waking(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        fields: &WakingFields,
        is_first: bool,
    ) -> Result<(), Error> {
        let endian = self.session.endian;
        let target = fields
            .pid
            .read(sample.raw, endian)
            .and_then(|id| u32::try_from(id).ok());
        let (Some(target_tid), Some(flags)) = (target, fields.flags.read(sample.raw, endian))
        else {
            return self.bad_payload(record);
        };
        let tid = sample.tid().and_then(|tid| u32::try_from(tid).ok());
        let waker = match tid {
            _ if flags & IN_INTERRUPT != 0 => Waker::Interrupt,
            Some(tid) if flags & IN_SOFTIRQ != 0 && tid != 0 => Waker::Softirq { tid },
            _ if flags & IN_SOFTIRQ != 0 => Waker::Interrupt,
            Some(tid) => Waker::Thread { tid },
            None => Waker::Unknown,
        };
        let stack = self.chains.stack(&mut self.importer, sample.callchain);
        let waking = Waking {
            target_tid,
            waker,
            stack,
            site: self.sites(sample.raw, fields.end)[0],
        };
        let kind = if is_first {
            EventKind::FirstWaking(waking)
        } else {
            EventKind::Waking(waking)
        };
        self.event(record, kind)?;
        if self.has_nameless() {
            self.suggest(target_tid, fields.comm.read(sample.raw));
        }
        Ok(())
    }

    fn queued(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        fields: &WakingFields,
    ) -> Result<(), Error> {
        let target = fields.pid.read(sample.raw, self.session.endian);
        let Some(tid) = target.and_then(|id| u32::try_from(id).ok()) else {
            return self.bad_payload(record);
        };
        self.context(record)?;
        self.event(record, EventKind::Queued { tid })
    }

    fn operation(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        decoder: usize,
    ) -> Result<(), Error> {
        self.context(record)?;
        let of = Tracepoint {
            raw: sample.raw,
            endian: self.session.endian,
            tid: record.tid.and_then(|tid| u32::try_from(tid).ok()),
        };
        let decoder = self.session.decoders.get(decoder);
        let Some(operation) = decoder.and_then(|decoder| decoder(&of)) else {
            return self.bad_payload(record);
        };
        let mut stack = self.chains.stack(&mut self.importer, sample.callchain);
        self.add_dump(sample, &mut stack);
        let event = OperationEvent {
            pid: None,
            tid: of.tid,
            stack,
            operation,
        };
        self.event(record, EventKind::Operation(event))
    }

    /// Returns the bits of a state that Whyslow's recorder adds, and the kernel's own bits.
    fn own_state(&self, state: i64) -> (u64, i64) {
        if !self.session.is_own {
            return (0, state);
        }
        let own = state.cast_unsigned() & (THROTTLED_STATE | IDLE_CLASS_STATE);
        (own, state ^ own.cast_signed())
    }

    /// Returns the sites that Whyslow's recorder appends to a payload whose fields end at `end`.
    fn sites(&self, payload: &[u8], end: usize) -> [Site; 2] {
        if !self.session.is_own {
            return [Site::default(); 2];
        }
        sites(payload, end, self.session.endian).map(Site)
    }

    /// Returns a time of the thread that leaves, as Whyslow's recorder appends it.
    fn account(
        &self,
        read: fn(&[u8], usize, Endian) -> Option<u64>,
        payload: &[u8],
        end: usize,
    ) -> Option<i64> {
        let ns = read(payload, end, self.session.endian);
        let ns = ns.filter(|_| self.session.is_own)?;
        i64::try_from(ns).ok()
    }

    /// Returns whether threads without a name were added since the last call.
    fn has_nameless(&mut self) -> bool {
        let births = self.importer.nameless_births();
        std::mem::replace(&mut self.nameless, births) != births
    }

    fn suggest(&mut self, tid: u32, name: Option<String>) {
        if let Some(name) = name.filter(|_| self.importer.lacks_name(tid)) {
            self.importer.suggest_name(tid, &lossy(name.as_bytes()));
        }
    }

    pub(super) fn bad_payload(&mut self, record: &Record<'_>) -> Result<(), Error> {
        let kind = whyslow_model::ProblemKind::BadRecord;
        let size = record.size;
        self.importer.problems().add(kind, Some(record.offset), || {
            format!("a tracepoint of {size} bytes lacks fields its format names")
        });
        Ok(())
    }
}
