//! `cpu --functions`: CPU, wait and ready per process and function.
//!
//! Whole processes come from the `method` roll-up, where a pattern is matched once per distinct
//! name. Selections by time or thread are computed from the raw rows, into a table of the same
//! form.

use whyslow_model::tables::MethodRow;
use whyslow_model::{Capability, Column as Values, ProcessId, Table, tables};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::methods;
use crate::pattern::FunctionPattern;
use crate::rollup::method_table;
use crate::scope::Scope;
use crate::selection::Selection;
use crate::shape::{self, Part, Read, Rows};
use crate::shown::Shown;
use crate::stacks::Stacks;
use crate::sums::{Known, notes};
use crate::view::View;
use whyslow_model::FastMap;
use whyslow_results::{Column, Kind, Note, Outcome, ResultColumn, ResultSchema, Value, shown};

/// The table that `cpu --functions` answers with.
pub(super) static TABLE: ResultSchema = ResultSchema::new(
    "functions",
    "Which functions used the CPUs, waited, or were ready (cpu --functions).",
    "CPU, wait and ready per function",
    &SHOWN,
)
.largest("cpu")
.sums(&[("wait", "wait-sum"), ("ready", "ready-sum")]);

/// Without samples, the waits come first.
static WAITS: ResultSchema = TABLE.largest("wait");

/// Samples without stacks only show the leaf.
static LEAVES: ResultSchema = TABLE.largest("exclusive");

/// The source of a column's cells: a column of the table `method`, and what a recording needs for
/// it.
#[derive(Debug, Clone, Copy)]
struct Source(&'static str, Needs);

/// What must be recorded for a figure to be known.
#[derive(Debug, Clone, Copy)]
enum Needs {
    Nothing,
    Samples,
    SampleStacks,
    WaitStacks,
    WakeUps,
}

impl Needs {
    /// Returns whether the recording of `facts` has it.
    fn are_met(self, facts: &Facts) -> bool {
        let known = Known::new(facts);
        match self {
            Self::Nothing => true,
            Self::Samples => known.sampled,
            Self::SampleStacks => known.sampled && facts.has(Capability::SampleStacks),
            Self::WaitStacks => known.wait_stacks,
            Self::WakeUps => known.wait_stacks && known.wakeups,
        }
    }
}

#[rustfmt::skip]
const COLUMNS: &[Column<Source>] = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(1)
        .cell(Source("process_name", Needs::Nothing)),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(6)
        .cell(Source("os_pid", Needs::Nothing)),
    ResultColumn::new("method", "method", "Method", Kind::Text, "The function; a word in brackets where there is none: unresolved, or not recorded.").priority(0)
        .cell(Source("function", Needs::Nothing)),
    ResultColumn::new("module", "module", "Module", Kind::Text, "The module the function is in.").priority(5)
        .cell(Source("module", Needs::Nothing)),
    ResultColumn::new("cpu", "cpu_sampled_ns", "CPU (sampled)", Kind::Duration, "CPU time of samples with the function anywhere on the stack, counted once.").priority(0)
        .cell(Source("cpu_ns", Needs::SampleStacks)),
    ResultColumn::new("exclusive", "cpu_exclusive_ns", "CPU exclusive", Kind::Duration, "CPU time of samples with the function at the leaf.").priority(1).summed()
        .cell(Source("cpu_exclusive_ns", Needs::Samples)),
    ResultColumn::new("wait", "wait_ns", "Wait", Kind::Duration, "Time in which at least one thread of the process was blocked below the function; overlaps count once.").priority(2)
        .cell(Source("wait_ns", Needs::WaitStacks)),
    ResultColumn::new("wait-sum", "wait_sum_ns", "Wait (sum)", Kind::Duration, "Time blocked below the function, summed over threads.").priority(2).hidden()
        .cell(Source("wait_sum_ns", Needs::WaitStacks)),
    ResultColumn::new("ready", "ready_ns", "Ready", Kind::Duration, "Time in which at least one thread that left the CPU below the function was runnable without one; overlaps count once.").priority(3)
        .cell(Source("ready_ns", Needs::WakeUps)),
    ResultColumn::new("ready-sum", "ready_sum_ns", "Ready (sum)", Kind::Duration, "Time runnable without a CPU below the function, summed over threads.").priority(3).hidden()
        .cell(Source("ready_sum_ns", Needs::WakeUps)),
    ResultColumn::new("samples", "samples", "Samples", Kind::Count, "Samples with the function on the stack.").hidden()
        .cell(Source("samples", Needs::SampleStacks)),
    ResultColumn::new("samples-exclusive", "samples_exclusive", "Samples exclusive", Kind::Count, "Samples with the function at the leaf.").hidden().summed()
        .cell(Source("samples_exclusive", Needs::Samples)),
    ResultColumn::new("switches", "switches", "Switches", Kind::Count, "Times a thread left the CPU below the function.").priority(7)
        .cell(Source("switches", Needs::WaitStacks)),
    ResultColumn::new("threads", "threads", "Threads", Kind::Count, "Distinct threads the function was seen in.").priority(7)
        .cell(Source("threads", Needs::Nothing)),
    ResultColumn::new("first", "first_ns", "First", Kind::Time, "First sight.").priority(8)
        .cell(Source("first_ns", Needs::Nothing)),
    ResultColumn::new("last", "last_ns", "Last", Kind::Time, "Last sight.").priority(8)
        .cell(Source("last_ns", Needs::Nothing)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

/// Lists functions.
pub(super) fn functions(
    views: &[View<'_>],
    selection: &Selection,
    shown: Option<Shown>,
) -> Result<Outcome, QueryError> {
    // One file is enough: recordings to be compared are made in the same way.
    let facts = views.first().map(|view| Facts::head(*view));
    let has = |wanted| match &facts {
        None => true,
        Some(facts) => facts.as_ref().is_ok_and(|facts| facts.has(wanted)),
    };
    let table = match (has(Capability::SampleStacks), has(Capability::CpuSamples)) {
        (true, _) => &TABLE,
        (false, true) => &LEAVES,
        (false, false) => &WAITS,
    };
    shape::ask_with(
        views,
        selection,
        table,
        Facts::head,
        |view, facts, deciding| read((view, &facts), selection, shown, deciding),
    )
}

fn read(
    (view, head): (View<'_>, &Facts),
    selection: &Selection,
    shown: Option<Shown>,
    deciding: &[bool],
) -> Result<Read, QueryError> {
    let known = Known::new(head);
    let stacked = known.sampled && head.has(Capability::SampleStacks);
    if !known.sampled && !known.wait_stacks {
        return Ok(Read::lacks(head, Capability::CpuSamples));
    }
    let cut = selection.threads.is_some()
        || selection.from.is_some()
        || selection.to.is_some()
        || selection.idle;
    let in_parts = !cut && shown.is_none() && view.has(&tables::METHOD);
    let (table, rows) = if in_parts {
        from_rollup(view, selection, deciding)?
    } else {
        let table = from_raw(view, selection, shown)?;
        let rows = wanted(&table, None, selection);
        (table, rows)
    };
    let mut notes = notes(head);
    if known.wait_stacks && !known.wakeups {
        let text = "wait is all time off the CPU here, ready time included";
        notes.push(Note::warning(Some(&head.name), text));
    }
    if known.sampled && !stacked {
        let text = "the samples have no stacks: CPU is known where it was spent (exclusive), not on \
                    whose behalf; record with -g";
        notes.push(Note::warning(Some(&head.name), text));
    }
    let known = COLUMNS.iter().map(|column| {
        let Source(name, needs) = column.cell;
        let place = tables::METHOD.column(name);
        place.filter(|_| needs.are_met(head))
    });
    Ok(Read::Part(Part {
        rows: Box::new(FunctionRows {
            table,
            rows,
            in_parts,
            columns: known.collect(),
        }),
        notes,
    }))
}

fn from_raw(
    view: View<'_>,
    selection: &Selection,
    shown: Option<Shown>,
) -> Result<Table, QueryError> {
    let facts = Facts::read(view)?;
    let scope = Scope::new(view, &facts, selection)?;
    let mut stacks = Stacks::read(view)?;
    if let Some(shown) = shown {
        shown.apply(&mut stacks);
    }
    let functions = stacks.frames.functions.len();
    let sums = methods::of_scope(view, &scope, &stacks.tree, functions)?;
    Ok(method_table(&facts, &stacks.frames, &sums))
}

/// Reads the columns of the roll-up that decide what is shown, and returns which rows are wanted.
fn from_rollup(
    view: View<'_>,
    selection: &Selection,
    deciding: &[bool],
) -> Result<(Table, Vec<u32>), QueryError> {
    let chosen = selection.processes.is_some()
        || selection.command_line.is_some()
        || selection.new.is_some()
        || selection.exited.is_some();
    let scope = match chosen {
        true => Some(Scope::new(view, &Facts::read(view)?, selection)?),
        false => None,
    };
    let sources = COLUMNS.iter().zip(deciding);
    let sources = sources.filter_map(|(column, decides)| decides.then_some(column.cell.0));
    // Every row has the process, so this column gives the number of rows.
    let mut columns = vec!["process"];
    columns.extend(sources);
    if pattern(selection).is_some() {
        columns.extend(["function", "module"]);
    }
    let table = view.read(&tables::METHOD, &columns)?;
    let processes = scope.as_ref().map(|scope| scope.processes.as_slice());
    let rows = wanted(&table, processes, selection);
    Ok((table, rows))
}

fn pattern(selection: &Selection) -> Option<&FunctionPattern> {
    let pattern = selection.functions.as_ref();
    pattern.filter(|pattern| !pattern.matches_everything())
}

/// Returns the rows of `table` whose process and function are wanted.
fn wanted(table: &Table, processes: Option<&[bool]>, selection: &Selection) -> Vec<u32> {
    let mut names = pattern(selection).map(|pattern| Names::new(table, pattern));
    let ids = MethodRow::process.values(table);
    if processes.is_none() && names.is_none() {
        return (0..).take(ids.len()).collect();
    }
    let is_wanted = |row: usize, process: ProcessId| {
        processes.is_none_or(|wanted| wanted.get(process.index()).copied().unwrap_or(false))
            && names.as_mut().is_none_or(|names| names.matches(row))
    };
    let mut is_wanted = is_wanted;
    (0..)
        .zip(ids.iter())
        .filter(|&(row, process)| is_wanted(row as usize, process))
        .map(|(row, _)| row)
        .collect()
}

/// Matches the functions of a table, once per distinct function and module.
struct Names<'a> {
    pattern: &'a FunctionPattern,
    functions: &'a Values,
    modules: &'a Values,
    function_keys: &'a [i32],
    module_keys: &'a [i32],
    known: FastMap<u64, bool>,
}

impl<'a> Names<'a> {
    fn new(table: &'a Table, pattern: &'a FunctionPattern) -> Self {
        let keys = |column: &'a Values| match column {
            Values::Str(texts) => texts.keys.as_slice(),
            _ => &[],
        };
        let (functions, modules) = (
            MethodRow::function.column(table),
            MethodRow::module.column(table),
        );
        Self {
            pattern,
            functions,
            modules,
            function_keys: keys(functions),
            module_keys: keys(modules),
            known: FastMap::default(),
        }
    }

    fn matches(&mut self, row: usize) -> bool {
        let key = |keys: &[i32]| u64::from(keys.get(row).copied().unwrap_or(-1).cast_unsigned());
        let key = key(self.function_keys) << 32 | key(self.module_keys);
        *self.known.entry(key).or_insert_with(|| {
            let module = self.modules.text(row).unwrap_or_default();
            let function = self.functions.text(row).unwrap_or_default();
            self.pattern.matches(module, function)
        })
    }
}

/// Some rows of the table `method`.
struct FunctionRows {
    table: Table,
    rows: Vec<u32>,
    /// Whether the table is in the file, and here only the columns that decide what is shown.
    in_parts: bool,
    /// For each column of the answer, its position in the table; `None` if not recorded.
    columns: Vec<Option<usize>>,
}

impl Rows for FunctionRows {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, row: usize, column: usize) -> Value {
        let Some(Some(column)) = self.columns.get(column) else {
            return Value::Null;
        };
        let row = self.rows[row] as usize;
        match &self.table.columns[*column] {
            Values::Str(texts) => texts.shared(row).map_or(Value::Null, Value::Text),
            numbers => Value::int(numbers.int(row)),
        }
    }

    fn integers(&self, column: usize) -> Option<Vec<i64>> {
        let column = self.table.columns.get((*self.columns.get(column)?)?)?;
        let rows = self.rows.iter().map(|&row| row as usize);
        match column {
            Values::I64(values) if self.rows.len() == values.len() => Some(values.clone()),
            Values::I64(values) => rows.map(|row| values.get(row).copied()).collect(),
            Values::I32(_) | Values::Str(_) => None,
        }
    }

    fn only(&self, rows: &[u32], _columns: usize) -> Box<dyn Rows> {
        let numbers: Vec<u32> = rows.iter().map(|&row| self.rows[row as usize]).collect();
        let (table, rows) = match self.in_parts {
            true => (Table::new(&tables::METHOD), numbers),
            false => (self.table.pick(&numbers), (0..).take(rows.len()).collect()),
        };
        Box::new(Self {
            table,
            rows,
            in_parts: self.in_parts,
            columns: self.columns.clone(),
        })
    }

    fn complete(&self, view: View<'_>, rows: &[u32]) -> Result<Option<Box<dyn Rows>>, QueryError> {
        if !self.in_parts {
            return Ok(None);
        }
        let numbers: Vec<u32> = rows.iter().map(|&row| self.rows[row as usize]).collect();
        // Rows that are not shown have no cells.
        let mut places = vec![u32::MAX; self.rows.len()];
        (0..)
            .zip(rows)
            .for_each(|(place, &row)| places[row as usize] = place);
        Ok(Some(Box::new(Self {
            table: view.pick(&tables::METHOD, &numbers)?,
            rows: places,
            in_parts: false,
            columns: self.columns.clone(),
        })))
    }
}
