//! `cpu --methods`: CPU, wait and ready per process and function.
//!
//! Whole processes come from the `method` roll-up, where a pattern is matched once per distinct
//! name; whatever cuts by time or thread is computed from the raw rows into a table of the same
//! shape.

use whyslow_model::{Capability, Column, ProcessId, Table, tables};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::methods;
use crate::pattern::MethodPattern;
use crate::result::{Kind, Note, Order, Outcome, ResultColumn, Value};
use crate::rollup::method_table;
use crate::scope::Scope;
use crate::selection::{Selection, View};
use crate::shape::{self, Part, Read, Rows, Shape};
use crate::stacks::Stacks;
use crate::sums::{Known, notes};
use whyslow_model::FastMap;

#[rustfmt::skip]
pub(super) static COLUMNS: &[ResultColumn] = &[
    ResultColumn::new("process", "process", "Process", Kind::Text, "Name of the process.").priority(1),
    ResultColumn::new("pid", "pid", "PID", Kind::Id, "The system's process id.").priority(6),
    ResultColumn::new("method", "method", "Method", Kind::Text, "The function; in brackets what stands for one: unresolved, or not recorded.").priority(0),
    ResultColumn::new("module", "module", "Module", Kind::Text, "The module the function is in.").priority(5),
    ResultColumn::new("cpu", "cpu_sampled_ns", "CPU (sampled)", Kind::Duration, "CPU time of samples with the function anywhere on the stack, counted once.").priority(0),
    ResultColumn::new("exclusive", "cpu_exclusive_ns", "CPU exclusive", Kind::Duration, "CPU time of samples with the function at the leaf.").priority(1).summed(),
    ResultColumn::new("wait", "wait_ns", "Wait", Kind::Duration, "Time in which at least one thread of the process was blocked below the function; overlaps count once.").priority(2),
    ResultColumn::new("wait-sum", "wait_sum_ns", "Wait (sum)", Kind::Duration, "Time blocked below the function, summed over threads.").priority(2).hidden(),
    ResultColumn::new("ready", "ready_ns", "Ready", Kind::Duration, "Time in which at least one thread that left the CPU below the function was runnable without one; overlaps count once.").priority(3),
    ResultColumn::new("ready-sum", "ready_sum_ns", "Ready (sum)", Kind::Duration, "Time runnable without a CPU below the function, summed over threads.").priority(3).hidden(),
    ResultColumn::new("samples", "samples", "Samples", Kind::Count, "Samples with the function on the stack.").hidden(),
    ResultColumn::new("samples-exclusive", "samples_exclusive", "Samples excl.", Kind::Count, "Samples with the function at the leaf.").hidden().summed(),
    ResultColumn::new("switches", "switches", "Switches", Kind::Count, "Times a thread left the CPU below the function.").priority(7),
    ResultColumn::new("threads", "threads", "Threads", Kind::Count, "Distinct threads the function was seen in.").priority(7),
    ResultColumn::new("first", "first_ns", "First", Kind::Time, "First sight.").priority(8),
    ResultColumn::new("last", "last_ns", "Last", Kind::Time, "Last sight.").priority(8),
];

/// The column of the table `method` behind each column of the answer.
static SOURCES: &[&str] = &[
    "process_name",
    "os_pid",
    "function",
    "module",
    "cpu_ns",
    "cpu_exclusive_ns",
    "wait_ns",
    "wait_sum_ns",
    "ready_ns",
    "ready_sum_ns",
    "samples",
    "samples_exclusive",
    "switches",
    "threads",
    "first_ns",
    "last_ns",
];

static SHAPE: Shape = Shape {
    question: "methods",
    title: "CPU, wait and ready per function",
    columns: COLUMNS,
    tree: None,
    order: Some(("cpu", Order::Descending)),
    top_order: None,
    swap: &[("wait", "wait-sum"), ("ready", "ready-sum")],
};

/// Without samples the waits come first.
static WAITS: Shape = Shape {
    order: Some(("wait", Order::Descending)),
    ..SHAPE
};

/// Samples without stacks tell the leaf only.
static LEAVES: Shape = Shape {
    order: Some(("exclusive", Order::Descending)),
    ..SHAPE
};

/// Lists functions.
///
/// # Errors
/// As [`cpu`](super::cpu()).
pub fn methods(views: &[View<'_>], selection: &Selection) -> Result<Outcome, QueryError> {
    // One look is enough: recordings that are compared are made alike.
    let facts = views.first().map(|view| Facts::head(*view));
    let has = |wanted| match &facts {
        None => true,
        Some(facts) => facts.as_ref().is_ok_and(|facts| facts.has(wanted)),
    };
    let shape = match (has(Capability::SampleStacks), has(Capability::CpuSamples)) {
        (true, _) => &SHAPE,
        (false, true) => &LEAVES,
        (false, false) => &WAITS,
    };
    shape::ask_with(
        views,
        selection,
        shape,
        Facts::head,
        |view, facts, deciding| read(view, facts, selection, deciding),
    )
}

fn read(
    view: View<'_>,
    head: &Facts,
    selection: &Selection,
    deciding: &[bool],
) -> Result<Read, QueryError> {
    let known = Known::new(head);
    let stacked = known.sampled && head.has(Capability::SampleStacks);
    if !known.sampled && !known.wait_stacks {
        return Ok(Read::NotRecorded(Capability::CpuSamples));
    }
    let cut = selection.threads.is_some()
        || selection.from.is_some()
        || selection.to.is_some()
        || selection.idle;
    let in_parts = !cut && view.has(&tables::METHOD);
    let (table, rows) = if in_parts {
        from_rollup(view, selection, deciding)?
    } else {
        let table = from_raw(view, selection)?;
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
    let hidden = |column: &str| match column {
        "cpu_ns" | "samples" => !stacked,
        "cpu_exclusive_ns" | "samples_exclusive" => !known.sampled,
        "wait_ns" | "wait_sum_ns" | "switches" => !known.wait_stacks,
        "ready_ns" | "ready_sum_ns" => !(known.wait_stacks && known.wakeups),
        _ => false,
    };
    let schema = &tables::METHOD;
    let column = |name: &&str| schema.column(name).filter(|_| !hidden(name));
    Ok(Read::Part(Part {
        rows: Box::new(MethodRows {
            table,
            rows,
            in_parts,
            columns: SOURCES.iter().map(column).collect(),
        }),
        notes,
    }))
}

fn from_raw(view: View<'_>, selection: &Selection) -> Result<Table, QueryError> {
    let facts = Facts::read(view)?;
    let scope = Scope::new(&facts, selection)?;
    let stacks = Stacks::read(view)?;
    let functions = stacks.frames.functions.len();
    let sums = methods::of_scope(view, &scope, &stacks.tree, functions)?;
    Ok(method_table(&facts, &stacks.frames, &sums))
}

/// Reads the columns of the roll-up that decide what is shown, and says which rows are wanted.
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
        true => Some(Scope::new(&Facts::read(view)?, selection)?),
        false => None,
    };
    let sources = SOURCES.iter().zip(deciding);
    let sources = sources.filter_map(|(name, decides)| decides.then_some(*name));
    // The process stands in every row: it says how many there are.
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

fn pattern(selection: &Selection) -> Option<&MethodPattern> {
    let pattern = selection.methods.as_ref();
    pattern.filter(|pattern| !pattern.matches_everything())
}

/// Returns the rows of `table` whose process and function are wanted.
fn wanted(table: &Table, processes: Option<&[bool]>, selection: &Selection) -> Vec<u32> {
    let mut names = pattern(selection).map(|pattern| Names::new(table, pattern));
    let is_wanted = |row: usize, process: ProcessId| {
        processes.is_none_or(|wanted| wanted.get(process.index()).copied().unwrap_or(false))
            && names.as_mut().is_none_or(|names| names.matches(row))
    };
    let mut is_wanted = is_wanted;
    let ids = (0..).zip(table.i32s("process"));
    ids.filter(|&(row, &process)| is_wanted(row as usize, ProcessId(process)))
        .map(|(row, _)| row)
        .collect()
}

/// Matches the functions of a table, once per distinct function and module.
struct Names<'a> {
    pattern: &'a MethodPattern,
    functions: &'a Column,
    modules: &'a Column,
    function_keys: &'a [i32],
    module_keys: &'a [i32],
    known: FastMap<u64, bool>,
}

impl<'a> Names<'a> {
    fn new(table: &'a Table, pattern: &'a MethodPattern) -> Self {
        let keys = |column: &'a Column| match column {
            Column::Str(texts) => texts.keys.as_slice(),
            _ => &[],
        };
        let (functions, modules) = (table.column("function"), table.column("module"));
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
struct MethodRows {
    table: Table,
    rows: Vec<u32>,
    /// Whether the table is in the file, and here only the columns that decide what is shown.
    in_parts: bool,
    /// Per column of the answer, the position in the table; `None` where not recorded.
    columns: Vec<Option<usize>>,
}

impl Rows for MethodRows {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn cell(&self, row: usize, column: usize) -> Value {
        let Some(Some(column)) = self.columns.get(column) else {
            return Value::Null;
        };
        let row = self.rows[row] as usize;
        match &self.table.columns[*column] {
            Column::Str(texts) => texts.shared(row).map_or(Value::Null, Value::Text),
            numbers => Value::int(numbers.int(row)),
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
