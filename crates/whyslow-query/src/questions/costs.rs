//! What the processes of a trace cost: the rows of `cpu` and `processes`.

use whyslow_model::ProcessId;
use whyslow_model::tables::ProcessRow;

use crate::error::QueryError;
use crate::facts::Facts;
use crate::result::Value;
use crate::scope::Scope;
use crate::selection::{Selection, View};
use crate::slices::SliceSum;
use crate::sums::{Known, Sums};

/// What one process cost.
pub(super) struct ProcessCost {
    pub(super) process: ProcessId,
    pub(super) sum: SliceSum,
    /// Number of its threads.
    pub(super) threads: Option<i32>,
}

/// What all processes of a trace cost.
pub(super) struct Costs {
    pub(super) facts: Facts,
    pub(super) known: Known,
    /// Whether the precise times are known.
    pub(super) precise: bool,
    /// How much time all CPUs together have.
    pub(super) capacity_ns: Option<f64>,
    sums: Sums,
    threads: Vec<i32>,
}

impl Costs {
    /// Computes what `selection` counts.
    pub(super) fn new(
        view: View<'_>,
        facts: Facts,
        scope: &Scope,
        selection: &Selection,
    ) -> Result<Self, QueryError> {
        let sums = Sums::new(view, &facts, scope, selection)?;
        let known = Known::new(&facts);
        Ok(Self {
            known,
            precise: known.switches && !sums.by_stack,
            capacity_ns: facts.capacity_ns(scope.span_ns(&facts)),
            threads: facts.threads_per_process(scope),
            facts,
            sums,
        })
    }

    /// Returns what a process cost.
    pub(super) fn of(&self, process: ProcessId) -> ProcessCost {
        ProcessCost {
            process,
            sum: self.sums.process(process),
            threads: self.threads.get(process.index()).copied(),
        }
    }

    /// Returns a value of the process that `row` is of.
    pub(super) fn process(&self, row: &ProcessCost, value: impl Fn(&ProcessRow) -> Value) -> Value {
        let process = self.facts.process(row.process);
        process.map_or(Value::Null, value)
    }
}
