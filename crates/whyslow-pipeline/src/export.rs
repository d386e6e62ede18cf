//! Copies of extracts for others, in which pseudonyms may take the place of names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whyslow_extract::name::TestName;
use whyslow_extract::{Extract, ExtractWriter, Options};
use whyslow_model::tables::{ALL, TRACE};
use whyslow_model::{Layer, Table, TraceView, Watch};
use whyslow_query::rollup::RollUps;
use whyslow_source::Error;

use crate::error::{check, damaged_view, unread_table, unwritable};
use crate::redact::{Pseudonyms, redacted};
use crate::watched::Watched;

/// Memory for rows on their way; they are copied group by group.
const MEMORY_BYTES: usize = 64 << 20;

/// Copies extracts. What has one pseudonym in a copy has the same one in all later copies.
#[derive(Debug)]
pub struct Exporter {
    /// The names assigned so far; `None`: names stay.
    names: Option<Pseudonyms>,
    replace: bool,
    /// The copies made so far.
    written: BTreeSet<PathBuf>,
    watch: Arc<dyn Watch>,
}

impl Exporter {
    /// Returns an exporter that replaces names by pseudonyms or not, and existing extracts or not.
    #[must_use]
    pub fn new(redact: bool, replace: bool, watch: Arc<dyn Watch>) -> Self {
        Self {
            names: redact.then(Pseudonyms::default),
            replace,
            written: BTreeSet::new(),
            watch,
        }
    }

    /// Returns how a copy of the extract at `path` is called: the test case and the machine in its name, or else the
    /// whole name, are replaced, too.
    pub fn name_of(&mut self, path: &Path) -> PathBuf {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(names) = &mut self.names else {
            return PathBuf::from(name.into_owned());
        };
        let stem = name.strip_suffix(".whyslow").unwrap_or(&name);
        let redacted = match TestName::of(path) {
            Some(test) => {
                let (case, host) = (names.name(&test.case), names.host(&test.host));
                let when = test.performed.map(|stamp| format!(".{stamp}"));
                let when = when.unwrap_or_default();
                format!("{case}_{}ms{host}{when}", test.measured_ms)
            }
            None => names.part(stem).trim_start_matches('.').to_owned(),
        };
        PathBuf::from(format!("{redacted}.whyslow"))
    }

    /// Returns whether something must not be replaced: the extract that is copied, and copies of this run.
    fn keeps(&self, from: &Path, output: &Path) -> bool {
        output.canonicalize().is_ok_and(|output| {
            self.written.contains(&output) || from.canonicalize().is_ok_and(|from| from == output)
        })
    }

    /// Copies an extract to `output`, which appears whole or not at all; returns its size in bytes.
    ///
    /// # Errors
    /// When the extract cannot be read, the copy cannot be written, or the watcher asks to stop.
    pub fn export(&mut self, extract: &Extract, output: &Path) -> Result<u64, Error> {
        let from = extract.path();
        let fails = |error: whyslow_extract::Error| unwritable(output, &error);
        let trace = extract.read(&TRACE, &["trace_id"]);
        let trace = trace.map_err(|error| unread_table(from, &error))?;
        let options = Options {
            memory_bytes: MEMORY_BYTES,
            trace_id: trace.column("trace_id").text(0).unwrap_or("").to_owned(),
            replace: self.replace && !self.keeps(from, output),
            watch: Arc::clone(&self.watch),
        };
        let mut writer = ExtractWriter::create(output, options).map_err(fails)?;
        self.watch
            .step(&format_args!("{}: copying", extract.name()));
        let changed: Vec<Table> = match &mut self.names {
            Some(names) => redacted(extract, names).map_err(|error| unread_table(from, &error))?,
            None => Vec::new(),
        };
        let there = ALL.iter().filter(|schema| extract.has(schema));
        for schema in there.filter(|schema| schema.layer != Layer::RollUp) {
            let new = changed
                .iter()
                .find(|table| table.schema.name == schema.name);
            let written = match new {
                Some(table) => writer.write_table(table),
                None => writer.copy_table(extract, schema),
            };
            check(&*self.watch, output)?;
            written.map_err(fails)?;
        }
        let view = writer.view().map_err(fails)?;
        self.watch
            .step(&format_args!("{}: summing up", extract.name()));
        let sums = RollUps::compute(&Watched {
            view: &view,
            watch: &*self.watch,
        });
        check(&*self.watch, output)?;
        let sums = sums.map_err(|error| damaged_view(from, &error))?;
        writer.write_table(&sums.methods).map_err(fails)?;
        writer.write_table(&sums.timeline).map_err(fails)?;
        drop(view);
        check(&*self.watch, output)?;
        let path = writer.finish().map_err(fails)?;
        self.written.extend(path.canonicalize());
        Ok(Extract::open(&path).map_err(fails)?.size_bytes())
    }
}
