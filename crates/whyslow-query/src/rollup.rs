//! The roll-ups: the tables `method` and `timeline`, computed from the raw tables.
//!
//! Written when an extract is made and again whenever its symbols change. They leave out the
//! CPUs' idle threads. They answer the unfiltered questions exactly; the same kernels answer the
//! filtered ones from the raw rows, so the two cannot disagree.

use whyslow_model::tables::{METHOD, TIMELINE, TIMELINE_SLICE_NS};
use whyslow_model::{Column, StrColumn, Table};

use crate::error::QueryError;
use crate::facts::Facts;
use crate::frames::Frames;
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

/// Returns the table `method`, filled column by column: its texts are distinct already.
pub(crate) fn method_table(facts: &Facts, frames: &Frames, processes: &[ProcessMethods]) -> Table {
    let mut table = Table::new(&METHOD);
    let mut names = StrColumn::default();
    let (mut functions, mut modules) = (Texts::new(frames), Texts::new(frames));
    for of_process in processes {
        let process = facts.process(of_process.process);
        let name = names.intern(process.map_or("?", |process| process.name.as_str()));
        let os_pid = process.map_or(-1, |process| process.os_pid);
        for (function, sum) in &of_process.methods {
            let mut columns = Filler::new(&mut table.columns);
            columns.int(of_process.process.0);
            columns.key(name);
            columns.int(os_pid);
            columns.key(functions.function(*function));
            columns.key(modules.module(*function));
            columns.sums(sum);
        }
    }
    for (column, dictionary) in [
        ("process_name", names.dictionary),
        ("function", functions.column.dictionary),
        ("module", modules.column.dictionary),
    ] {
        let at = METHOD.column(column).unwrap_or(0);
        if let Some(Column::Str(column)) = table.columns.get_mut(at) {
            let keys = std::mem::take(&mut column.keys);
            *column = StrColumn::from_parts(keys, dictionary);
        }
    }
    table
}

/// Hands out dictionary keys for functions; each function's text is looked up once.
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

    fn function(&mut self, id: u32) -> i32 {
        let key = &mut self.keys[id as usize];
        if *key < 0 {
            *key = self.column.intern(&self.frames.function(id).name);
        }
        *key
    }

    fn module(&mut self, id: u32) -> i32 {
        let key = &mut self.keys[id as usize];
        if *key < 0 {
            *key = self.column.intern(&self.frames.function(id).module);
        }
        *key
    }
}

/// Fills the columns of one row from the left.
struct Filler<'a> {
    columns: std::slice::IterMut<'a, Column>,
}

impl<'a> Filler<'a> {
    fn new(columns: &'a mut [Column]) -> Self {
        let columns = columns.iter_mut();
        Self { columns }
    }

    fn int(&mut self, value: i32) {
        if let Some(Column::I32(column)) = self.columns.next() {
            column.push(value);
        }
    }

    fn long(&mut self, value: i64) {
        if let Some(Column::I64(column)) = self.columns.next() {
            column.push(value);
        }
    }

    fn key(&mut self, key: i32) {
        if let Some(Column::Str(column)) = self.columns.next() {
            column.keys.push(key);
        }
    }

    fn sums(&mut self, sum: &MethodSum) {
        self.long(sum.cpu_ns);
        self.long(sum.cpu_exclusive_ns);
        self.long(sum.samples);
        self.long(sum.samples_exclusive);
        self.long(sum.wait_ns);
        self.long(sum.wait_sum_ns);
        self.long(sum.ready_ns);
        self.long(sum.ready_sum_ns);
        self.long(sum.switches);
        self.int(sum.threads);
        self.long(sum.first_ns);
        self.long(sum.last_ns);
    }
}

fn timeline_table(cut: &Cut, sums: &[SliceSum]) -> Table {
    let mut table = Table::new(&TIMELINE);
    for sum in sums {
        let mut columns = Filler::new(&mut table.columns);
        columns.int(sum.process.0);
        columns.long(cut.start(sum.slice as usize));
        columns.long(sum.cpu_sampled_ns);
        columns.long(sum.cpu_ns);
        columns.long(sum.ready_ns);
        columns.long(sum.wait_ns);
        columns.long(sum.off_cpu_ns);
        columns.long(sum.unknown_ns);
        columns.long(sum.switches);
    }
    table
}
