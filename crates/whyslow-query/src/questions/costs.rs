//! What the processes of a trace cost: the rows of `cpu` and `processes`.
//!
//! For many extracts, `--top` shows few rows. Then only the columns that decide which rows are
//! shown are read from every extract, and the other columns only for those rows.

use whyslow_model::ProcessId;
use whyslow_model::tables::{self, ProcessRow};
use whyslow_results::{Cell, Column, Note, Value};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::scope::Scope;
use crate::selection::Selection;
use crate::shape::{Part, Read, ReadyRows, Rows};
use crate::slices::SliceSum;
use crate::sums::{Known, Sums};
use crate::view::View;

/// What one process cost.
pub(super) struct ProcessCost {
    pub(super) process: ProcessId,
    pub(super) sum: SliceSum,
    /// Number of its threads; `None` if the trace has no threads of any process.
    pub(super) threads: Option<i32>,
}

/// What all processes of a trace cost.
pub(super) struct Costs {
    pub(super) facts: Facts,
    pub(super) known: Known,
    /// Whether the precise times are known.
    pub(super) precise: bool,
    /// Total time of all CPUs.
    pub(super) capacity_ns: Option<f64>,
    sums: Sums,
    threads: Vec<Option<i32>>,
}

/// The source of a column's cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct CostCell {
    reads: Reads,
    cell: Cell<ProcessCost, Costs>,
}

/// What a cell is computed from.
#[derive(Debug, Clone, Copy)]
enum Reads {
    /// The process and its threads.
    Facts,
    /// These columns of the roll-up.
    Sums(&'static [&'static str]),
}

/// Returns a cell that is computed from the process and its threads.
pub(super) const fn facts(cell: Cell<ProcessCost, Costs>) -> CostCell {
    let reads = Reads::Facts;
    CostCell { reads, cell }
}

/// Returns a cell that is computed from sums over these columns of the roll-up.
pub(super) const fn sums(
    columns: &'static [&'static str],
    cell: Cell<ProcessCost, Costs>,
) -> CostCell {
    let reads = Reads::Sums(columns);
    CostCell { reads, cell }
}

/// The columns of the processes and threads that the order of the rows needs.
const ORDER: (&[&str], &[&str]) = (
    &[
        "id",
        "os_pid",
        "parent",
        "predecessor",
        "start_ns",
        "end_ns",
    ],
    &["process", "idle_cpu"],
);

/// How `cpu` and `processes` read a trace.
pub(super) struct CostRead<'a> {
    pub(super) columns: &'static [Column<CostCell>],
    pub(super) selection: &'a Selection,
    /// Whether there are several traces.
    pub(super) several: bool,
    /// Returns the processes to show, in order, with their depths in a tree.
    pub(super) order: fn(&Facts, &Scope) -> Vec<(ProcessId, u16)>,
}

impl CostRead<'_> {
    /// Reads the data that the rows need; `deciding` says which columns decide what is shown.
    pub(super) fn rows(
        &self,
        view: View<'_>,
        head: Facts,
        deciding: &[bool],
        notes: Vec<Note>,
    ) -> Result<Read, QueryError> {
        let few = self.few(deciding).filter(|_| view.has(&tables::TIMELINE));
        let (process_columns, thread_columns) = few.as_ref().map_or((&[][..], &[][..]), |_| ORDER);
        let facts = head.with_processes(view, process_columns, thread_columns)?;
        let scope = Scope::new(view, &facts, self.selection)?;
        let sums = match &few {
            Some(columns) => Sums::of_rollup(view, &facts, &scope, columns)?,
            None => Sums::new(view, &facts, &scope, self.selection)?,
        };
        let order = (self.order)(&facts, &scope);
        let costs = Costs::new(facts, &scope, sums);
        let (rows, depths) = order
            .into_iter()
            .map(|(process, depth)| (costs.of(process), depth))
            .unzip();
        let rows = Box::new(CostRows {
            columns: self.columns,
            rows,
            depths,
            costs: Some(costs),
            in_parts: few.is_some(),
        });
        Ok(Read::Part(Part { rows, notes }))
    }

    /// Returns the columns of the roll-up that decide what is shown, if these columns and the order
    /// of the processes are enough.
    fn few(&self, deciding: &[bool]) -> Option<Vec<&'static str>> {
        let selection = self.selection;
        let is_narrowed = selection.idle || !selection.narrowed_by().is_empty();
        if !self.several || selection.top.is_none() || is_narrowed {
            return None;
        }
        let columns = self.columns.iter().zip(deciding);
        let deciding = columns.filter_map(|(column, &decides)| decides.then_some(column.cell));
        let mut few = Vec::new();
        for cell in deciding {
            match cell.reads {
                Reads::Facts => return None,
                Reads::Sums(columns) => few.extend(columns),
            }
        }
        Some(few)
    }
}

impl Costs {
    fn new(facts: Facts, scope: &Scope, sums: Sums) -> Self {
        let known = Known::new(&facts);
        Self {
            known,
            precise: known.switches && !sums.by_stack,
            capacity_ns: facts.capacity_ns(scope.span_ns(&facts)),
            threads: scope.threads_per_process(&facts),
            facts,
            sums,
        }
    }

    fn of(&self, process: ProcessId) -> ProcessCost {
        ProcessCost {
            process,
            sum: self.sums.process(process),
            threads: self.threads.get(process.index()).copied().flatten(),
        }
    }

    /// Returns a value of the process in `row`.
    pub(super) fn process(&self, row: &ProcessCost, value: impl Fn(&ProcessRow) -> Value) -> Value {
        let process = self.facts.process(row.process);
        process.map_or(Value::Null, value)
    }
}

/// The rows of one trace.
struct CostRows {
    columns: &'static [Column<CostCell>],
    rows: Vec<ProcessCost>,
    depths: Vec<u16>,
    /// What the cells are computed from; dropped once the rows are chosen.
    costs: Option<Costs>,
    /// Whether only the columns that decide which rows are shown were read.
    in_parts: bool,
}

impl Rows for CostRows {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, row: usize, column: usize) -> Value {
        match (self.rows.get(row), self.columns.get(column), &self.costs) {
            (Some(row), Some(column), Some(costs)) => (column.cell.cell)(row, costs),
            _ => Value::Null,
        }
    }

    fn depth(&self, row: usize) -> u16 {
        self.depths.get(row).copied().unwrap_or(0)
    }

    fn only(&self, rows: &[u32], columns: usize) -> Box<dyn Rows> {
        if !self.in_parts {
            let cell = |row: usize, column: usize| self.cell(row, column);
            return Box::new(ReadyRows::new(rows, columns, cell));
        }
        let kept = rows.iter().filter_map(|&row| self.rows.get(row as usize));
        let kept = kept.map(|row| ProcessCost {
            process: row.process,
            sum: row.sum,
            threads: row.threads,
        });
        Box::new(Self {
            columns: self.columns,
            rows: kept.collect(),
            depths: Vec::new(),
            costs: None,
            in_parts: true,
        })
    }

    fn complete(&self, view: View<'_>, rows: &[u32]) -> Result<Option<Box<dyn Rows>>, QueryError> {
        if !self.in_parts {
            return Ok(None);
        }
        let facts = Facts::read(view)?;
        // Rows are read in parts only if nothing is filtered out.
        let mut scope = Scope::new(view, &facts, &Selection::default())?;
        let shown = rows.iter().filter_map(|&row| self.rows.get(row as usize));
        let mut shown: Vec<ProcessId> = shown.map(|row| row.process).collect();
        shown.sort_unstable();
        scope.chosen = Some(shown);
        let sums = Sums::of_rollup(view, &facts, &scope, Sums::COLUMNS)?;
        let costs = Costs::new(facts, &scope, sums);
        let rows = self.rows.iter().map(|row| costs.of(row.process)).collect();
        Ok(Some(Box::new(Self {
            columns: self.columns,
            rows,
            depths: Vec::new(),
            costs: Some(costs),
            in_parts: false,
        })))
    }
}
