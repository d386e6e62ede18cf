//! `cpu --methods`: CPU, wait and ready per process and function.
//!
//! Whole processes come from the `method` roll-up, where a pattern is matched once per distinct
//! name; whatever cuts by time or thread is computed from the raw rows into a table of the same
//! shape.

use std::ops::ControlFlow;

use whyslow_model::{Capability, Column, Scan, Table, tables};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::fast_map::FastMap;
use crate::methods;
use crate::pattern::MethodPattern;
use crate::result::{Kind, Note, Order, Outcome, ResultColumn, Value};
use crate::rollup::method_table;
use crate::scope::Scope;
use crate::selection::{Selection, View};
use crate::shape::{self, Part, Read, Rows, Shape};
use crate::stacks::Stacks;
use crate::sums::{Known, notes};

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
    shape::ask_with(views, selection, shape, Facts::head, |view, facts| {
        read(view, facts, selection)
    })
}

fn read(view: View<'_>, head: &Facts, selection: &Selection) -> Result<Read, QueryError> {
    let known = Known::new(head);
    let stacked = known.sampled && head.has(Capability::SampleStacks);
    if !known.sampled && !known.wait_stacks {
        return Ok(Read::NotRecorded(Capability::CpuSamples));
    }
    let cut = selection.threads.is_some()
        || selection.from.is_some()
        || selection.to.is_some()
        || selection.idle;
    let batches = if cut || !view.has(&tables::METHOD) {
        vec![from_raw(view, selection)?]
    } else {
        from_rollup(view, selection)?
    };
    let mut rows = Vec::new();
    for (batch, (table, processes)) in (0..).zip(&batches) {
        pick(table, processes.as_deref(), selection, batch, &mut rows);
    }
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
            tables: batches.into_iter().map(|(table, _)| table).collect(),
            rows,
            columns: SOURCES.iter().map(column).collect(),
        }),
        notes,
    }))
}

/// A table `method`, and which processes count (`None` if all of the table do).
type Batch = (Table, Option<Vec<bool>>);

fn from_raw(view: View<'_>, selection: &Selection) -> Result<Batch, QueryError> {
    let facts = Facts::read(view)?;
    let scope = Scope::new(&facts, selection)?;
    let stacks = Stacks::read(view)?;
    let functions = stacks.frames.functions.len();
    let sums = methods::of_scope(view, &scope, &stacks.tree, functions)?;
    Ok((method_table(&facts, &stacks.frames, &sums), None))
}

fn from_rollup(view: View<'_>, selection: &Selection) -> Result<Vec<Batch>, QueryError> {
    let by_name_only =
        selection.command_line.is_none() && selection.new.is_none() && selection.exited.is_none();
    let scope = match by_name_only && selection.processes.is_none() {
        true => None,
        false => Some(Scope::new(&Facts::read(view)?, selection)?),
    };
    let Some(scope) = scope.filter(|scope| scope.chosen.is_some()) else {
        return Ok(vec![(view.read(&tables::METHOD, &[])?, None)]);
    };
    let scan = Scan {
        columns: &[],
        processes: scope.chosen.as_deref(),
        window_ns: None,
    };
    let mut batches = Vec::new();
    view.scan(&tables::METHOD, &scan, &mut |table| {
        batches.push((table.clone(), Some(scope.processes.clone())));
        ControlFlow::Continue(())
    })?;
    Ok(batches)
}

/// Adds the rows of `table` whose process and function are wanted.
fn pick(
    table: &Table,
    processes: Option<&[bool]>,
    selection: &Selection,
    batch: u32,
    rows: &mut Vec<(u32, u32)>,
) {
    let pattern = selection.methods.as_ref();
    let mut names = pattern
        .filter(|pattern| !pattern.matches_everything())
        .map(|pattern| Names::new(table, pattern));
    let ids = table.i32s("process");
    for row in 0..table.len() {
        let process = ids.get(row).and_then(|&id| usize::try_from(id).ok());
        let wanted = processes.is_none_or(|wanted| {
            process
                .and_then(|id| wanted.get(id))
                .copied()
                .unwrap_or(false)
        });
        if wanted && names.as_mut().is_none_or(|names| names.matches(row)) {
            rows.push((batch, u32::try_from(row).unwrap_or(u32::MAX)));
        }
    }
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
    tables: Vec<Table>,
    rows: Vec<(u32, u32)>,
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
        let (batch, row) = self.rows[row];
        match &self.tables[batch as usize].columns[*column] {
            Column::Str(texts) => texts.shared(row as usize).map_or(Value::Null, Value::Text),
            numbers => Value::int(numbers.int(row as usize)),
        }
    }
}
