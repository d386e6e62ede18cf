//! How long the programs ran, as the kernel measures it.
//!
//! While somebody holds a descriptor of `bpf(BPF_ENABLE_STATS)`, the kernel reads its clock before and
//! after each run of each program (Linux 5.8 and later; about 40 ns more per run). A program that another one
//! calls at its end counts as part of that one. That time belongs to the thread that was interrupted:
//! it is part of its CPU time, and the recorded program takes that much longer.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;

use aya::Ebpf;
use aya::sys::{Stats, enable_stats};

/// What makes programs run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Moment {
    /// A thread leaves the CPU.
    Switch,
    /// A thread is woken.
    WakeUp,
    /// A system call begins or ends.
    SystemCall,
    /// A CPU sample is taken.
    Sample,
}

impl Moment {
    /// Returns the word of the moment in the section of facts.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Switch => "switch",
            Self::WakeUp => "wake_up",
            Self::SystemCall => "system_call",
            Self::Sample => "sample",
        }
    }

    /// Returns what makes the program of this name run; `None` where that is rare.
    fn of(program: &str) -> Option<Self> {
        Some(match program {
            "on_switch" => Self::Switch,
            "on_waking" => Self::WakeUp,
            "on_system_call_exit" | "on_enter" | "on_leave" => Self::SystemCall,
            "on_sample" => Self::Sample,
            _ => return None,
        })
    }
}

/// How often programs ran at a moment, and how long.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// How often the moment came: as often as the program that ran most.
    pub(crate) moments: u64,
    /// How long all of its programs ran, in ns.
    pub(crate) ns: u64,
}

/// Makes the kernel measure; `None` if it cannot.
pub(crate) fn measure() -> Option<OwnedFd> {
    enable_stats(Stats::RunTime).ok()
}

/// Adds how long the programs of `ebpf` ran since the kernel began to measure.
pub(crate) fn add(ebpf: &Ebpf, costs: &mut BTreeMap<Moment, Cost>) {
    for (name, program) in ebpf.programs() {
        let (Some(moment), Ok(info)) = (Moment::of(name), program.info()) else {
            continue;
        };
        let cost = costs.entry(moment).or_default();
        cost.moments = cost.moments.max(info.run_count());
        cost.ns += u64::try_from(info.run_time().as_nanos()).unwrap_or(u64::MAX);
    }
}
