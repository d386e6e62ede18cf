//! A trace whose reading can be stopped: summing up hours of rows takes more than a moment.

use std::ops::ControlFlow;

use whyslow_model::{Scan, Table, TableSchema, TraceView, ViewError, Watch};

/// A trace that returns no more rows once the watcher asks to stop.
#[derive(Clone, Copy)]
pub(crate) struct Watched<'a> {
    pub(crate) view: &'a (dyn TraceView + Sync),
    pub(crate) watch: &'a dyn Watch,
}

impl Watched<'_> {
    fn stopped(&self, table: &TableSchema) -> Result<(), ViewError> {
        if !self.watch.is_interrupted() {
            return Ok(());
        }
        Err(ViewError {
            trace: self.name().to_owned(),
            table: table.name.to_owned(),
            cause: "interrupted".to_owned(),
            advice: None,
        })
    }
}

impl TraceView for Watched<'_> {
    fn name(&self) -> &str {
        self.view.name()
    }

    fn has(&self, table: &TableSchema) -> bool {
        self.view.has(table)
    }

    fn scan(
        &self,
        table: &'static TableSchema,
        scan: &Scan<'_>,
        each: &mut dyn FnMut(&Table) -> ControlFlow<()>,
    ) -> Result<(), ViewError> {
        let each = &mut |rows: &Table| match self.watch.is_interrupted() {
            true => ControlFlow::Break(()),
            false => each(rows),
        };
        self.view.scan(table, scan, each)?;
        self.stopped(table)
    }

    fn read(&self, table: &'static TableSchema, columns: &[&str]) -> Result<Table, ViewError> {
        self.stopped(table)?;
        self.view.read(table, columns)
    }

    fn pick(&self, table: &'static TableSchema, rows: &[u32]) -> Result<Table, ViewError> {
        self.stopped(table)?;
        self.view.pick(table, rows)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use whyslow_model::MemoryTrace;
    use whyslow_model::tables::{PROBLEM, ProblemRow};
    use whyslow_query::QueryError;
    use whyslow_query::rollup::RollUps;

    use super::*;

    /// A watcher that asks to stop once it has been asked this often.
    #[derive(Debug)]
    struct StopAt(usize, AtomicUsize);

    impl Watch for StopAt {
        fn is_interrupted(&self) -> bool {
            self.1.fetch_add(1, Ordering::Relaxed) >= self.0
        }
    }

    #[test]
    fn sums_stop_between_pieces_of_a_table() {
        let trace = MemoryTrace::new("t", Vec::new());
        let sums = |patience| {
            let watch = &StopAt(patience, AtomicUsize::new(0));
            let view = &trace;
            let sums = RollUps::compute(&Watched { view, watch });
            sums.map(|_| ()).map_err(|error| match error {
                QueryError::View(error) => error.cause,
                other => other.to_string(),
            })
        };
        assert_eq!(sums(usize::MAX), Ok(()));
        assert_eq!(sums(0), Err("interrupted".to_owned()));
        assert_eq!(sums(3), Err("interrupted".to_owned()));
    }

    #[test]
    fn rows_of_a_stopped_scan_are_not_taken() {
        let problems = Table::from_rows(Vec::<ProblemRow>::new());
        let trace = MemoryTrace::new("t", vec![problems]);
        let watch = &StopAt(0, AtomicUsize::new(0));
        let view = Watched {
            view: &trace,
            watch,
        };
        let mut pieces = 0;
        let scanned = view.scan(&PROBLEM, &Scan::default(), &mut |_| {
            pieces += 1;
            ControlFlow::Continue(())
        });
        assert!(scanned.is_err());
        assert_eq!(pieces, 0);
    }
}
