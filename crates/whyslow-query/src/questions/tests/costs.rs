//! What is read when there are many extracts.

use std::ops::ControlFlow;
use std::sync::Mutex;

use whyslow_model::{Scan, Table, TableSchema, ViewError, tables};

use super::*;
use crate::view::View;

/// A trace that records which columns of the roll-up are read.
struct Noted {
    trace: MemoryTrace,
    read: Mutex<Vec<String>>,
}

impl Noted {
    fn new(trace: MemoryTrace) -> Self {
        let read = Mutex::new(Vec::new());
        Self { trace, read }
    }
}

impl TraceView for Noted {
    fn name(&self) -> &str {
        self.trace.name()
    }

    fn has(&self, table: &TableSchema) -> bool {
        self.trace.has(table)
    }

    fn scan(
        &self,
        table: &'static TableSchema,
        scan: &Scan<'_>,
        each: &mut dyn FnMut(&Table) -> ControlFlow<()>,
    ) -> Result<(), ViewError> {
        if table.name == tables::TIMELINE.name {
            let mut read = self.read.lock().expect("no panic");
            read.push(scan.columns.join(" "));
        }
        // Like a file, unlike memory: only the columns asked for are there.
        let _stopped = each(&self.trace.read(table, scan.columns)?);
        Ok(())
    }

    fn read(&self, table: &'static TableSchema, columns: &[&str]) -> Result<Table, ViewError> {
        self.trace.read(table, columns)
    }

    fn pick(&self, table: &'static TableSchema, rows: &[u32]) -> Result<Table, ViewError> {
        self.trace.pick(table, rows)
    }
}

fn answer(question: &str, views: &[View<'_>], selection: &Selection) -> ResultTable {
    let question = find(question).expect("a question");
    let outcome = question.answer(views, selection).expect("an answer");
    outcome.table().expect("recorded")
}

#[test]
fn what_does_not_decide_is_read_of_shown_files_alone() {
    let busy = Noted::new(scene().trace("busy"));
    let mut quiet = Literal::new(400);
    let process = quiet.process("quiet", 7, None);
    let thread = quiet.thread(process, "quiet");
    quiet.play(thread, "R10 W390");
    let quiet = Noted::new(quiet.trace("quiet"));
    let best = Selection {
        top: Some(1),
        ..Selection::default()
    };
    for question in ["cpu", "processes"] {
        let table = answer(question, &[&busy, &quiet], &best);
        assert_eq!(table.cell(0, "process"), Some(&Value::text("cc")));
        assert_eq!(table.cell(0, "cpu-precise"), Some(&Value::Int(430 * MS)));
        let read = std::mem::take(&mut *quiet.read.lock().expect("no panic"));
        assert_eq!(read, ["process cpu_sampled_ns"], "{question}");
    }
}

#[test]
fn the_best_rows_are_the_same_however_they_are_read() {
    for seed in 1..=8 {
        let traces = [seed, seed + 100, seed + 200];
        let traces = traces.map(|seed| Noted::new(random_trace(seed).trace("t")));
        let views = traces.each_ref().map(|trace| trace as View<'_>);
        for question in ["cpu", "processes"] {
            for column in ["cpu", "cpu-precise", "wait", "switches", "pid"] {
                let sorted = Selection {
                    sort: Some(Sort::parse(column)),
                    totals: true,
                    ..Selection::default()
                };
                let all = answer(question, &views, &sorted);
                let top = Selection {
                    top: Some(3),
                    ..sorted
                };
                let best = answer(question, &views, &top);
                assert_eq!(best.rows, all.rows[..3.min(all.rows.len())], "{column}");
                assert_eq!(best.totals, all.totals, "{column}");
                assert_eq!(best.matched_rows, all.matched_rows, "{column}");
            }
        }
    }
}
