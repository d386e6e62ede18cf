//! Results of looking at goroutines, placed between the records of their processes.
//!
//! The stacks that the looks copied are unwound here, like all others. What a look found is written once all
//! earlier records are there, so that the process is known.

use whyslow_goroutines::{Change, Ended, State, Watcher};
use whyslow_perfdata::abi::{misc, record};
use whyslow_perfdata::whyslow_events::{Goroutine, GoroutineState, UserStackEnd};
use whyslow_perfdata::writer::SampleIdentity;
use whyslow_unwind::UserRegs;

use crate::events::EventKind;
use crate::raw_record::{TRAILER_BYTES, u32_at, u64_at};
use crate::transform::Transform;

impl Transform {
    /// Learns from a non-sample record, before anything else does.
    pub(crate) fn goroutine_side_band(&mut self, kind: u32, misc: u16, record: &[u8]) {
        let pid = u32_at(record, 8);
        let ends = match kind {
            record::COMM => misc & misc::COMM_EXEC != 0,
            record::EXIT => pid == u32_at(record, 16),
            _ => false,
        };
        if ends {
            let time_ns = u64_at(record, record.len().saturating_sub(TRAILER_BYTES) + 8);
            self.goroutine_changes(time_ns);
            for ended in self.goroutines.intervals.end_process(pid, time_ns) {
                self.write_goroutine(&ended);
            }
        }
    }

    /// Takes what looks of at most this time found.
    pub(crate) fn goroutine_changes(&mut self, until_ns: u64) {
        while let Some(change) = self.goroutines.next(until_ns) {
            self.goroutine_change(&change);
        }
    }

    fn goroutine_change(&mut self, change: &Change) {
        let (pid, id, from_ns) = (change.pid, change.id, change.time_ns);
        if !self.goroutines.intervals.is_alive(pid, from_ns) {
            return;
        }
        let intervals = &mut self.goroutines.intervals;
        let before = match change.state {
            None => intervals.end(pid, id, from_ns),
            Some(state) => {
                let mut chain = Vec::new();
                // Each is of a wait that may last long, and there are never many.
                let is_hurried = self.walker.set_hurried(false);
                let end = change.stack.as_ref().map(|stack| {
                    let regs = UserRegs::from_ip_sp_bp(stack.pc, stack.sp, stack.bp);
                    self.walker
                        .append_copy(pid, &regs, &stack.bytes, &mut chain)
                });
                self.walker.set_hurried(is_hurried);
                intervals.begin(Ended {
                    pid,
                    id,
                    from_ns,
                    until_ns: from_ns,
                    state,
                    stands_for: change.stands_for,
                    place: (end.unwrap_or(UserStackEnd::NotCaptured), chain),
                })
            }
        };
        if let Some(before) = before {
            self.write_goroutine(&before);
        }
    }

    /// The recording ends: takes what is left.
    pub(crate) fn finish_goroutines(&mut self, end_ns: u64) {
        self.goroutine_changes(end_ns);
        let watcher = self.goroutines.watcher.take().map(Watcher::finish);
        let (left, report) = watcher.unwrap_or_default();
        self.goroutines.report = report;
        for change in left.iter().filter(|change| change.time_ns <= end_ns) {
            self.goroutine_change(change);
        }
        for ended in self.goroutines.intervals.finish(end_ns) {
            self.write_goroutine(&ended);
        }
    }

    fn write_goroutine(&mut self, ended: &Ended<(UserStackEnd, Vec<u64>)>) {
        let told = Goroutine {
            state: match ended.state {
                State::Waiting => GoroutineState::Waiting,
                State::Ready => GoroutineState::Ready,
                State::Running => GoroutineState::Running,
                State::SystemCall => GoroutineState::SystemCall,
            },
            end: ended.place.0,
            stands_for: ended.stands_for,
            id: ended.id,
            from_ns: ended.from_ns,
        };
        let mut bytes = Vec::with_capacity(Goroutine::BYTES);
        told.encode(&mut bytes);
        let identity = SampleIdentity {
            pid: ended.pid,
            tid: ended.pid,
            time_ns: self.behind_round(ended.until_ns),
            cpu: 0,
            id: 0,
        };
        self.own_sample(EventKind::Goroutine, identity, &ended.place.1, &bytes);
    }
}
