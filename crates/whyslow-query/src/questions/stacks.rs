//! `stacks`: the call tree of a selection, downwards, or from functions up to their callers.

use std::cmp::Reverse;
use std::sync::Arc;

use whyslow_model::{Capability, ProcessId, StackId, ThreadState};

use super::options::{Direction, StackOptions, Weight};
use crate::call_tree::{CallTree, Label, Weights};
use crate::error::QueryError;
use crate::facts::Facts;
use crate::result::{Kind, Note, NoteLevel, Outcome, ResultColumn, Value};
use crate::rows;
use crate::scope::Scope;
use crate::selection::{Selection, View};
use crate::shape::{self, ListRows, Part, Read, Shape};
use crate::stacks::Stacks;
use crate::sums::notes;

#[rustfmt::skip]
pub(super) static COLUMNS: &[ResultColumn] = &[
    ResultColumn::new("share", "inclusive_percent", "Share", Kind::Percent, "Share of the selection's total.").priority(0),
    ResultColumn::new("inclusive", "inclusive_ns", "Inclusive", Kind::Duration, "CPU (sampled), wait or ready of the stacks through this function.").priority(0),
    ResultColumn::new("exclusive", "exclusive_ns", "Exclusive", Kind::Duration, "CPU (sampled), wait or ready of the stacks that end here.").priority(2).summed(),
    ResultColumn::new("count", "count", "Count", Kind::Count, "Samples, waits or readies of the stacks through this function.").priority(4),
    ResultColumn::new("function", "function", "Function", Kind::Text, "The function; a chain of functions with one child each stands in one row.").priority(0),
    ResultColumn::new("module", "module", "Module", Kind::Text, "Module of the (first) function.").priority(3),
];

static SHAPE: Shape = Shape {
    question: "stacks",
    title: "Call tree",
    columns: COLUMNS,
    tree: Some("function"),
    order: None,
    top_order: None,
    swap: &[],
};

/// The longest text a chain of functions may become.
const LONGEST_CHAIN: usize = 400;

/// Draws a call tree.
///
/// # Errors
/// As [`cpu`](super::cpu()).
pub fn stacks(
    views: &[View<'_>],
    selection: &Selection,
    options: &StackOptions,
) -> Result<Outcome, QueryError> {
    let title = match (options.weight, options.direction) {
        (Weight::Cpu, Direction::TopDown) => "CPU (sampled) by call tree",
        (Weight::Cpu, Direction::Callers) => "CPU (sampled) by callers",
        (Weight::Wait, Direction::TopDown) => "Wait by call tree",
        (Weight::Wait, Direction::Callers) => "Wait by callers",
        (Weight::Ready, Direction::TopDown) => "Ready by call tree",
        (Weight::Ready, Direction::Callers) => "Ready by callers",
    };
    let shape = Shape { title, ..SHAPE };
    // The tree is cut to the heaviest nodes here: cut later it would fall apart.
    let mut outer = selection.clone();
    outer.top = None;
    shape::ask(views, &outer, &shape, |view, facts| {
        let needed = match options.weight {
            Weight::Cpu => Capability::SampleStacks,
            Weight::Wait | Weight::Ready => Capability::SwitchStacks,
        };
        if !facts.has(needed) {
            return Ok(Read::NotRecorded(needed));
        }
        let stacks = Stacks::read(view)?;
        let tree = grow(view, facts, &stacks, selection, options)?;
        let mut notes = notes(facts);
        let rows = draw(facts, &stacks, &tree, options, selection.top, &mut notes);
        Ok(Read::Part(Part {
            rows: Box::new(rows),
            notes,
        }))
    })
}

/// Builds the tree of everything the selection counts.
fn grow(
    view: View<'_>,
    facts: &Facts,
    stacks: &Stacks,
    selection: &Selection,
    options: &StackOptions,
) -> Result<CallTree, QueryError> {
    let scope = Scope::new(facts, selection)?;
    let methods = selection.methods.as_ref();
    let wanted = methods.filter(|pattern| !pattern.matches_everything());
    let wanted = wanted.map(|pattern| stacks.matching(pattern));
    let mask = wanted
        .as_deref()
        .map(|wanted| stacks.tree.with_function(wanted));
    // Every wait and ready ends in the scheduler; asked for by name, it stays.
    let scheduler = (options.weight != Weight::Cpu && wanted.is_none()).then(|| scheduler(stacks));
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
    };
    match options.weight {
        Weight::Cpu => rows::samples(view, &scope, |sample| {
            add(sample.process, sample.stack, sample.weight_ns);
        })?,
        Weight::Wait => rows::intervals(view, &scope, |interval| {
            if matches!(interval.state, ThreadState::Waiting | ThreadState::OffCpu) {
                add(interval.process, interval.stack, interval.ns());
            }
        })?,
        Weight::Ready => rows::intervals(view, &scope, |interval| {
            if interval.state == ThreadState::Ready {
                add(interval.process, interval.stack, interval.ns());
            }
        })?,
    }
    finish(process, &mut weights);
    tree.carry();
    Ok(tree)
}

/// Returns, per node, the nearest one on the way to the root that is not the scheduler's own.
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

/// Returns the rows of the tree, the heaviest branch first; with `top` only the heaviest rows.
#[expect(clippy::cast_precision_loss, reason = "shares for a person")]
fn draw(
    facts: &Facts,
    stacks: &Stacks,
    tree: &CallTree,
    options: &StackOptions,
    top: Option<usize>,
    notes: &mut Vec<Note>,
) -> ListRows {
    let mut list = ListRows::default();
    let total = tree.nodes[0].inclusive_ns;
    if total <= 0 {
        return list;
    }
    let percent = |ns: i64| 100.0 * ns as f64 / total as f64;
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
        list.rows.push(vec![
            Value::Float(percent(top.inclusive_ns)),
            Value::Int(top.inclusive_ns),
            Value::Int(end.exclusive_ns),
            Value::Int(top.count),
            Value::text(&text),
            Value::text(&module),
        ]);
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
            percent(hidden_ns),
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
    /// The row above it; the first row's is itself.
    above: usize,
    /// Its inclusive weight.
    ns: i64,
    /// Weight of the branches below it that are too light for a row.
    cut_ns: i64,
}

/// Leaves the heaviest `top` rows; returns the weight of the branches without a row.
fn keep_heaviest(list: &mut ListRows, links: &[Link], top: usize) -> i64 {
    let mut order: Vec<usize> = (0..links.len()).collect();
    // A row is at most as heavy as the one above it, and stands after it.
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

/// Returns the child of `node` if it is the only one and nothing ends in `node` itself.
fn lone_child(tree: &CallTree, children: &[Vec<u32>], node: u32, collapse: bool) -> Option<u32> {
    let function = |id: u32| matches!(tree.nodes[id as usize].label, Label::Function(_));
    match children[node as usize].as_slice() {
        [only] if collapse && function(node) && tree.nodes[node as usize].exclusive_ns == 0 => {
            Some(*only)
        }
        _ => None,
    }
}

/// Returns what a node is called, and its module.
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
