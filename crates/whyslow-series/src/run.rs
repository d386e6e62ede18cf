//! A run: a series as it was made and measured.

use crate::operation::{Ending, Measured};
use crate::setup::Setup;
use crate::spent::Spent;

/// A series: how it was made, and what was measured.
#[derive(Debug, Clone)]
pub struct Run {
    /// How it was made.
    pub setup: Setup,
    /// What was measured.
    pub first: Pass,
    /// Further passes, where the first left a doubt.
    pub repeats: Vec<Pass>,
    /// The largest size and sizes beyond it, and what an operation cost there, in nanoseconds: measured to check
    /// what the law predicts.
    pub beyond: Vec<(f64, f64)>,
    /// Why it ended.
    pub ending: Ending,
    /// What else is to be said about it, in sentences.
    pub notes: Vec<String>,
    /// What stayed that should have been removed, and why.
    pub left: Option<String>,
}

/// One pass over the sizes.
#[derive(Debug, Clone, Default)]
pub struct Pass {
    /// The operations in the order of their starts, each with its worker.
    pub operations: Vec<(u32, Measured)>,
    /// The size each operation met.
    pub n: Vec<f64>,
    /// The first sizes, measured again at its end; empty if they were not.
    pub again: Vec<Measured>,
    /// The CPU time of each operation, of all the processes that it started, in nanoseconds; empty where nobody adds it
    /// up.
    pub cpu_ns: Vec<u64>,
    /// The same of those of `again`.
    pub again_cpu_ns: Vec<u64>,
    /// For how long somebody on the machine waited for a CPU while it ran, in nanoseconds; 0 where that is not known.
    pub contended_ns: u64,
    /// What its time was spent on, where one thread did it.
    pub spent: Option<Spent>,
}

impl Pass {
    /// Returns whether a CPU quota stopped it for so long that its costs are not those of the operations.
    pub fn is_hindered(&self) -> bool {
        self.spent.is_some_and(|spent| spent.is_hindered())
    }

    /// Returns its operations without their workers.
    pub fn into_measured(self) -> Vec<Measured> {
        self.operations.into_iter().map(|(_, one)| one).collect()
    }

    /// Returns the durations of all operations, in nanoseconds.
    pub fn durations(&self) -> Vec<u64> {
        let operations = self.operations.iter();
        operations.map(|(_, one)| one.duration_ns).collect()
    }
}

impl Run {
    /// Returns what it is called: operation, way, system, driver.
    pub fn title(&self) -> String {
        self.setup.title()
    }

    /// Returns all passes, the first one first.
    pub fn passes(&self) -> impl Iterator<Item = &Pass> {
        std::iter::once(&self.first).chain(&self.repeats)
    }

    /// Returns the passes that its law follows from: those that no quota hindered, or all where it hindered each.
    pub fn judged_passes(&self) -> Vec<&Pass> {
        let free: Vec<&Pass> = self.passes().filter(|pass| !pass.is_hindered()).collect();
        match free.as_slice() {
            [] => self.passes().collect(),
            _ => free,
        }
    }

    /// Returns whether a quota hindered every pass.
    pub fn is_hindered(&self) -> bool {
        self.passes().all(Pass::is_hindered)
    }

    /// Returns the durations of all operations, in nanoseconds.
    pub fn durations(&self) -> Vec<u64> {
        self.first.durations()
    }

    /// Returns whether its command failed: what the user runs is wrong then, and no limit was found.
    pub fn command_failed(&self) -> bool {
        matches!(self.ending, Ending::Exited(_))
            || self.setup.words.operation == "command" && matches!(self.ending, Ending::Failed(_))
    }

    /// Returns whether an operation failed, so that it could not continue.
    pub fn has_failed(&self) -> bool {
        matches!(
            self.ending,
            Ending::Failed(_) | Ending::Full(_) | Ending::Exited(_)
        )
    }

    /// Returns the size at which it ended, for the end of a sentence.
    pub fn at_n(&self) -> String {
        let last = self.first.n.last();
        last.map(|n| format!(" at n = {n}")).unwrap_or_default()
    }
}

/// Returns what workers measured as one run; *n* counts from 1.
pub fn gather(workers: Vec<(Vec<Measured>, Ending)>, setup: Setup) -> Run {
    let endings = workers.iter().map(|(_, ending)| *ending);
    let ending = endings.max_by_key(|ending| severity(*ending));
    let mut operations: Vec<(u32, Measured)> = Vec::new();
    for (worker, (log, _)) in (0..).zip(workers) {
        operations.extend(log.into_iter().map(|one| (worker, one)));
    }
    operations.sort_by_key(|(_, one)| one.start_ns);
    let n = (1..=operations.len()).map(whyslow_law::count).collect();
    Run {
        setup,
        first: Pass {
            operations,
            n,
            ..Pass::default()
        },
        repeats: Vec::new(),
        beyond: Vec::new(),
        ending: ending.unwrap_or(Ending::Done),
        notes: Vec::new(),
        left: None,
    }
}

fn severity(ending: Ending) -> u8 {
    match ending {
        Ending::Done => 0,
        Ending::Budget => 1,
        Ending::Failed(_) | Ending::Full(_) | Ending::Exited(_) => 2,
        Ending::Interrupted => 3,
    }
}
