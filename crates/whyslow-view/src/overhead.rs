//! What the recording itself cost the recorded threads.
//!
//! The recorder's programs run inside the threads: at each switch, wake-up, system call and sample.
//! The kernel measured how long they took on the whole machine; here their usual time is applied to
//! each switch and call of a thread. The kernel's own extra work is not included: a slower path
//! into system calls, and its own record of each switch.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use whyslow_model::tables::FactRow;
use whyslow_model::{Scan, TableRow};

use crate::error::QueryError;
use crate::view::View;

/// What threads did that caused the recorder's programs to run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moments {
    /// How often they left a CPU.
    pub switches: i64,
    /// How often they woke a thread.
    pub wake_ups: i64,
    /// System calls.
    pub system_calls: i64,
    /// CPU samples taken of them.
    pub samples: i64,
}

/// Usual time of the recorder's programs at each kind of moment, in ns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overhead {
    usual_ns: BTreeMap<String, i128>,
}

impl Overhead {
    /// Reads what the kernel measured.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let mut numbers = BTreeMap::<String, i128>::new();
        view.scan(FactRow::SCHEMA, &Scan::default(), &mut |table| {
            let rows = table.rows::<FactRow>();
            for row in rows.filter(|row| row.subject == "recorder") {
                let key = row.key.strip_prefix("handlers.");
                if let (Some(key), Ok(value)) = (key, row.value.parse::<i64>()) {
                    numbers.insert(key.to_owned(), value.max(0).into());
                }
            }
            ControlFlow::Continue(())
        })?;
        let usual = numbers.iter().filter_map(|(key, &count)| {
            let moment = key.strip_suffix("_count").filter(|_| count > 0)?;
            let ns = numbers.get(&format!("{moment}_ns"))?;
            Some((moment.to_owned(), ns / count))
        });
        Ok(Self {
            usual_ns: usual.collect(),
        })
    }

    /// Returns whether the kernel measured it.
    pub fn is_known(&self) -> bool {
        !self.usual_ns.is_empty()
    }

    /// Returns about how long the recorder's programs took at `moments`.
    pub fn ns(&self, moments: Moments) -> i64 {
        let moments = [
            ("switch", moments.switches),
            ("wake_up", moments.wake_ups),
            ("system_call", moments.system_calls),
            ("sample", moments.samples),
        ];
        let usual = |moment| self.usual_ns.get(moment).copied().unwrap_or(0);
        let parts = moments.map(|(moment, count)| usual(moment) * i128::from(count));
        i64::try_from(parts.iter().sum::<i128>()).unwrap_or(i64::MAX)
    }
}
