//! The scheduler's tracepoints: which fields are read, and what a thread's state means.

use whyslow_model::WaitReason;
use whyslow_perfdata::TraceFormat;

use crate::payload::perf::{Place, TextPlace, place, text};

/// Fields of `sched:sched_switch`.
#[derive(Debug, Clone, Copy)]
pub(super) struct SwitchFields {
    pub(super) prev_pid: Place,
    pub(super) prev_prio: Place,
    pub(super) prev_state: Place,
    pub(super) next_pid: Place,
    pub(super) prev_comm: TextPlace,
    pub(super) next_comm: TextPlace,
    /// Where the fields end.
    pub(super) end: usize,
    pub(super) states: States,
}

/// Fields of the wake-up tracepoints.
#[derive(Debug, Clone, Copy)]
pub(super) struct WakingFields {
    pub(super) pid: Place,
    pub(super) flags: Place,
    pub(super) comm: TextPlace,
    /// Where the fields end.
    pub(super) end: usize,
}

/// Fields of `sched:sched_process_exec`.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExecFields {
    pub(super) filename: Place,
}

/// Bits of `prev_state`, which moved between kernels; the print format spells them out.
#[derive(Debug, Clone, Copy)]
pub(super) struct States {
    preempted: i64,
    exited: i64,
    stopped: i64,
    uninterruptible: i64,
    interruptible: i64,
    idle: i64,
}

impl SwitchFields {
    pub(super) fn of(format: &TraceFormat) -> Option<Self> {
        Some(Self {
            prev_pid: place(format, "prev_pid")?,
            prev_prio: place(format, "prev_prio")?,
            prev_state: place(format, "prev_state")?,
            next_pid: place(format, "next_pid")?,
            prev_comm: text(format, "prev_comm")?,
            next_comm: text(format, "next_comm")?,
            end: end(format),
            states: States::new(&format.flags()),
        })
    }
}

impl WakingFields {
    pub(super) fn of(format: &TraceFormat) -> Option<Self> {
        Some(Self {
            pid: place(format, "pid")?,
            flags: place(format, "common_flags")?,
            comm: text(format, "comm")?,
            end: end(format),
        })
    }
}

/// Returns where the fields of a payload end.
fn end(format: &TraceFormat) -> usize {
    let ends = format.fields.iter();
    let ends = ends.map(|field| field.offset.saturating_add(field.size));
    ends.max().unwrap_or(0)
}

impl ExecFields {
    pub(super) fn of(format: &TraceFormat) -> Option<Self> {
        Some(Self {
            filename: place(format, "filename")?,
        })
    }
}

impl States {
    fn new(flags: &[(String, u64)]) -> Self {
        let bits = |letters: &[&str], default: i64| {
            let known = flags
                .iter()
                .filter(|(name, _)| letters.contains(&name.as_str()));
            let found = known.fold(0, |bits, (_, bit)| bits | bit.cast_signed());
            if found == 0 { default } else { found }
        };
        let highest = flags.iter().map(|(_, bit)| *bit).max().unwrap_or(0x80);
        Self {
            // The bit above the last letter, printed as `+`.
            preempted: highest.checked_shl(1).unwrap_or(0).cast_signed(),
            exited: bits(&["X", "x", "Z"], 0x30),
            stopped: bits(&["T", "t"], 0x0c),
            uninterruptible: bits(&["D"], 2),
            interruptible: bits(&["S"], 1),
            idle: bits(&["I", "P"], 0xc0),
        }
    }

    /// Returns why a thread with this state left the CPU.
    pub(super) fn reason(self, state: i64) -> WaitReason {
        let has = |bits: i64| state & bits != 0;
        match state {
            0 => WaitReason::Preempted,
            _ if has(self.preempted) => WaitReason::Preempted,
            _ if has(self.exited) => WaitReason::Exited,
            _ if has(self.stopped) => WaitReason::Stopped,
            _ if has(self.idle) => WaitReason::Idle,
            _ if has(self.uninterruptible) => WaitReason::Uninterruptible,
            _ if has(self.interruptible) => WaitReason::Interruptible,
            _ => WaitReason::Unknown,
        }
    }
}
