//! `stacks`: the call tree of a selection, from the roots down, or from functions up to their
//! callers.

mod by;
mod file_io;

use std::cmp::Reverse;
use std::sync::Arc;

use whyslow_model::tables::GoroutineRow;
use whyslow_model::{GoroutineState, Named, ProcessId, StackId, SystemCall, ThreadState};
use whyslow_results::{
    Columns, Kind, Note, NoteLevel, Outcome, ResultColumn, ResultSchema, TreeStyle, Value, grouped,
    shown,
};

use crate::argument::{Argument, Arguments, Takes};
use crate::call_tree::{CallTree, Label, Weights};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::goroutines::goroutines;
use crate::own_stacks::OwnStacks;
use crate::pattern::Pattern;
use crate::question::{Empty, Question, Request, Subject};
use crate::rows;
use crate::scope::Scope;
use crate::selection::Selection;
use crate::shape::{self, Read};
use crate::shown::{LANGUAGE, NO_NATIVE, Shown};
use crate::stacks::Stacks;
use crate::sums::notes;
use crate::system_calls::{SampledCall, sampled_calls};
use crate::view::View;
use crate::weight::Weight;

use by::{BY, By, CALL, Direction, FILE};
use file_io::sampled_file_calls;

/// The question.
pub(super) static QUESTION: Question = Question {
    name: "stacks",
    about: "The call tree of a selection: top down, or from functions to their callers",
    help: HELP,
    tables: &[&TABLE, &CALLS],
    arguments: &[
        BY,
        CALL,
        CALLERS,
        CUTOFF,
        FILE,
        LANGUAGE,
        NO_COLLAPSE,
        NO_NATIVE,
        PER_PROCESS,
    ],
    about_what: Subject::Selection,
    empty: Empty::NothingMatches,
    ask,
};

const HELP: &str = "\
A row may represent a chain of calls, a > b > c, in which only the last one branches or ends. Each
extract has a tree of its own, of at most --top rows. Waits and ready intervals appear where the
scheduler was called; its own functions appear only if --functions names some of them.

Examples:
  whyslow stacks x.whyslow --process cc1                        top down, by CPU
  whyslow stacks x.whyslow --process cc1 --callers              from the leaves to their callers
  whyslow stacks x.whyslow --functions '*memcpy*' --callers     who called memcpy
  whyslow stacks x.whyslow --process postgres --by wait         where it waited
  whyslow stacks x.whyslow --process python3 --language python  only Python functions
  whyslow stacks x.whyslow --process app --by calls             where it made its system calls
  whyslow stacks x.whyslow --process app --by goroutines        where Go goroutines waited
  whyslow stacks x.whyslow --by calls --call openat --callers   who opened files
  whyslow stacks x.whyslow --by file-io --file '*.ini'          who used these";

const CALLERS: Argument = Argument {
    name: "callers",
    doc: "Grow the tree from functions (those of --functions, else the leaves) to their callers",
    takes: Takes::Nothing,
};

const CUTOFF: Argument = Argument {
    name: "cutoff",
    doc: "Leave out branches below this share of the total",
    takes: Takes::Percent { default: 1.0 },
};

const NO_COLLAPSE: Argument = Argument {
    name: "no-collapse",
    doc: "Show every call in a row of its own instead of joining chains of single callees",
    takes: Takes::Nothing,
};

const PER_PROCESS: Argument = Argument {
    name: "per-process",
    doc: "Draw one tree per process",
    takes: Takes::Nothing,
};

static TABLE: ResultSchema = ResultSchema::new(
    "stacks",
    "The call tree of a selection.",
    "Call tree",
    &SHOWN,
);

#[rustfmt::skip]
const COLUMNS: Columns<Row, Total> = &[
    ResultColumn::new("share", "inclusive_percent", "Share", Kind::Percent, "Share of the selection's total.").priority(0)
        .cell(|row, of| of.percent(row.inclusive_ns)),
    ResultColumn::new("inclusive", "inclusive_ns", "Inclusive", Kind::Duration, "CPU (sampled), wait or ready of the stacks through this function; with `--by goroutines`, waits of goroutines.").priority(0)
        .cell(|row, _| Value::Int(row.inclusive_ns)),
    ResultColumn::new("exclusive", "exclusive_ns", "Exclusive", Kind::Duration, "CPU (sampled), wait or ready of the stacks that end here.").priority(2).summed()
        .cell(|row, _| Value::Int(row.exclusive_ns)),
    ResultColumn::new("count", "count", "Count", Kind::Count, "Samples, waits or ready intervals of the stacks through this function; with `--by goroutines`, waits of goroutines that were seen.").priority(4)
        .cell(|row, _| Value::Int(row.count)),
    ResultColumn::new("function", "function", "Function", Kind::Text, "The function; a chain of functions with one child each is one row.").priority(0)
        .cell(|row, _| Value::text(&row.function)),
    ResultColumn::new("module", "module", "Module", Kind::Text, "Module of the (first) function.").priority(3)
        .cell(|row, _| Value::text(&row.module)),
];

static SHOWN: [ResultColumn; COLUMNS.len()] = shown(COLUMNS);

static CALLS: ResultSchema = ResultSchema::new(
    "stacks-by-calls",
    "The call tree of a selection's system calls (stacks --by calls).",
    "System calls by call tree",
    &SHOWN_CALLS,
);

#[rustfmt::skip]
const CALL_COLUMNS: Columns<Row, Total> = &[
    ResultColumn::new("share", "inclusive_percent", "Share", Kind::Percent, "Share of the selection's system calls.").priority(0)
        .cell(|row, of| of.percent(row.inclusive_ns)),
    ResultColumn::new("calls", "calls", "Calls", Kind::Count, "System calls made through this function, estimated from a sample by count.").priority(0)
        .cell(|row, _| Value::Int(row.inclusive_ns)),
    ResultColumn::new("count", "count", "Samples", Kind::Count, "How many calls had their stack taken.").priority(4)
        .cell(|row, _| Value::Int(row.count)),
    ResultColumn::new("function", "function", "Function", Kind::Text, "The function; a chain of functions with one child each is one row.").priority(0)
        .cell(|row, _| Value::text(&row.function)),
    ResultColumn::new("module", "module", "Module", Kind::Text, "Module of the (first) function.").priority(3)
        .cell(|row, _| Value::text(&row.module)),
];

static SHOWN_CALLS: [ResultColumn; CALL_COLUMNS.len()] = shown(CALL_COLUMNS);

/// A function, or a chain of them, in the tree.
struct Row {
    inclusive_ns: i64,
    exclusive_ns: i64,
    count: i64,
    function: String,
    module: String,
}

/// The weight of the whole tree.
#[derive(Clone, Copy)]
struct Total(i64);

impl Total {
    #[expect(clippy::cast_precision_loss, reason = "a share for a person")]
    fn share(self, ns: i64) -> f64 {
        100.0 * ns as f64 / self.0 as f64
    }

    fn percent(self, ns: i64) -> Value {
        Value::Float(self.share(ns))
    }
}

/// The rows of a tree.
struct List {
    rows: Vec<Row>,
    depths: Vec<u16>,
    total: Total,
}

impl List {
    fn new(total_ns: i64) -> Self {
        Self {
            rows: Vec::new(),
            depths: Vec::new(),
            total: Total(total_ns),
        }
    }
}

/// How the tree is drawn.
#[derive(Debug, Clone)]
struct StackOptions {
    by: By,
    /// Which system calls count.
    calls: Pattern,
    /// Calls on which files count.
    files: Pattern,
    direction: Direction,
    /// Branches below this share of the total are left out, 0 to 100.
    cutoff_percent: f64,
    /// Whether a chain of only children becomes one row.
    collapse: bool,
    /// Whether every process has a tree of its own.
    per_process: bool,
    /// Which frames are kept; `None`: all.
    shown: Option<Shown>,
}

impl StackOptions {
    /// Returns the options in the question's arguments.
    fn of(arguments: &Arguments) -> Self {
        Self {
            by: By::chosen(arguments),
            calls: arguments.pattern(&CALL),
            files: arguments.pattern(&FILE),
            direction: match arguments.has(&CALLERS) {
                true => Direction::Callers,
                false => Direction::TopDown,
            },
            cutoff_percent: arguments.percent(&CUTOFF),
            collapse: !arguments.has(&NO_COLLAPSE),
            per_process: arguments.has(&PER_PROCESS),
            shown: Shown::chosen(arguments),
        }
    }
}

/// Maximum length of the text of a chain of functions.
const LONGEST_CHAIN: usize = 400;

fn ask(views: &[View<'_>], request: &Request<'_>) -> Result<Outcome, QueryError> {
    let options = StackOptions::of(request.arguments);
    stacks(views, request.selection, &options)
}

/// Draws a call tree.
fn stacks(
    views: &[View<'_>],
    selection: &Selection,
    options: &StackOptions,
) -> Result<Outcome, QueryError> {
    let (title, needed) = options.by.title(options.direction);
    let style = match options.direction {
        Direction::TopDown => TreeStyle::Chains,
        Direction::Callers => TreeStyle::Callers,
    };
    let (schema, columns) = match options.by {
        By::Time(_) | By::Goroutines => (TABLE, COLUMNS),
        By::Calls | By::FileIo => (CALLS, CALL_COLUMNS),
    };
    let table = ResultSchema { title, ..schema }
        .tree("function", style)
        .containing();
    // The tree is cut to the heaviest nodes here: cut later, it would fall apart.
    let mut outer = selection.clone();
    outer.top = None;
    shape::ask(views, &outer, &table, |view, facts| {
        if !facts.has(needed) {
            return Ok(Read::lacks(&facts, needed));
        }
        let mut stacks = Stacks::read(view)?;
        if let Some(shown) = options.shown {
            shown.apply(&mut stacks);
        }
        let mut notes = notes(&facts);
        let (tree, sample) = grow(view, &facts, &stacks, selection, options)?;
        notes.extend(sample.note(&facts));
        let list = draw(&facts, &stacks, &tree, options, selection.top, &mut notes);
        let List {
            rows,
            depths,
            total,
        } = list;
        Ok(Read::tree(columns, (rows, depths), total, notes))
    })
}

/// Builds the tree of everything in the selection; returns how much of it comes from a sample.
fn grow(
    view: View<'_>,
    facts: &Facts,
    stacks: &Stacks,
    selection: &Selection,
    options: &StackOptions,
) -> Result<(CallTree, Sample), QueryError> {
    let scope = Scope::new(view, facts, selection)?;
    let methods = selection.functions.as_ref();
    let wanted = methods.filter(|pattern| !pattern.matches_everything());
    let wanted = wanted.map(|pattern| stacks.matching(pattern));
    let mask = wanted
        .as_deref()
        .map(|wanted| stacks.tree.with_function(wanted));
    // Every wait and ready time ends in the scheduler; it stays only if it is asked for by name.
    let switched = matches!(options.by, By::Time(Weight::Wait | Weight::Ready));
    let scheduler = (switched && wanted.is_none()).then(|| scheduler(stacks));
    let counts = |node: u32| mask.as_ref().is_none_or(|mask| mask[node as usize]);
    let mut tree = CallTree::of_total();
    let mut weights = Weights::new(stacks);
    let mut process = None;
    let mut finish = |process: Option<ProcessId>, weights: &mut Weights| {
        let weights = weights.take();
        if weights.is_empty() {
            return;
        }
        let process = process.filter(|_| options.per_process);
        let root = process.map_or(0, |process| tree.add_process(process));
        match options.direction {
            Direction::TopDown => tree.add_top_down(root, stacks, &weights),
            Direction::Callers => tree.add_callers(root, stacks, &weights, wanted.as_deref()),
        }
    };
    let mut sample = Sample::default();
    let mut add = |of: ProcessId, stack: Option<StackId>, ns: i64| {
        if process != Some(of) {
            finish(process, &mut weights);
            process = Some(of);
        }
        let node = stacks.tree.node(stack);
        if ns > 0 && counts(node) {
            let node = scheduler
                .as_ref()
                .map_or(node, |outer| outer[node as usize]);
            weights.add(node, ns);
        }
        counts(node)
    };
    match options.by {
        By::Time(Weight::Cpu) => rows::samples(view, &scope, |sample| {
            let _counted = add(sample.process, sample.stack, sample.weight_ns);
        })?,
        By::Time(Weight::Wait) => rows::intervals(view, &scope, |interval| {
            if matches!(interval.state, ThreadState::Waiting | ThreadState::OffCpu) {
                let is_counted = add(interval.process, interval.stack, interval.ns());
                sample.waits.add_if(is_counted, interval);
            }
        })?,
        By::Time(Weight::Ready) => rows::intervals(view, &scope, |interval| {
            if interval.state == ThreadState::Ready {
                let _counted = add(interval.process, interval.stack, interval.ns());
            }
        })?,
        By::Calls | By::FileIo => {
            let mut add_call = |call: &SampledCall| {
                let is_wanted = options.calls.matches(&SystemCall::spelled(call.call));
                if is_wanted && add(call.process, call.stack, call.count) {
                    sample.calls += call.count.unsigned_abs();
                    sample.call_stacks += 1;
                }
            };
            match options.by {
                By::FileIo => sampled_file_calls(view, &scope, &options.files, add_call)?,
                _ => sampled_calls(view, &scope, |call| add_call(call))?,
            }
        }
        By::Goroutines => {
            for (process, stack, ns) in waits_of_goroutines(view, &scope)? {
                let _counted = add(process, stack, ns);
            }
        }
    }
    finish(process, &mut weights);
    tree.carry();
    Ok((tree, sample))
}

/// How long goroutines waited where, those of a process together.
fn waits_of_goroutines(
    view: View<'_>,
    scope: &Scope,
) -> Result<Vec<(ProcessId, Option<StackId>, i64)>, QueryError> {
    let mut waits = Vec::new();
    goroutines(view, scope, |row: GoroutineRow| {
        let waited = row.state == GoroutineState::Waiting.code();
        if let Some(process) = row.process.filter(|_| waited) {
            let ns = row.duration_ns.saturating_mul(row.count);
            waits.push((process, row.stack, ns));
        }
    })?;
    waits.sort_by_key(|(process, ..)| *process);
    Ok(waits)
}

/// What a tree is based on, if not everything has a stack of its own.
#[derive(Debug, Default)]
struct Sample {
    waits: OwnStacks,
    calls: u64,
    call_stacks: u64,
}

impl Sample {
    fn note(&self, facts: &Facts) -> Option<Note> {
        let calls = (self.calls > 0).then(|| Note {
            level: NoteLevel::Info,
            file: Some(Arc::clone(&facts.name)),
            text: format!(
                "from a sample: the stacks of {} of about {} calls",
                grouped(self.call_stacks),
                grouped(self.calls)
            ),
        });
        calls.or_else(|| self.waits.note(facts))
    }
}

/// Returns, per node, the nearest node towards the root that is not the scheduler's own.
fn scheduler(stacks: &Stacks) -> Vec<u32> {
    const OWN: [&str; 4] = [
        "schedule",
        "__schedule",
        "__traceiter_sched_switch",
        "preempt_schedule",
    ];
    let functions = stacks.frames.functions.iter();
    let own: Vec<bool> = functions.map(|f| OWN.contains(&&*f.name)).collect();
    let tree = &stacks.tree;
    let mut outer: Vec<u32> = Vec::with_capacity(tree.len());
    for (node, id) in (0..tree.len()).zip(0..) {
        let mut functions = tree.functions(id).iter();
        let all_own = tree.kernel[node] && functions.all(|&function| own[function as usize]);
        let above = outer.get(tree.parent[node] as usize).copied();
        outer.push(above.filter(|_| all_own).unwrap_or(id));
    }
    outer
}

/// Returns the rows of the tree, heaviest branch first; with `top`, only the heaviest rows.
fn draw(
    facts: &Facts,
    stacks: &Stacks,
    tree: &CallTree,
    options: &StackOptions,
    top: Option<usize>,
    notes: &mut Vec<Note>,
) -> List {
    let total_ns = tree.nodes[0].inclusive_ns;
    let mut list = List::new(total_ns);
    if total_ns <= 0 {
        return list;
    }
    let visible = visible(tree, options);
    let children = tree.children();
    let shown = |id: &&u32| visible[**id as usize];
    let mut links: Vec<Link> = Vec::new();
    let mut todo = vec![(0_u32, 0_u16, 0)];
    while let Some((first, depth, above)) = todo.pop() {
        let mut last = first;
        let (mut text, module) = describe(facts, stacks, tree.nodes[first as usize].label);
        while let Some(next) = lone_child(tree, &children, last, options.collapse) {
            let (more, _) = describe(facts, stacks, tree.nodes[next as usize].label);
            if text.len() + more.len() > LONGEST_CHAIN {
                break;
            }
            text = format!("{text} > {more}");
            last = next;
        }
        let (top, end) = (tree.nodes[first as usize], tree.nodes[last as usize]);
        let ns = top.inclusive_ns;
        let row = list.rows.len();
        list.rows.push(Row {
            inclusive_ns: top.inclusive_ns,
            exclusive_ns: end.exclusive_ns,
            count: top.count,
            function: text,
            module,
        });
        list.depths.push(depth);
        let below = &children[last as usize];
        let cut = below.iter().filter(|id| !visible[**id as usize]);
        let cut_ns = cut.map(|&id| tree.nodes[id as usize].inclusive_ns).sum();
        links.push(Link { above, ns, cut_ns });
        let next = below.iter().rev().filter(shown);
        todo.extend(next.map(|&id| (id, depth.saturating_add(1), row)));
    }
    let hidden_ns = keep_heaviest(&mut list, &links, top.unwrap_or(usize::MAX));
    if hidden_ns > 0 {
        let beyond = if top.is_some() {
            ", or beyond --top"
        } else {
            ""
        };
        let text = format!(
            "{:.1} % of the total is in branches without a row: below {} %{beyond}",
            list.total.share(hidden_ns),
            options.cutoff_percent,
        );
        let file = Some(Arc::clone(&facts.name));
        let level = NoteLevel::Info;
        notes.push(Note { level, file, text });
    }
    list
}

/// A row's place in the tree.
struct Link {
    /// The row above it; the first row is its own.
    above: usize,
    /// Its inclusive weight.
    ns: i64,
    /// Weight of the branches below it that are too light for a row.
    cut_ns: i64,
}

/// Keeps the heaviest `top` rows; returns the weight of the branches without a row.
fn keep_heaviest(list: &mut List, links: &[Link], top: usize) -> i64 {
    let mut order: Vec<usize> = (0..links.len()).collect();
    // A row is at most as heavy as the one above it, and comes after it.
    order.sort_by_key(|&row| (Reverse(links[row].ns), row));
    let mut kept = vec![false; links.len()];
    order.iter().take(top).for_each(|&row| kept[row] = true);
    let hidden = |(link, &kept_row): (&Link, &bool)| match kept_row {
        true => link.cut_ns,
        false if kept[link.above] => link.ns,
        false => 0,
    };
    let hidden_ns = links.iter().zip(&kept).map(hidden).sum();
    let mut keep = kept.iter();
    list.rows.retain(|_| keep.next() == Some(&true));
    let mut keep = kept.iter();
    list.depths.retain(|_| keep.next() == Some(&true));
    hidden_ns
}

/// Returns, per node, whether it is heavy enough to be shown.
#[expect(clippy::cast_precision_loss, reason = "a share for a person")]
fn visible(tree: &CallTree, options: &StackOptions) -> Vec<bool> {
    let total = tree.nodes[0].inclusive_ns as f64;
    let least = total * options.cutoff_percent.clamp(0.0, 100.0) / 100.0;
    let heavy = |node: &crate::call_tree::CallNode| {
        node.inclusive_ns > 0 && node.inclusive_ns as f64 >= least
    };
    tree.nodes.iter().map(heavy).collect()
}

/// Returns the child of `node` if it is the only one and no stack ends in `node` itself.
fn lone_child(tree: &CallTree, children: &[Vec<u32>], node: u32, collapse: bool) -> Option<u32> {
    let function = |id: u32| matches!(tree.nodes[id as usize].label, Label::Function(_));
    match children[node as usize].as_slice() {
        [only] if collapse && function(node) && tree.nodes[node as usize].exclusive_ns == 0 => {
            Some(*only)
        }
        _ => None,
    }
}

/// Returns the name of a node, and its module.
fn describe(facts: &Facts, stacks: &Stacks, label: Label) -> (String, String) {
    match label {
        Label::Total => ("[total]".to_owned(), String::new()),
        Label::Process(id) => match facts.process(id) {
            Some(process) => (
                format!("{}({})", process.name, process.os_pid),
                String::new(),
            ),
            None => ("[process unknown]".to_owned(), String::new()),
        },
        Label::Function(id) => {
            let function = stacks.frames.function(id);
            (function.name.to_string(), function.module.to_string())
        }
    }
}
