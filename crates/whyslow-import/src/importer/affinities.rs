//! The CPUs that threads may use: reported, changed, inherited.

use std::fmt::Write;

use whyslow_settle::Affinity;

use super::Importer;
use crate::event::Event;
use whyslow_schedule::{CpuSetId, Live, NONE, Slot};

impl Importer<'_> {
    /// Returns the set of these CPUs, one bit each, lowest first; `None` at the limit, or if it is
    /// empty.
    pub fn cpu_set(&mut self, words: &[u64]) -> Option<CpuSetId> {
        self.schedule.cpu_set(words)
    }

    /// Sets how many CPUs there are, where the source says so beforehand.
    pub fn tell_cpus(&mut self, count: u32) {
        self.schedule.tell_cpus(count);
    }

    pub(super) fn affinity(&mut self, event: &Event, pid: u32, tid: u32, cpus: CpuSetId) {
        let slot = match event.time_ns {
            None => {
                self.thread_seen(pid, tid, None);
                self.threads.slot(tid)
            }
            Some(_) => self.threads.slot(tid),
        };
        if let Some(slot) = slot {
            self.bind(slot, event.time_ns, cpus);
        }
    }

    /// Gives a thread that begins at `ns` its maker's affinity. The maker is the thread that runs
    /// where the event happened, or the first thread of the process.
    pub(super) fn inherit(&mut self, event: &Event, maker_pid: u32, tid: u32) {
        let runner = event.cpu.and_then(|cpu| self.schedule.runner(cpu));
        let process = self.processes.living(maker_pid);
        let is_maker = |live: &Live| {
            let thread = self.threads.get(live.thread);
            thread.is_some_and(|thread| Some(thread.process) == process)
        };
        let runner = runner.filter(|&slot| is_maker(self.schedule.live(slot)));
        let Some(maker) = runner.or_else(|| self.threads.slot(maker_pid)) else {
            return;
        };
        let cpus = self.schedule.live(maker).cpus;
        if let Some(slot) = self.threads.slot(tid).filter(|_| cpus != CpuSetId::ALL) {
            self.bind(slot, event.time_ns, cpus);
        }
    }

    /// Keeps the affinity of the thread that goes on after an exec.
    pub(super) fn keep_affinity(&mut self, slot: Slot, ns: i64) {
        let cpus = self.schedule.live(slot).cpus;
        if cpus != CpuSetId::ALL {
            self.note(slot, Some(ns), cpus);
        }
    }

    fn bind(&mut self, slot: Slot, from_ns: Option<i64>, cpus: CpuSetId) {
        if self.schedule.live(slot).cpus != cpus {
            self.schedule.bind(slot, from_ns, cpus);
            self.note(slot, from_ns, cpus);
        }
    }

    fn note(&mut self, slot: Slot, from_ns: Option<i64>, cpus: CpuSetId) {
        let most = usize::try_from(self.limits.threads).unwrap_or(usize::MAX);
        let thread = self.schedule.live(slot).thread;
        if thread == NONE || self.affinities.len() >= most {
            self.counts.affinities_refused += 1;
            return;
        }
        let text = list(self.schedule.cpu_words(cpus));
        if let Some(cpus) = self.texts.intern(&text) {
            self.affinities.push(Affinity {
                thread,
                from_ns,
                cpus,
            });
        }
    }
}

/// Returns CPUs as Linux writes them: `0-3,8`.
fn list(words: &[u64]) -> String {
    let is_in = |cpu: usize| {
        words
            .get(cpu / 64)
            .is_some_and(|w| w >> (cpu % 64) & 1 == 1)
    };
    let mut text = String::new();
    let mut cpu = 0;
    while cpu < 64 * words.len() {
        let first = cpu;
        while is_in(cpu) {
            cpu += 1;
        }
        if cpu > first {
            let comma = if text.is_empty() { "" } else { "," };
            let _infallible = match cpu - first {
                1 => write!(text, "{comma}{first}"),
                _ => write!(text, "{comma}{first}-{}", cpu - 1),
            };
        }
        cpu += 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn cpus_are_listed_as_linux_does() {
        assert_eq!(list(&[0b1_0000_1111]), "0-3,8");
        assert_eq!(list(&[1 << 63, 0b101]), "63-64,66");
        assert_eq!(list(&[]), "");
    }
}
