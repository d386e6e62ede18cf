//! The roll-ups: the tables `method` and `timeline`, computed from the raw tables.
//!
//! They are written when an extract is made, and again whenever its symbols change. They leave out
//! the CPUs' idle threads. They answer the unfiltered questions exactly; the same kernels answer
//! the filtered ones from the raw rows, so the two cannot disagree.

use std::iter;

use whyslow_model::tables::{METHOD, MethodRow, TIMELINE_SLICE_NS, TimelineRow};
use whyslow_model::{Column, Place, StrColumn, Table};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::frames::{Frames, Function};
use crate::methods::{MethodSum, Methods, ProcessMethods};
use crate::rows;
use crate::scope::Scope;
use crate::slices::{Cut, SliceSum, Slices};
use crate::stacks::Stacks;
use crate::tree::FirstSeen;
use crate::view::View;

/// The roll-up tables of one trace.
#[derive(Debug, Clone)]
pub struct RollUps {
    /// The table `method`, by process and function.
    pub methods: Table,
    /// The table `timeline`, by process and time.
    pub timeline: Table,
}

impl RollUps {
    /// Computes the roll-ups of `view` from its raw tables, stacks and symbols.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn compute(view: View<'_>) -> Result<Self, QueryError> {
        let facts = Facts::read(view)?;
        let stacks = Stacks::read(view)?;
        let scope = Scope::whole(&facts);
        let functions = stacks.frames.functions.len();
        let first = FirstSeen::new(&stacks.tree, functions);
        let mut methods = Methods::new(&stacks.tree, &first, functions);
        let cut = Cut::new(0, facts.duration_ns(), TIMELINE_SLICE_NS);
        let mut slices = Slices::new(cut);
        rows::samples(view, &scope, |sample| {
            methods.sample(sample);
            slices.sample(sample);
        })?;
        methods.end_samples();
        rows::intervals(view, &scope, |interval| {
            methods.interval(interval);
            slices.interval(interval);
        })?;
        let methods = methods.finish(view, &scope)?;
        Ok(Self {
            methods: method_table(&facts, &stacks.frames, &methods),
            timeline: timeline_table(&cut, &slices.finish()),
        })
    }
}

/// Returns the table `method`, filled column by column: its texts are already distinct.
pub(crate) fn method_table(facts: &Facts, frames: &Frames, processes: &[ProcessMethods]) -> Table {
    let mut table = Table::new(&METHOD);
    let mut names = StrColumn::default();
    let (mut functions, mut modules) = (Texts::new(frames), Texts::new(frames));
    let mut os_pids = Vec::new();
    for of_process in processes {
        let process = facts.process(of_process.process);
        let name = names.intern(process.map_or("?", |process| process.name.as_str()));
        let os_pid = process.map_or(-1, |process| process.os_pid);
        for (function, _) in &of_process.methods {
            names.keys.push(name);
            os_pids.push(os_pid);
            functions.push(*function, |function| &function.name);
            modules.push(*function, |function| &function.module);
        }
    }
    let ids = |of: &ProcessMethods| iter::repeat_n(of.process, of.methods.len());
    MethodRow::process.extend(&mut table, processes.iter().flat_map(ids));
    MethodRow::process_name.put(&mut table, Column::Str(names));
    MethodRow::os_pid.put(&mut table, Column::I32(os_pids));
    MethodRow::function.put(&mut table, Column::Str(functions.column));
    MethodRow::module.put(&mut table, Column::Str(modules.column));
    add_sums(&mut table, processes);
    table
}

/// Fills the columns of figures.
fn add_sums(table: &mut Table, processes: &[ProcessMethods]) {
    let mut fill = |place: Place<MethodRow, i64>, figure: fn(&MethodSum) -> i64| {
        let rows = processes.iter().flat_map(|of| &of.methods);
        place.extend(table, rows.map(|(_, sum)| figure(sum)));
    };
    fill(MethodRow::cpu_ns, |sum| sum.cpu_ns);
    fill(MethodRow::cpu_exclusive_ns, |sum| sum.cpu_exclusive_ns);
    fill(MethodRow::samples, |sum| sum.samples);
    fill(MethodRow::samples_exclusive, |sum| sum.samples_exclusive);
    fill(MethodRow::wait_ns, |sum| sum.wait_ns);
    fill(MethodRow::wait_sum_ns, |sum| sum.wait_sum_ns);
    fill(MethodRow::ready_ns, |sum| sum.ready_ns);
    fill(MethodRow::ready_sum_ns, |sum| sum.ready_sum_ns);
    fill(MethodRow::switches, |sum| sum.switches);
    fill(MethodRow::first_ns, |sum| sum.first_ns);
    fill(MethodRow::last_ns, |sum| sum.last_ns);
    let rows = processes.iter().flat_map(|of| &of.methods);
    MethodRow::threads.extend(table, rows.map(|(_, sum)| sum.threads));
}

/// A column of texts of functions; each function's text is looked up once.
struct Texts<'a> {
    frames: &'a Frames,
    column: StrColumn,
    keys: Vec<i32>,
}

impl<'a> Texts<'a> {
    fn new(frames: &'a Frames) -> Self {
        Self {
            frames,
            column: StrColumn::default(),
            keys: vec![-1; frames.functions.len()],
        }
    }

    fn push(&mut self, id: u32, text: impl Fn(&Function) -> &str) {
        let key = &mut self.keys[id as usize];
        if *key < 0 {
            *key = self.column.intern(text(self.frames.function(id)));
        }
        self.column.keys.push(*key);
    }
}

fn timeline_table(cut: &Cut, sums: &[SliceSum]) -> Table {
    Table::from_rows(sums.iter().map(|sum| TimelineRow {
        process: sum.process,
        start_ns: cut.start(sum.slice as usize),
        cpu_sampled_ns: sum.cpu_sampled_ns,
        cpu_ns: sum.cpu_ns,
        ready_ns: sum.ready_ns,
        wait_ns: sum.wait_ns,
        off_cpu_ns: sum.off_cpu_ns,
        unknown_ns: sum.unknown_ns,
        switches: sum.switches,
    }))
}
