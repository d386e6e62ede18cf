//! What a thread was before it began.

use whyslow_model::ProcessId;

use super::Walk;

impl Walk<'_> {
    /// Returns the thread that `thread` was before an exec, or that started it.
    pub(super) fn origin(&self, thread: usize, now: i64) -> Option<usize> {
        let row = self.facts.threads.get(thread)?;
        let process = self.facts.process(row.process)?;
        let threads = |process: ProcessId| {
            let known = self.of_process.get(process.index());
            known.map_or(&[][..], Vec::as_slice).iter().copied()
        };
        let there = |&id: &usize| id != thread && self.threads.before(id, now).is_some();
        let of = |process: ProcessId, tid: Option<i32>| {
            let wanted = |id: &usize| tid.is_none_or(|tid| self.facts.threads[*id].os_tid == tid);
            threads(process).filter(wanted).find(there)
        };
        // A thread beside the first one was started by one of its own process.
        let first = row.os_tid == process.os_pid;
        if let Some(before) = process.predecessor.filter(|_| first) {
            let same = of(before, Some(row.os_tid)).or_else(|| of(before, None));
            if same.is_some() {
                return same;
            }
        }
        let starter = match first {
            true => process.parent?,
            false => row.process,
        };
        let known: Vec<usize> = threads(starter).filter(there).collect();
        let running = |&id: &usize| self.threads.was_running(id, now);
        let running = known.iter().copied().find(running);
        running.or_else(|| known.first().copied())
    }
}
